"""``scrapy seeds identify --by page``: a polite crawl of the seeds and of nothing else."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

from aiohttp import web
from web_of_test import ENGLISH, KOREAN, MANY, ROOT, WebServer, html
from workers_of_test import RedisServer, redis_of_crawls

__all__ = ["redis_of_crawls"]

SEEDS = [
    "http://a.kr/", "http://b.kr/", "http://gone.kr/", "http://closed.kr/x", "http://moved.kr/", "http://new.kr/",
    "http://image.kr/", "http://en.kr/",
]  # fmt: skip


def start(server: WebServer, folder: Path, *arguments: str, **settings: object) -> subprocess.Popen[str]:
    options = {
        "VIRTUAL_WEB": f"127.0.0.1:{server.port}", "FRONTIER_DELAY": 0, "FRONTIER_RETRY_DELAY": 0.05,
        "CRAWLER_CONTACT": "tests@localhost", **settings,
    }  # fmt: skip
    command = [sys.executable, "-m", "scrapy", "seeds", "identify", *arguments]
    command += [part for key, value in options.items() for part in ("-s", f"{key}={value}")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "crawler_project.settings"}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def stored_answers(job: Path, copy: Path) -> int:
    """How many pages a checkpoint has made durable, as a restart would find them; the crawl itself locks its frontier."""
    copy.mkdir(exist_ok=True)
    for name in ("frontier.sqlite3", "frontier.sqlite3-wal"):
        if (job / name).exists():
            shutil.copy(job / name, copy)
    # a copy made while the crawl writes may be damaged, or have no tables yet
    with closing(sqlite3.connect(copy / "frontier.sqlite3")) as database, suppress(sqlite3.DatabaseError):
        return int(database.execute("SELECT count(*) FROM note WHERE name LIKE 'page %'").fetchone()[0])
    return 0


def rows(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["url"]: row for row in csv.DictReader(file)}


def serve(server: WebServer) -> None:
    async def redirect(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": "http://new.kr/"})

    async def image(request: web.Request) -> web.Response:
        return web.Response(body=b"\x89PNG", content_type="image/png")

    async def robots(request: web.Request) -> web.Response:
        return web.Response(text="User-agent: *\nDisallow: /")

    link = ("/next", "다음 쪽으로 가는 링크")
    server.pages |= {(host, "/"): html("가", KOREAN, link) for host in ("a.kr", "b.kr", "new.kr")}
    server.pages |= {("a.kr", "/next"): html("나", KOREAN), ("en.kr", "/"): html("b", ENGLISH)}
    server.pages |= {("moved.kr", "/"): redirect, ("image.kr", "/"): image, ("closed.kr", "/robots.txt"): robots}


def test_identify_by_page_fetches_the_seeds_only_and_lists_the_dead_with_the_reason(
    server: WebServer, tmp_path: Path
) -> None:
    serve(server)
    (tmp_path / "urls.csv").write_text("url,title\n" + "".join(f"{url},t\n" for url in SEEDS))
    process = start(
        server, tmp_path, "urls.csv", "-o", "out.csv", "--by", "page", "--dead", "dead.csv", "--table", "t.csv"
    )
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    found = rows(tmp_path / "out.csv")
    assert list(found) == SEEDS
    assert {url: row["language"] for url, row in found.items() if row["status"] == "alive"} == {
        "http://a.kr/": "ko", "http://b.kr/": "ko", "http://moved.kr/": "ko", "http://new.kr/": "ko", "http://en.kr/": "en",
    }  # fmt: skip
    assert float(found["http://a.kr/"]["confidence"]) > 0.5
    dead = {url: row["reason"] for url, row in rows(tmp_path / "dead.csv").items()}
    assert dead == {url: row["status"] for url, row in found.items() if row["status"] != "alive"}
    assert set(dead) == {"http://gone.kr/", "http://closed.kr/x", "http://image.kr/"}
    assert "404" in dead["http://gone.kr/"]
    assert "robots" in dead["http://closed.kr/x"]
    assert dead["http://image.kr/"] == "type"
    assert "a.kr/next" not in server.paths()
    assert {f"{host}/robots.txt" for host in ("a.kr", "gone.kr", "closed.kr")} <= set(server.paths())
    assert (tmp_path / "t.csv").read_text().startswith("tld,")


def test_identify_by_page_goes_on_where_it_was_killed(server: WebServer, tmp_path: Path) -> None:
    seeds = [f"http://h{n}.kr/" for n in range(12)]
    server.pages |= {(f"h{n}.kr", "/"): html("가", KOREAN) for n in range(12)}
    (tmp_path / "urls.txt").write_text("\n".join(seeds))
    arguments = ("urls.txt", "-o", "out.csv", "--job", "job")
    server.held_after = len(seeds)
    killed = start(server, tmp_path, *arguments, CONCURRENT_REQUESTS=1, CHECKPOINT_INTERVAL=0.05)
    server.wait(len(seeds), killed)
    while not stored_answers(tmp_path / "job", tmp_path / "copy"):
        assert killed.poll() is None
        time.sleep(0.02)
    killed.kill()
    killed.communicate()
    server.held_after = MANY
    answered = stored_answers(tmp_path / "job", tmp_path / "copy")
    asked = len(server.paths())
    assert not (tmp_path / "out.csv").exists()
    process = start(server, tmp_path, *arguments)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert {row["language"] for row in rows(tmp_path / "out.csv").values()} == {"ko"}
    assert len(rows(tmp_path / "out.csv")) == len(seeds)
    assert (
        len([path for path in server.paths()[asked:] if not path.endswith("robots.txt")]) <= len(seeds) - answered + 1
    )


def test_identify_by_page_interrupted_says_how_to_go_on(server: WebServer, tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("http://a.kr/\nhttp://a.kr/2\nhttp://a.kr/3\n")
    server.pages["a.kr", "/"] = html("가", KOREAN)
    process = start(server, tmp_path, "urls.txt", "-o", "out.csv", FRONTIER_DELAY=20)
    server.wait(1, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "seeds are left; run the same command again" in errors
    assert "Traceback" not in errors


def test_identify_by_page_is_one_crawl_of_all_workers_and_gives_each_all_answers(
    server: WebServer, redis_of_crawls: RedisServer, tmp_path: Path
) -> None:
    serve(server)
    more = [f"http://h{number}.kr/" for number in range(12)]
    server.pages |= {(f"h{number}.kr", "/"): html("가", KOREAN) for number in range(12)}
    (tmp_path / "urls.txt").write_text("\n".join([*SEEDS, *more]))
    shared = {"REDIS_URL": redis_of_crawls.url, "FRONTIER_CRAWL": "seeds-of-two", "FRONTIER_DELAY": 0.05}
    # a job of their own, as on two machines: answers reach the other through Redis only
    workers = [
        start(server, tmp_path, "urls.txt", "-o", f"{name}.csv", "--dead", f"{name}-dead.csv", "--job", name, **shared)
        for name in ("one", "two")
    ]
    for worker in workers:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors
    one, two = (rows(tmp_path / f"{name}.csv") for name in ("one", "two"))
    assert one == two
    assert list(one) == [*SEEDS, *more]
    assert {one[url]["language"] for url in more} == {"ko"}
    assert one["http://closed.kr/x"]["status"] == "robots.txt"
    assert len(rows(tmp_path / "two-dead.csv")) == 3
    assert set(Counter(server.paths()).values()) == {1}
