"""Redis away, full or damaged in the middle of a crawl: workers wait or stop, say so, and lose nothing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_sigkill import linked_web
from web_of_test import Crawl, WebServer
from workers_of_test import RedisServer, Workers

AWAY = float(os.environ.get("CRAWL_REDIS_AWAY", "1.5"))
"""Seconds; 30 for the full show."""
HOSTS, PAGES = 20, 8
SETTINGS = {"ROBOTSTXT_OBEY": 0, "FRONTIER_LEASE": 6, "FRONTIER_DELAY": 0.1}


@pytest.fixture
def troubled(server: WebServer, crawl: Crawl, tmp_path: Path) -> Iterator[Workers]:
    """Workers of a crawl whose Redis is theirs alone."""
    (tmp_path / "redis").mkdir()
    linked_web(server, HOSTS, PAGES)
    crawl.seeds.write_text("\n".join(f"http://h{host}.example.org/0" for host in range(HOSTS)))
    with RedisServer(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always") as redis:
        made = Workers(crawl, redis, "troubled")
        yield made
        made.stop()


def some_pages(server: WebServer) -> bool:
    return len(server.requests) > HOSTS * PAGES // 4


def test_workers_wait_while_redis_is_stopped_and_go_on(server: WebServer, troubled: Workers) -> None:
    troubled.start(2, **SETTINGS)
    troubled.until(lambda: some_pages(server) and troubled.have_begun())
    troubled.redis.stop()
    time.sleep(AWAY)
    troubled.redis.start()
    for printed in troubled.finish():
        assert printed.count("The crawl waits") == 1
        assert printed.count("The frontier is back") == 1
    assert len(troubled.export()) == HOSTS * PAGES


def test_ctrl_c_ends_a_worker_that_waits_for_redis(server: WebServer, troubled: Workers) -> None:
    troubled.start(1, **SETTINGS)
    troubled.until(lambda: some_pages(server))
    troubled.redis.stop()
    time.sleep(0.5)
    start = time.monotonic()
    troubled.processes[0].send_signal(signal.SIGINT)
    assert "Crawl ended (shutdown)" in troubled.finish(timeout=60)[0]
    assert time.monotonic() - start < 20  # not the minutes that a wait may take
    troubled.redis.start()
    troubled.run(1, **SETTINGS)
    assert len(troubled.export()) == HOSTS * PAGES


def test_full_redis_is_waited_for(server: WebServer, troubled: Workers) -> None:
    troubled.start(2, **SETTINGS)
    troubled.until(lambda: some_pages(server))
    with troubled.redis.client() as client:
        client.config_set("maxmemory", "1mb")
        time.sleep(1)
        asked = len(server.requests)
        time.sleep(1)
        assert len(server.requests) <= asked + 2 * HOSTS  # what was under way
        client.config_set("maxmemory", 0)
    printed = troubled.finish()
    assert any("Redis is full: raise its maxmemory" in text for text in printed)
    assert len(troubled.export()) == HOSTS * PAGES


def test_key_of_the_wrong_type_stops_the_crawl_in_one_line(server: WebServer, troubled: Workers) -> None:
    troubled.start(1, **SETTINGS)
    troubled.until(lambda: some_pages(server))
    with troubled.redis.client() as client:
        (meta,) = troubled.keys(":m")
        client.set(meta.removesuffix(b"m") + b"ready", "not a sorted set")
        printed = troubled.finish(code=1)[0]
        assert printed.count("The crawl stops") == 1
        assert "Crawl ended (frontier damaged)" in printed
        assert "WRONGTYPE" in printed
