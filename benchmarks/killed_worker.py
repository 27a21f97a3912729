"""Two workers of one spider, one killed in the middle: what is lost, and how politely both asked.

    python benchmarks/killed_worker.py [--hosts 20] [--pages 10] [--delay 0.3] [--rounds 3]

The spider is that of tests/crawl/foreign_spiders.py, unchanged, on scrapy-redis, on scrapy-redis with LeaseQueue and on
RequestScheduler. A gap is the time from the end of an answer to the next request on its host, as the server saw it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "crawl"), str(ROOT / "tests" / "frontier")]

from foreign_crawl import ForeignCrawl
from test_request_scheduler import QUEUE
from test_sigkill import linked_web
from web_of_test import WebServer
from workers_of_test import RedisServer, gaps_of

THEIRS = {
    "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
    "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
    "SCHEDULER_PERSIST": 1,  # without it, the worker that ends first empties the queue of the other
    "RANDOMIZE_DOWNLOAD_DELAY": 0,
}
KINDS: dict[str, dict[str, Any]] = {"scrapy-redis": THEIRS, "LeaseQueue": {**THEIRS, **QUEUE}, "RequestScheduler": {}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--delay", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for kind, settings in KINDS.items():
        for _ in range(options.rounds):
            print(f"{kind:<18}{measured(settings, options)}", flush=True)


def measured(settings: dict[str, Any], options: argparse.Namespace) -> str:
    with tempfile.TemporaryDirectory() as name, RedisServer(Path(name), "--appendonly", "yes") as redis:
        server = WebServer()
        server.start()
        total = linked_web(server, options.hosts, options.pages)
        crawl = ForeignCrawl(server, Path(name), redis)
        try:
            run(crawl, server, total, {**settings, "DOWNLOAD_DELAY": options.delay, "FRONTIER_LEASE": 3}, options.hosts)
        finally:
            crawl.stop()
            server.stop()
        gaps = gaps_of(server)
        early = sum(gap < options.delay for gap in gaps)
        missing = total - len(crawl.urls())
        return f"{missing:>4} of {total} pages missing, {early:>4} of {len(gaps)} gaps too short, the least {min(gaps):.3f} s"


def run(crawl: ForeignCrawl, server: WebServer, total: int, settings: dict[str, Any], hosts: int) -> None:
    crawl.start("foreign", *(f"http://h{host}.example.org/0" for host in range(hosts)), **settings)
    crawl.until(lambda: len(server.requests) > 5)
    crawl.start("foreign", **settings)
    crawl.until(lambda: len(server.requests) > total // 2 or crawl.processes[0].poll() is not None)
    victim = crawl.processes.pop(0)
    victim.kill()
    victim.communicate()
    for process in crawl.processes:
        process.communicate(timeout=300)
    crawl.processes.clear()
    crawl.start("foreign", **settings)  # whatever was left
    crawl.processes[0].communicate(timeout=300)


if __name__ == "__main__":
    main()
