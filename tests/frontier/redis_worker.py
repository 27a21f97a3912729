"""A worker process on a made-up web: lease, "fetch", write the row, commit. Run: redis_worker.py URL CRAWL NAME FOLDER LEASE."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TextIO

import redis

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from crawler_project.core.errors import ConfigurationError  # noqa: E402
from crawler_project.core.values import Entry, Outcome  # noqa: E402
from crawler_project.frontier.redis_frontier import RedisFrontier  # noqa: E402
from crawler_project.frontier.redis_scripts import RedisAwayError  # noqa: E402

PAGES, HOSTS = 600, 40
DELAY = 0.02


def url_of(number: int) -> Entry:
    host = f"h{number % HOSTS}.test"
    return Entry(f"https://{host}/{number}", host, number % 3, why="link")


def links_of(url: str) -> list[Entry]:
    """A binary tree, so that every page is found, and five links across."""
    number = int(url.rpartition("/")[2])
    targets = [2 * number + 1, 2 * number + 2, *((number * 7 + step * 31) % PAGES for step in range(5))]
    return [url_of(target) for target in targets if target < PAGES]


def open_frontier(url: str, crawl: str, name: str, lease: float = 30.0) -> RedisFrontier:
    client = redis.Redis.from_url(url)
    return RedisFrontier(
        client, crawl, identity={}, worker=name, delay=DELAY, lease_seconds=lease, max_expired=1000, max_attempts=1
    )


def main() -> None:
    url, crawl, name, folder, lease = sys.argv[1:]
    rows = (Path(folder) / f"{name}.rows").open("a")
    while True:
        try:
            work(open_frontier(url, crawl, name, float(lease)), rows)
            return
        except (RedisAwayError, ConfigurationError):  # the server is being started again
            time.sleep(0.02)


def work(frontier: RedisFrontier, rows: TextIO) -> None:
    while not frontier.is_finished():
        leases = frontier.lease(2, time.time())
        for lease in leases:
            frontier.renew(leases, time.time())
            rows.write(f"start {lease.entry.url} {time.time()!r}\n")
            rows.flush()
            links = links_of(lease.entry.url)
            end = time.time()
            rows.write(f"row {lease.entry.url} {end!r}\n")
            rows.flush()
            frontier.commit(lease, Outcome("page", is_target=True, entries=links), time.time())
        if not leases:
            time.sleep(min(frontier.next_ready(time.time()) or 0.01, 0.05))


if __name__ == "__main__":
    main()
