"""What a hostile web does to a crawl: it is refused or cut, counted, and the crawl goes on."""

from __future__ import annotations

import asyncio
import gzip
import itertools

from aiohttp import web
from web_of_test import KOREAN, Crawl, WebServer, html

GOOD = {("good.example.kr", f"/{number}"): html("좋은 문서", KOREAN) for number in range(3)}
GOOD_SEEDS = [f"http://{host}{path}" for host, path in GOOD]


async def to_metadata(request: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": "http://169.254.169.254/latest/meta-data/"})


async def gzip_bomb(request: web.Request) -> web.Response:
    body = gzip.compress(b"<p>" + b"\0" * 50_000_000)
    return web.Response(body=body, content_type="text/html", headers={"Content-Encoding": "gzip"})


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    try:
        while True:
            await response.write(b"<p>more and more</p>" * 5000)
            await asyncio.sleep(0)
    except (ConnectionError, asyncio.CancelledError):
        return response


async def great_promise(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html", "Content-Length": str(1 << 30)})
    await response.prepare(request)
    await asyncio.sleep(20)
    return response


async def great_header(request: web.Request) -> web.Response:
    return web.Response(text="x", headers={"X-Large": "x" * 100_000})


async def image(request: web.Request) -> web.Response:
    return web.Response(body=b"\x89PNG" + b"\0" * 1_000_000, content_type="image/png")


async def never_answers(request: web.Request) -> web.Response:
    await asyncio.sleep(30)
    return web.Response()


def test_crawl_survives_a_hostile_web(server: WebServer, crawl: Crawl) -> None:
    numbers = itertools.count()

    async def redirects_for_ever(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"/next?{next(numbers)}"})

    hosts = {
        "meta": to_metadata, "bomb": gzip_bomb, "endless": endless, "promise": great_promise, "header": great_header,
        "image": image, "silent": never_answers,
    }  # fmt: skip
    server.pages = {(f"{name}.example.org", "/"): answer for name, answer in hosts.items()} | GOOD
    server.pages |= {("loop.example.org", f"/next?{number}"): redirects_for_ever for number in range(10_000)}
    server.pages["loop.example.org", "/"] = redirects_for_ever
    seeds = [f"http://{name}.example.org/" for name in [*hosts, "loop"]]
    crawl.run(seeds=[*seeds, *GOOD_SEEDS], DOWNLOAD_TIMEOUT=10, FRONTIER_MAX_ATTEMPTS=1, DOWNLOAD_MAXSIZE=2_000_000)
    assert sorted(row["url"] for row in crawl.rows()) == sorted(GOOD_SEEDS)
    counts = {key: value for key, value in crawl.stats().items() if key.startswith("fetch/") and key.count("/") == 2}
    assert counts == {
        "fetch/refused_count/address not public": 1,
        "fetch/gone_count/too large when decompressed": 1,
        "fetch/gone_count/too large": 2,
        "fetch/gone_count/type": 1,
        "fetch/gone_count/too many redirects": 1,
        "fetch/failed_count/timeout": 1,
        "fetch/failed_count/DownloadFailedError": 1,
    }
    assert crawl.stats()["fetch/redirect_count"] == 1 + 8
    assert len([path for path in server.paths() if path.startswith("loop.example.org/")]) == 1 + 9


def test_crawl_never_connects_to_loopback_or_private_addresses(server: WebServer, crawl: Crawl) -> None:
    crawl.run(
        seeds=[
            f"http://127.0.0.1:{server.port}/", f"http://localhost:{server.port}/", f"http://[::1]:{server.port}/",
            f"http://0.0.0.0:{server.port}/", f"http://2130706433:{server.port}/", "http://169.254.169.254/", "http://[::ffff:7f00:1]/",
        ],
        virtual=False,
        FRONTIER_MAX_ATTEMPTS=1,
    )  # fmt: skip
    assert server.requests == []
    assert crawl.rows() == []
    assert crawl.stats()["fetch/refused_count/address not public"] == 6


def test_crawl_reads_what_broken_pages_still_say(server: WebServer, crawl: Crawl) -> None:
    async def wrong_charset(request: web.Request) -> web.Response:
        return web.Response(
            body=html("한국", KOREAN).replace("utf-8", "latin1").encode("euc-kr"),
            headers={"Content-Type": "text/html; charset=utf-8"},
        )

    async def broken(request: web.Request) -> web.Response:
        return web.Response(
            body=b"\0\xff<a href=/next><b>" + KOREAN.encode() + b"<div>" * 10_000, content_type="text/html"
        )

    async def empty(request: web.Request) -> web.Response:
        return web.Response(body=b"", content_type="text/html")

    server.pages = {
        (f"{name}.example.org", "/"): answer
        for name, answer in [("charset", wrong_charset), ("broken", broken), ("empty", empty)]
    }
    crawl.run(seeds=[f"http://{host}/" for host, _ in server.pages])
    rows = {row["host"]: row for row in crawl.rows()}
    assert (rows["charset.example.org"]["charset"], rows["charset.example.org"]["language"]) == ("euc-kr", "ko")
    assert rows["broken.example.org"]["language"] == "ko"
    assert rows["empty.example.org"]["language"] == "und"
