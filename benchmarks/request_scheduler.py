"""One spider of somebody else's, unchanged, on scrapy-redis and on RequestScheduler: CPU, Redis, bytes a request.

    python benchmarks/request_scheduler.py [--pages 1500] [--hosts 300] [--requests 100000]

The web is that of worker_scaling.py (30 KB pages, 60 links), the spider that of plain_scrapy.py: a CrawlSpider with one rule.
All runs are on one redis-server with an append-only file, one after another, with one worker and no delay.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import redis
from crawl_cost import ROOT, SEED, serve, write_collection
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.request import RequestFingerprinter
from worker_scaling import Run, measure, start_redis

sys.path.insert(0, str(ROOT))

from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.own_spiders.stored_requests import StoredRequests

KINDS = {"scrapy-redis": (), "LeaseQueue": ("queue",), "RequestScheduler": ("ours",)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--hosts", type=int, default=300)
    parser.add_argument("--requests", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, port = serve(write_collection(folder, arguments.pages, arguments.hosts))
        database, url = start_redis(folder)
        try:
            for kind, options in KINDS.items():
                run, trips = crawl(folder / f"{kind}.jsonl", port, url, options)
                show(kind, run, trips)
            show_bytes(url, arguments.requests)
        finally:
            for process in (server, database):
                process.terminate()
                process.wait()


def crawl(output: Path, port: str, url: str, options: tuple[str, ...]) -> tuple[Run, int]:
    """Crawl the whole web with one worker; also how often Redis was asked."""
    command = [sys.executable, str(ROOT / "benchmarks" / "plain_scrapy.py"), port, SEED, str(output), url, *options]
    before = read_count(url)
    run = measure([command], url, lambda: sum(1 for _ in output.open()))
    return run, read_count(url) - before


def read_count(url: str) -> int:
    """How often Redis has read from its clients: round trips."""
    with redis.Redis.from_url(url) as client:
        info: Any = client.info("stats")
        return int(info["total_reads_processed"])


def show(kind: str, run: Run, trips: int) -> None:
    print(
        f"{kind:<18}{run.pages:>7} pages {run.pages / run.seconds:>7.1f} pages/s {1000 * run.worker_cpu / run.pages:>7.2f} CPU s/1,000 pages "
        f"{1e6 * run.redis_cpu / run.pages:>7.0f} us of Redis a page {trips / run.pages:>7.1f} round trips a page",
        flush=True,
    )


def show_bytes(url: str, count: int) -> None:
    """Memory of Redis for each queued request, seen-set included."""
    requests = [
        Request(f"http://h{n % 2000}.example.kr/articles/{n // 2000}/page-{n}.html", headers={"Referer": f"http://h{n // 60}.example.kr/list/"},
                meta={"depth": 3, "rule": 0, "link_text": "next page"})
        for n in range(count)
    ]  # fmt: skip
    for kind, put in (("scrapy-redis", put_theirs), ("RequestScheduler", put_ours)):
        with redis.Redis.from_url(url) as client:
            client.flushall()
            before = used(client)
            put(client, requests)
            print(f"{kind:<18}{(used(client) - before) / count:>7.1f} bytes a queued request")


def put_theirs(client: redis.Redis, requests: list[Request]) -> None:
    from scrapy_redis.dupefilter import RFPDupeFilter
    from scrapy_redis.queue import PriorityQueue

    spider = Spider(name="plain")
    queue, seen = PriorityQueue(client, spider, "plain:requests"), RFPDupeFilter(client, "plain:dupefilter")
    for request in requests:
        seen.request_seen(request)
        queue.push(request)


def put_ours(client: redis.Redis, requests: list[Request]) -> None:
    crawler = Crawler(Spider)
    crawler.request_fingerprinter = RequestFingerprinter(crawler)
    stored = StoredRequests(crawler, Spider(name="plain"))
    frontier = RedisFrontier(client, "plain", identity={}, best_priority=float("inf"))
    for start in range(0, len(requests), 60):
        frontier.add([stored.entry_of(request) for request in requests[start : start + 60]])


def used(client: redis.Redis) -> int:
    info: Any = client.info("memory")
    return int(info["used_memory"])


if __name__ == "__main__":
    main()
