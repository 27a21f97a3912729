"""A worker that cannot or must not join is told why in one line, before the first fetch."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from web_of_test import KOREAN, Crawl, WebServer, html
from workers_of_test import RedisServer, Workers, redis_of_crawls, workers

import crawler_project.settings
from crawler_project.core.errors import CrawlerProjectError
from crawler_project.spiders.lang_focused import LangFocusedSpider

__all__ = ["redis_of_crawls", "workers"]


@pytest.fixture(autouse=True)
def one_page(server: WebServer, crawl: Crawl) -> None:
    server.pages["a.example.kr", "/"] = html("문서", KOREAN)
    crawl.seeds.write_text("http://a.example.kr/\n", encoding="utf-8")


def refused(of: Crawl, settings: dict[str, Any], **arguments: str) -> str:
    """What a worker is told that must not start; the command prints it in one line."""
    own = Settings()
    own.setmodule(crawler_project.settings)
    own.setdict({"CRAWLER_CONTACT": "tests@localhost", **settings})
    given = {"target": "ko", "seeds": str(of.seeds), "output": str(of.output), **arguments}
    with pytest.raises(CrawlerProjectError) as error:
        LangFocusedSpider.prepare(own, given)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_refusal_is_one_line_and_exit_code_2(crawl: Crawl) -> None:
    process = crawl.start(REDIS_URL="redis://127.0.0.1:1/0")
    printed = process.communicate(timeout=60)[0]
    assert process.returncode == 2, printed
    assert printed.startswith("scrapy crawl: Redis at 127.0.0.1:1: Redis does not answer")
    assert len(printed.strip().splitlines()) == 1


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


def test_address_that_is_none(crawl: Crawl) -> None:
    assert "REDIS_URL" in refused(crawl, {"REDIS_URL": "127.0.0.1:6379"})


def test_wrong_password_is_told_without_the_password(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    line = refused(crawl, {"REDIS_URL": f"redis://:hunter2@127.0.0.1:{redis_of_crawls.port}/0"})
    assert "refuses the user or password" in line
    assert "hunter2" not in line


def test_server_that_is_too_old(crawl: Crawl, old_server: str) -> None:
    assert "6.2 or newer is needed" in refused(crawl, {"REDIS_URL": old_server})


def test_server_that_evicts_keys(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    with redis_of_crawls.client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "set maxmemory-policy noeviction" in refused(crawl, {"REDIS_URL": redis_of_crawls.url})
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_worker_of_another_strategy_or_layout(workers: Workers, crawl: Crawl) -> None:
    workers.run(1)
    line = refused(crawl, workers.settings, strategy="control")
    assert "strategy is 'Experimental()' there and 'Control()' here" in line
    with workers.redis.client() as client:
        (meta,) = workers.keys(":m")
        client.hset(meta, "layout", 99)
    assert "has layout 99" in refused(crawl, workers.settings)


def test_folder_that_holds_another_crawl(workers: Workers, crawl: Crawl) -> None:
    workers.run(1)
    line = refused(crawl, {**workers.settings, "FRONTIER_CRAWL": "another"})
    assert "holds a crawl already" in line


def test_kinds_of_frontier_and_what_does_not_go_together(crawl: Crawl, redis_of_crawls: RedisServer) -> None:
    in_redis = {"REDIS_URL": redis_of_crawls.url}
    assert "choose embedded or redis" in refused(crawl, {"FRONTIER": "memory"})
    assert "leave it out" in refused(crawl, {**in_redis, "JOBDIR": str(crawl.folder / "job")})
    assert "REDIS_URL" in refused(crawl, {}, crawl="mine")
    assert "crawl name" in refused(crawl, in_redis, crawl="a b")
    assert "FRONTIER_LEASE" in refused(crawl, {**in_redis, "FRONTIER_LEASE": "soon"})


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
