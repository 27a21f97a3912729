"""Politeness of all workers together, as the server sees it."""

from __future__ import annotations

import asyncio
import os

from aiohttp import web
from web_of_test import KOREAN, WebServer, html
from workers_of_test import Workers, gaps_of, redis_of_crawls, workers

__all__ = ["redis_of_crawls", "workers"]

WORKERS = int(os.environ.get("CRAWL_WORKERS", "3"))
"""The full show: ``CRAWL_WORKERS=8 CRAWL_HOSTS=400 CRAWL_DELAY=1 pytest tests/crawl/test_redis_politeness.py``."""
HOSTS = int(os.environ.get("CRAWL_HOSTS", "40"))
DELAY = float(os.environ.get("CRAWL_DELAY", "0.2"))


async def slow(request: web.Request) -> web.Response:
    await asyncio.sleep(0.02)
    return web.Response(text=html("문서", KOREAN), content_type="text/html")


def check(server: WebServer, workers: Workers, hosts: int, pages: int) -> None:
    """No overlap, and no gap below the delay, robots.txt included."""
    addresses = [(f"h{host}.example.kr", f"/{page}") for page in range(pages) for host in range(hosts)]
    server.pages = dict.fromkeys(addresses, slow)
    seeds = [f"http://{host}{path}" for host, path in addresses]
    workers.run(WORKERS, seeds=seeds, FRONTIER_DELAY=DELAY)
    assert len(workers.export()) == hosts * pages
    gaps = gaps_of(server)
    assert len(gaps) == hosts * pages
    assert min(gaps) >= DELAY, [gap for gap in gaps if gap < DELAY]


def test_many_hosts(server: WebServer, workers: Workers) -> None:
    check(server, workers, HOSTS, pages=3)


def test_one_host(server: WebServer, workers: Workers) -> None:
    check(server, workers, 1, pages=10)


def test_hosts_of_a_domain_share_one_delay(server: WebServer, workers: Workers) -> None:
    addresses = [(f"h{host}.d{host % 3}.kr", f"/{page}") for host in range(9) for page in range(2)]
    server.pages = dict.fromkeys(addresses, slow)
    seeds = [f"http://{host}{path}" for host, path in addresses]
    workers.run(WORKERS, seeds=seeds, FRONTIER_DELAY=DELAY, FRONTIER_LIMIT_BY="domain")
    assert len(workers.export()) == len(addresses)
    gaps = gaps_of(server, lambda host: ".".join(host.split(".")[-2:]))
    assert len(gaps) == len(addresses) + 9 - 3
    assert min(gaps) >= DELAY


def test_hosts_of_an_address_share_one_delay(server: WebServer, workers: Workers) -> None:
    addresses = [(f"h{host}.example.kr", "/") for host in range(8)]
    server.pages = dict.fromkeys(addresses, slow)
    workers.run(WORKERS, seeds=[f"http://{host}/" for host, _ in addresses], FRONTIER_DELAY=0.1, FRONTIER_LIMIT_BY="ip")
    assert len(workers.export()) == len(addresses)
    assert min(gaps_of(server, lambda host: "one")) >= 0.1


def test_worker_with_another_limit_is_refused(server: WebServer, workers: Workers) -> None:
    server.pages = {("h0.example.kr", "/"): slow}
    workers.run(1, seeds=["http://h0.example.kr/"], FRONTIER_DELAY=0)
    refused = workers.crawl.start(**{**workers.settings, "FRONTIER_LIMIT_BY": "ip"})
    printed, _ = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert "limit_by" in printed
    assert "Traceback" not in printed
