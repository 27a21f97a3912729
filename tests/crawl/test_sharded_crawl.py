"""A crawl in shards by host, on the nodes of a cluster and on one Redis: one crawl, and operated as one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from test_sigkill import linked_web
from web_of_test import KOREAN, ROOT, Crawl, WebServer, html
from workers_of_test import RedisServer, Workers, gaps_of, redis_of_crawls

sys.path += [str(ROOT / "tests" / room) for room in ("frontier", "commands")]

from in_process import run_command
from redis_cluster_fixture import RedisCluster, redis_cluster

from crawler_project.commands.frontier import Command

__all__ = ["redis_cluster", "redis_of_crawls"]

HOSTS, PAGES = 12, 5
SEEDS = [f"http://h{host}.example.org/0" for host in range(HOSTS)]
NAME = "in-shards"
ON_CLUSTER = pytest.mark.parametrize("sharded", ["cluster"], indirect=True)
Operate = Callable[..., str]


@pytest.fixture(params=["one Redis", "cluster"])
def sharded(request: pytest.FixtureRequest, crawl: Crawl) -> Iterator[Workers]:
    """Workers of a crawl in three shards."""
    where: RedisServer | RedisCluster
    if request.param == "cluster":
        where = request.getfixturevalue("redis_cluster")
        where.flush()
        made = Workers(crawl, where.nodes[0], NAME)
    else:
        where = request.getfixturevalue("redis_of_crawls")
        where.client().flushall()
        made = Workers(crawl, where, NAME)
    yield made
    made.stop()


@pytest.fixture
def operate(sharded: Workers, capsys: pytest.CaptureFixture[str]) -> Operate:
    """Run ``scrapy frontier`` on the crawl; what it prints."""

    def run(*arguments: str, code: int = 0) -> str:
        options = ("--crawl", NAME, "--redis", sharded.redis.url, "--seconds", 0)
        assert run_command(Command(), *arguments, *options) == code
        printed = capsys.readouterr()
        return printed.out + printed.err

    return run


def test_each_page_is_stored_once_and_hosts_are_treated_politely(
    request: pytest.FixtureRequest, server: WebServer, sharded: Workers
) -> None:
    total = linked_web(server, HOSTS, PAGES)
    sharded.run(2, seeds=SEEDS, FRONTIER_SHARDS=3, FRONTIER_DELAY=0.1)
    rows = sharded.export()
    assert len(rows) == len({row["url"] for row in rows}) == total
    assert len(server.requests) == total + HOSTS  # robots.txt once for all
    assert min(gaps_of(server)) >= 0.1
    if "cluster" in request.node.name:
        assert all(request.getfixturevalue("redis_cluster").keys())  # every node has a part


def test_crawl_in_shards_is_operated_as_one(server: WebServer, sharded: Workers, operate: Operate) -> None:
    total = linked_web(server, HOSTS, PAGES)
    sharded.crawl.seeds.write_text("\n".join(SEEDS))
    settings = {"FRONTIER_SHARDS": 3, "FRONTIER_DELAY": 0.5, "ROBOTSTXT_OBEY": 0}
    sharded.start(2, **settings)
    sharded.until(lambda: len(server.requests) > total // 4)
    assert operate("pause") == "paused; what is leased is finished\n"
    status = operate("status")
    assert "(PAUSED)" in status
    assert "3 shards" in status
    sharded.until(lambda: "leased   0" in operate("status"))
    asked = len(server.requests)
    peeked = operate("peek", "5")
    assert len(peeked.splitlines()) == 5
    host = peeked.split("/")[2]
    assert f" URLs of {host} dropped" in operate("drop-host", host, "--yes")
    assert len(server.requests) == asked
    assert operate("resume") == "goes on\n"
    sharded.finish()
    pages = {row["url"].split("/")[2] for row in sharded.export()}
    assert len(pages) >= HOSTS - 1
    assert "queued   0" in operate("status")
    file = sharded.crawl.folder / "frontier.gz"
    assert "keys: " in operate("export", str(file))
    assert "this cannot be undone" in operate("delete", code=2)
    assert "keys removed" in operate("delete", "--yes")
    assert "there is no crawl" in operate("status", code=2)
    assert "has been made of" in operate("import", str(file))
    assert "queued   0" in operate("status")


@ON_CLUSTER
def test_budget_of_pages_holds_but_for_a_page_a_worker(server: WebServer, sharded: Workers) -> None:
    linked_web(server, HOSTS, PAGES)
    sharded.run(2, "-a", "pages=31", seeds=SEEDS, ROBOTSTXT_OBEY=0, FRONTIER_SHARDS=3)
    assert 31 <= len(sharded.export()) <= 33


@ON_CLUSTER
def test_start_urls_are_taken_while_the_crawl_runs(server: WebServer, sharded: Workers) -> None:
    server.pages = {(f"h{host}.example.org", "/0"): html("문서", KOREAN) for host in range(HOSTS)}
    sharded.crawl.seeds.write_text(SEEDS[0])
    sharded.start(
        2, FRONTIER_SHARDS=3, ROBOTSTXT_OBEY=0, FRONTIER_STAY_IDLE=1, MAX_IDLE_TIME_BEFORE_CLOSE=3,
        REDIS_START_URLS_KEY="{" + NAME + "}:%(name)s:start_urls",
    )  # fmt: skip
    sharded.until(lambda: len(server.requests) == 1)
    push(sharded, "{" + NAME + "}:lang_focused:start_urls", SEEDS[1:])
    sharded.finish()
    assert {row["url"] for row in sharded.export()} == set(SEEDS)


def push(workers: Workers, key: str, urls: list[str]) -> None:
    """As ``redis-cli -c rpush`` does: the node that has the key."""
    from crawler_project.frontier.redis_cluster import client_for

    with client_for(workers.redis.client(), key) as client:
        client.rpush(key, *urls)


@ON_CLUSTER
def test_other_number_of_shards_is_refused(server: WebServer, sharded: Workers) -> None:
    linked_web(server, 2, 2)
    sharded.run(1, seeds=SEEDS[:2], ROBOTSTXT_OBEY=0, FRONTIER_SHARDS=3)
    sharded.start(1, ROBOTSTXT_OBEY=0, FRONTIER_SHARDS=2)
    assert "shards is '3' there and '2' here" in sharded.finish(code=2)[0]
