"""Politeness as the server sees it: per host no two requests overlap, and no gap is below the delay."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict

from aiohttp import web
from web_of_test import KOREAN, Crawl, Served, WebServer, html


def by_host(server: WebServer) -> dict[str, list[Served]]:
    found: dict[str, list[Served]] = defaultdict(list)
    for served in server.requests:
        found[served.host].append(served)
    return {host: sorted(requests, key=lambda served: served.start) for host, requests in found.items()}


def least_gap(requests: list[Served]) -> float:
    """Seconds between the end of one answer and the start of the next request; negative when they overlap."""
    return min((later.start - earlier.end for earlier, later in itertools.pairwise(requests)), default=float("inf"))


def test_crawl_of_fifty_hosts_keeps_the_delay(server: WebServer, crawl: Crawl) -> None:
    async def slow(request: web.Request) -> web.Response:
        await asyncio.sleep(0.02)
        return web.Response(text=html("문서", KOREAN), content_type="text/html")

    hosts = [f"h{number}.example.kr" for number in range(50)]
    pages = range(4)
    server.pages = {(host, f"/{page}"): slow for host in hosts for page in pages}
    seeds = [f"http://{host}/{page}" for page in pages for host in hosts]
    crawl.run(seeds=seeds, FRONTIER_DELAY=0.3)
    assert len(crawl.rows()) == 200
    gaps = {host: least_gap(requests) for host, requests in by_host(server).items()}
    assert len(gaps) == 50
    assert min(gaps.values()) >= 0.3


def test_crawl_delay_of_robots_is_kept(server: WebServer, crawl: Crawl) -> None:
    server.pages = {("a.example.kr", f"/{page}"): html("문서", KOREAN) for page in range(3)}
    server.pages["a.example.kr", "/robots.txt"] = "User-agent: *\nCrawl-delay: 0.5\n"
    crawl.run(seeds=[f"http://a.example.kr/{page}" for page in range(3)])
    requests = by_host(server)["a.example.kr"]
    assert len(requests) == 4
    assert least_gap(requests) >= 0.5
