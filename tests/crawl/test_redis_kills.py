"""SIGKILL of workers and of redis-server at any moment: every page in the export exactly once."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_sigkill import linked_web
from web_of_test import Crawl, WebServer
from workers_of_test import RedisServer, Workers

KILLS = int(os.environ.get("CRAWL_KILLS", "3"))
"""100 for the full show: ``CRAWL_KILLS=100 CRAWL_REDIS_KILLS=10 pytest tests/crawl/test_redis_kills.py``."""
REDIS_KILLS = int(os.environ.get("CRAWL_REDIS_KILLS", "1"))
HOSTS = 40


@pytest.fixture
def killed(crawl: Crawl, tmp_path: Path) -> Iterator[Workers]:
    """Workers of a crawl whose Redis is theirs alone."""
    (tmp_path / "redis").mkdir()
    with RedisServer(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "everysec") as redis:
        made = Workers(crawl, redis, "killed")
        yield made
        made.stop()


def pages_of(hosts: int, pages: int) -> set[str]:
    return {f"http://h{host}.example.org/{page}" for host in range(hosts) for page in range(pages)}


def check(workers: Workers, pages: int) -> None:
    rows = workers.export()
    urls = [row["url"] for row in rows]
    assert len(urls) == len(set(urls))
    assert set(urls) == pages_of(HOSTS, pages)
    assert [int(row["position"]) for row in rows] == list(range(1, len(rows) + 1))


def seed(workers: Workers) -> None:
    workers.crawl.seeds.write_text("\n".join(f"http://h{host}.example.org/0" for host in range(HOSTS)))


def test_no_page_is_lost_or_twice_when_workers_are_killed(server: WebServer, killed: Workers) -> None:
    rng = random.Random(KILLS)
    pages = 5 * KILLS
    total = linked_web(server, HOSTS, pages)
    seed(killed)
    settings = {"ROBOTSTXT_OBEY": 0, "FRONTIER_LEASE": 3, "FRONTIER_DELAY": 0.02}
    killed.start(4, **settings)
    for kill in range(KILLS):
        enough = (kill + 1) * total // (KILLS + 2)
        killed.until(lambda enough=enough: len(server.requests) >= enough, timeout=120)
        victim = killed.processes.pop(rng.randrange(4))
        victim.kill()
        victim.communicate()
        killed.start(1, **settings)
    killed.finish(timeout=300)
    check(killed, pages)


def test_no_page_is_lost_or_twice_when_redis_is_killed(server: WebServer, killed: Workers) -> None:
    pages = 10 * (REDIS_KILLS + 1)
    total = linked_web(server, HOSTS, pages)
    seed(killed)
    killed.start(3, ROBOTSTXT_OBEY=0, FRONTIER_LEASE=4, FRONTIER_DELAY=0.1)
    for kill in range(REDIS_KILLS):
        enough = (kill + 1) * total // (REDIS_KILLS + 2)
        killed.until(lambda enough=enough: len(server.requests) >= enough, timeout=120)
        killed.redis.kill()
        killed.redis.start()
    printed = killed.finish(timeout=300)
    check(killed, pages)
    assert all("The crawl waits" not in text or "The frontier is back" in text for text in printed)


def test_worker_that_stood_still_for_longer_than_its_lease_does_no_harm(server: WebServer, killed: Workers) -> None:
    total = linked_web(server, HOSTS, 10)
    seed(killed)
    killed.start(2, ROBOTSTXT_OBEY=0, FRONTIER_LEASE=1, FRONTIER_DELAY=0.1)
    killed.until(lambda: len(server.requests) > total // 4)
    killed.processes[0].send_signal(signal.SIGSTOP)
    stopped = killed.processes.pop(0)
    killed.finish()
    assert len(killed.export()) == total
    stopped.send_signal(signal.SIGCONT)
    killed.processes.append(stopped)
    killed.finish()
    check(killed, 10)
