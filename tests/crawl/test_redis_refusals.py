"""A worker that cannot or must not join is told why in one line, before the first fetch."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_of_test import KOREAN, Crawl, WebServer, html
from workers_of_test import RedisServer, Workers, redis_of_crawls, workers

__all__ = ["redis_of_crawls", "workers"]


@pytest.fixture(autouse=True)
def one_page(server: WebServer, crawl: Crawl) -> None:
    server.pages["a.example.kr", "/"] = html("문서", KOREAN)
    crawl.seeds.write_text("http://a.example.kr/\n", encoding="utf-8")


def refused(crawl: Crawl, *arguments: str, **settings: Any) -> str:
    """The one line of a crawl that did not start."""
    process = crawl.start(*arguments, **settings)
    printed = process.communicate(timeout=60)[0]
    assert process.returncode == 2, printed
    lines = printed.strip().splitlines()
    assert len(lines) == 1, printed
    return lines[0]


@pytest.fixture
def old_server() -> Iterator[str]:
    """Answers like a Redis before 6.0; its URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while line := self.rfile.readline():
                for _ in range(2 * int(line[1:])):
                    self.rfile.readline()
                self.wfile.write(b"-ERR unknown command 'HELLO'\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        yield f"redis://127.0.0.1:{listener.server_address[1]}/0"
        listener.shutdown()


def test_nobody_at_the_address(crawl: Crawl) -> None:
    assert "Redis at 127.0.0.1:1: Redis does not answer" in refused(crawl, REDIS_URL="redis://127.0.0.1:1/0")


def test_address_that_is_none(crawl: Crawl) -> None:
    assert "REDIS_URL" in refused(crawl, REDIS_URL="127.0.0.1:6379")


def test_wrong_password_is_told_without_the_password(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    line = refused(crawl, REDIS_URL=f"redis://:hunter2@127.0.0.1:{redis_of_crawls.port}/0")
    assert "refuses the user or password" in line
    assert "hunter2" not in line


def test_server_that_is_too_old(crawl: Crawl, old_server: str) -> None:
    assert "6.2 or newer is needed" in refused(crawl, REDIS_URL=old_server)


def test_server_that_evicts_keys(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    with redis_of_crawls.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "set maxmemory-policy noeviction" in refused(crawl, REDIS_URL=redis_of_crawls.url)
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_worker_of_another_strategy_or_layout(workers: Workers, crawl: Crawl) -> None:
    workers.run(1)
    line = refused(crawl, "-a", "strategy=control", **workers.settings)
    assert "strategy is 'Experimental()' there and 'Control()' here" in line
    with workers.redis.client() as client:
        (meta,) = workers.keys(":m")
        client.hset(meta, "layout", 99)
    assert "has layout 99" in refused(crawl, **workers.settings)


def test_folder_that_holds_another_crawl(workers: Workers, crawl: Crawl) -> None:
    workers.run(1)
    line = refused(crawl, **{**workers.settings, "FRONTIER_CRAWL": "another"})
    assert "holds a crawl already" in line


def test_kinds_of_frontier_and_what_does_not_go_together(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    assert "choose embedded or redis" in refused(crawl, FRONTIER="memory")
    assert "leave it out" in refused(crawl, REDIS_URL=redis_of_crawls.url, JOBDIR=crawl.folder / "job")
    assert "REDIS_URL" in refused(crawl, "-a", "crawl=mine")
    assert "crawl name" in refused(crawl, "-a", "crawl=a b", REDIS_URL=redis_of_crawls.url)


def test_embedded_is_chosen_although_there_is_a_redis(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    crawl.run(FRONTIER="embedded", REDIS_URL=redis_of_crawls.url)
    assert [path.name for path in crawl.output.glob("*.csv")] == ["crawled-ko.csv"]


def test_redis_by_name_reads_the_settings_of_scrapy_redis(
    crawl: Crawl, redis_of_crawls: RedisServer, tmp_path: Path
) -> None:
    parameters = json.dumps({"password": redis_of_crawls.password, "decode_responses": True})
    crawl.run("-a", "crawl=by-host", FRONTIER="redis", REDIS_HOST="127.0.0.1", REDIS_PORT=redis_of_crawls.port, REDIS_PARAMS=parameters)  # fmt: skip
    with redis_of_crawls.client() as client:
        assert list(client.scan_iter("*by-host*:m"))
