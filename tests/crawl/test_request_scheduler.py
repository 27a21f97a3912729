"""Spiders of scrapy-redis users on our scheduler: nothing lost, polite together, requests as they were."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from foreign_crawl import ForeignCrawl, foreign, redis_of_crawls
from test_sigkill import linked_web
from web_of_test import MANY, WebServer, html
from workers_of_test import gaps_of

__all__ = ["foreign", "redis_of_crawls"]

KILLS = int(os.environ.get("CRAWL_FOREIGN_KILLS", "1"))
"""20 for the full show."""
HOSTS, PAGES = 12, 6
SEEDS = [f"http://h{host}.example.org/0" for host in range(HOSTS)]
ALL = {f"http://h{host}.example.org/{page}" for host in range(HOSTS) for page in range(PAGES)}
QUEUE = {
    "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
    "SCHEDULER_QUEUE_CLASS": "crawler_project.own_spiders.request_queue.LeaseQueue",
    "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
}


@pytest.mark.parametrize("settings", [{}, QUEUE], ids=["scheduler", "queue class"])
def test_killed_worker_loses_nothing_and_all_are_polite_together(
    server: WebServer, foreign: ForeignCrawl, settings: dict[str, Any]
) -> None:
    pages = PAGES * KILLS
    linked_web(server, HOSTS, pages)
    foreign.start("foreign", *SEEDS, FRONTIER_LEASE=2, FRONTIER_DELAY=0.2, **settings)
    foreign.until(lambda: len(server.requests) > 5)
    foreign.start("foreign", FRONTIER_LEASE=2, FRONTIER_DELAY=0.2, **settings)
    for kill in range(KILLS):
        enough = HOSTS * pages * (kill + 1) // (KILLS + 1)
        foreign.until(lambda enough=enough: len(server.requests) > enough)
        victim = foreign.processes.pop(random.Random(kill).randrange(2))
        victim.kill()
        victim.communicate()
        if kill + 1 < KILLS:
            foreign.start("foreign", FRONTIER_LEASE=2, FRONTIER_DELAY=0.2, **settings)
    printed = foreign.finish()[0]
    assert "'finish_reason': 'finished'" in printed
    assert foreign.urls() == {f"http://h{host}.example.org/{page}" for host in range(HOSTS) for page in range(pages)}
    assert min(gaps_of(server)) >= 0.2
    assert foreign.redis.client().keys("*foreign*") == []  # SCHEDULER_PERSIST is off, and this was the last worker


@pytest.mark.parametrize(
    ("persist", "endings"),
    # It notices when it renews the lease or when it commits the page, whichever comes first.
    [(0, ["The crawl was removed meanwhile"]), (1, ["frontier/lost_lease_count", "frontier/late_commit_count"])],
)
def test_worker_that_stood_still_for_longer_than_its_lease_does_no_harm(
    server: WebServer, foreign: ForeignCrawl, persist: int, endings: list[str]
) -> None:
    linked_web(server, HOSTS, PAGES)
    settings = {"FRONTIER_LEASE": 1, "FRONTIER_DELAY": 0.2, "SCHEDULER_PERSIST": persist}
    server.held_after = len(ALL) // 2
    foreign.start("foreign", *SEEDS, **settings)
    foreign.until(lambda: len(server.requests) >= server.held_after and server.held > 0)  # it holds a lease
    stopped = foreign.processes.pop(0)
    stopped.send_signal(signal.SIGSTOP)
    server.held_after = MANY
    foreign.start("foreign", **settings)
    foreign.finish()
    assert foreign.urls() == ALL
    stopped.send_signal(signal.SIGCONT)
    foreign.processes.append(stopped)
    (printed,) = foreign.finish()
    assert any(ending in printed for ending in endings), printed
    assert foreign.urls() == ALL
    assert len(foreign.redis.client().keys("*foreign*:m")) == persist


def test_hosts_of_one_domain_share_a_budget_when_that_is_asked_for(server: WebServer, foreign: ForeignCrawl) -> None:
    linked_web(server, 4, 3)
    for seeds in (SEEDS[:4], []):
        foreign.start("foreign", *seeds, FRONTIER_DELAY=0.1, FRONTIER_LIMIT_BY="domain")
    foreign.finish()
    assert len(foreign.urls()) == 12
    served = sorted(server.requests, key=lambda request: request.start)
    assert min(later.start - earlier.end for earlier, later in pairwise(served)) >= 0.1


def test_requests_keep_what_they_bring_along(server: WebServer, foreign: ForeignCrawl) -> None:
    server.pages = {
        ("a.example.org", "/"): html("start", "text", ("/x", "x"), ("http://b.example.org/yy", "y")),
        ("a.example.org", "/x"): html("x", "text"),
        ("b.example.org", "/yy"): html("y", "text"),
    }
    foreign.start("foreign", "http://a.example.org/")
    foreign.finish()
    assert sorted(foreign.rows(), key=lambda row: row["url"]) == [
        {"url": "http://a.example.org/", "note": "start", "meta": None, "method": "GET"},
        {"url": "http://a.example.org/x", "note": "link", "meta": [1, "/x"], "method": "GET"},
        {"url": "http://b.example.org/yy", "note": "link", "meta": [1, "http://b.example.org/yy"], "method": "GET"},
    ]


def odd_web(server: WebServer) -> None:
    from aiohttp import web

    async def moved(request: Any) -> Any:
        return web.Response(status=302, headers={"Location": "http://b.example.org/target"})

    for path in ("/", "/same", "/raises", "/local", "/object"):
        server.pages["a.example.org", path] = html("page", "text")
    server.pages["a.example.org", "/moved"] = moved
    server.pages["b.example.org", "/target"] = html("page", "text", ("/broken", "nothing there"))


def test_requests_to_one_address_are_told_apart_and_failures_are_kept(server: WebServer, foreign: ForeignCrawl) -> None:
    odd_web(server)
    foreign.start("odd", "http://a.example.org/", SCHEDULER_PERSIST=1)
    printed, _ = foreign.processes.pop().communicate(timeout=60)
    notes = Counter(row["note"] for row in foreign.rows())
    wanted = ("get", "not filtered", "post 1", "post 2", "json", "moved")
    assert {note: notes[note] for note in wanted} == dict.fromkeys(wanted, 1)
    assert notes["get again"] == 0
    assert "'frontier/refused_request_count': 2" in printed
    assert "/local> is not queued: Function" in printed
    assert "/object> is not queued: meta.object is a" in printed
    assert "'frontier/dead_count': 1" in printed
    dead = foreign.operate("dead", "--crawl", "odd")
    assert dead.strip() == "http://a.example.org/raises\tcallback error: RuntimeError"
    assert [served for served in server.requests if served.path in ("/local", "/object")] == []


def test_errback_settles_a_request_and_a_host_without_answer_is_dead(server: WebServer, foreign: ForeignCrawl) -> None:
    from aiohttp import web

    async def cut(request: Any) -> Any:
        request.transport.close()
        return web.Response()

    server.pages["a.example.org", "/"] = html("start", "text", ("/broken", "x"), ("/silent", "y"))
    server.pages["a.example.org", "/broken"] = cut
    server.pages["a.example.org", "/silent"] = cut
    foreign.start("foreign", "http://a.example.org/", SCHEDULER_PERSIST=1)
    foreign.processes.pop().communicate(timeout=60)
    assert Counter(row["note"] for row in foreign.rows()) == {"start": 1, "errback": 1}
    asked = Counter(server.paths())
    # RETRY_TIMES is 1; the client itself may try once more on a connection that it has used before
    assert all(2 <= asked[f"a.example.org/{path}"] <= 3 for path in ("broken", "silent"))
    dead = foreign.operate("dead", "--crawl", "foreign").splitlines()
    assert [line.partition("\t")[2] for line in dead] == ["no response"]
    assert dead[0].startswith("http://a.example.org/silent")


def test_start_urls_of_a_redis_spider_are_shared(server: WebServer, foreign: ForeignCrawl) -> None:
    linked_web(server, HOSTS, PAGES)
    foreign.redis.client().rpush("foreign_redis:start_urls", *SEEDS)
    for _ in range(2):
        foreign.start("foreign_redis", MAX_IDLE_TIME_BEFORE_CLOSE=3)
    foreign.finish()
    assert foreign.urls() == ALL


def test_queue_is_kept_or_removed_as_the_settings_of_scrapy_redis_say(server: WebServer, foreign: ForeignCrawl) -> None:
    linked_web(server, 3, 4)
    foreign.start("foreign", SEEDS[0], SCHEDULER_PERSIST=1)
    foreign.finish()
    assert "seen     13" in foreign.operate("status", "--crawl", "foreign", "--seconds", "0")  # 12, and the start URL
    asked = len(server.requests)
    foreign.start("foreign", SEEDS[0], SCHEDULER_PERSIST=1)
    foreign.finish()
    assert len(server.requests) == asked + 1  # a start URL is never filtered, what it leads to is
    foreign.start("foreign", SEEDS[0], SCHEDULER_FLUSH_ON_START=1)
    foreign.finish()
    assert len(server.requests) == 2 * asked + 1
    assert foreign.redis.client().keys("*foreign*") == []


def test_ctrl_c_gives_back_what_is_not_done(server: WebServer, foreign: ForeignCrawl) -> None:
    linked_web(server, HOSTS, PAGES)
    foreign.start("foreign", *SEEDS, SCHEDULER_PERSIST=1, FRONTIER_DELAY=0.1)
    foreign.until(lambda: len(server.requests) > 20)
    foreign.processes[0].terminate()
    assert "'finish_reason': 'shutdown'" in foreign.finish()[0]
    assert "leased   0" in foreign.operate("status", "--crawl", "foreign", "--seconds", "0")
    foreign.start("foreign", SCHEDULER_PERSIST=1)
    assert "Resuming crawl (" in foreign.finish()[0]
    assert foreign.urls() == ALL


def test_worker_waits_while_redis_is_away(server: WebServer, foreign: ForeignCrawl, tmp_path: Any) -> None:
    from workers_of_test import RedisServer

    linked_web(server, HOSTS, PAGES)
    (tmp_path / "redis").mkdir()
    with RedisServer(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "always") as redis:
        foreign.redis = redis
        foreign.start("foreign", *SEEDS, FRONTIER_DELAY=0.1)
        foreign.until(lambda: len(server.requests) > 20)
        redis.kill()
        time.sleep(1)  # so long that nobody misses it
        redis.start()
        assert "The frontier is back" in foreign.finish()[0]
    assert foreign.urls() == ALL


def test_damaged_crawl_and_redis_that_is_not_there_are_said_with_an_exit_code(
    server: WebServer, foreign: ForeignCrawl
) -> None:
    linked_web(server, HOSTS, PAGES)
    foreign.start("foreign", *SEEDS, FRONTIER_DELAY=0.2)
    foreign.until(lambda: len(server.requests) > 20)
    client = foreign.redis.client()
    for key in client.keys("*foreign*:ready") + client.keys("*foreign*:rest"):
        client.delete(key)
        client.set(key, "garbage")
    assert "WRONGTYPE" in foreign.finish(code=1)[0]
    foreign.start("foreign", REDIS_URL="redis://127.0.0.1:1/0")
    printed, _ = foreign.processes[-1].communicate(timeout=60)
    assert foreign.processes.pop().returncode == 1
    assert "Redis at 127.0.0.1:1: Redis does not answer" in printed


def test_stored_request_of_a_callback_that_is_gone_is_dead_and_no_end_of_the_crawl(
    server: WebServer, foreign: ForeignCrawl
) -> None:
    from crawler_project.core.values import Entry
    from crawler_project.frontier.redis_frontier import RedisFrontier

    server.pages["a.example.org", "/"] = html("start", "text")
    frontier = RedisFrontier(
        foreign.redis.client(), "foreign", identity={"spider": "foreign", "holds": "requests"}, max_attempts=1
    )
    hostile = ['{"callback":"renamed_since"}', '{"_class":"subprocess.Popen","args":["true"]}', "cposix\nabort\n(tR."]
    frontier.add([Entry(f"http://b.example.org/{n}", "b.example.org", evidence=text) for n, text in enumerate(hostile)])
    frontier.close()
    foreign.start("foreign", "http://a.example.org/", SCHEDULER_PERSIST=1)
    printed, _ = foreign.processes.pop().communicate(timeout=60)
    assert "'finish_reason': 'finished'" in printed
    assert "Traceback" not in printed
    assert len(foreign.operate("dead", "--crawl", "foreign").splitlines()) == 3
    assert server.paths() == ["a.example.org/"]
