"""What has become of one URL, in every frontier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from frontier_steps import entry, take
from redis_fixture import redis_server

from crawler_project.core.values import Counts, HostVerdict, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.frontier.redis_operator import RedisOperator
from crawler_project.frontier.sharded_frontier import ShardedFrontier
from crawler_project.frontier.whereabouts import DEAD, DONE, DROPPED, LEASED, QUEUED, UNKNOWN, Whereabouts

__all__ = ["redis_server"]

URL, HOST = "https://a.kr/1", "a.kr"


@pytest.fixture(params=[0, 1, 3], ids=["embedded", "redis", "sharded"])
def frontier_and_find(request: pytest.FixtureRequest) -> Iterator[Any]:
    options: dict[str, Any] = {"identity": {"target": "ko"}, "delay": 0.0, "max_attempts": 1}
    frontier: EmbeddedFrontier | ShardedFrontier | RedisFrontier
    if request.param == 0:
        frontier = EmbeddedFrontier(None, **options)
        yield frontier, frontier.find
        frontier.close()
        return
    client = request.getfixturevalue("redis_server").client()
    client.flushall()
    options |= {"best_priority": 0.0, "worker": "w1"}
    if request.param == 1:
        frontier = RedisFrontier(client, "find", **options)
    else:
        frontier = ShardedFrontier(client, "find", shards=request.param, **options)
    yield frontier, lambda url, host: RedisOperator(client, "find").find(url, host)
    frontier.close()


def test_url_is_found_wherever_it_is(frontier_and_find):
    frontier, find = frontier_and_find
    assert find(URL, HOST) == Whereabouts(UNKNOWN)
    queued = entry("a.kr/1", priority=3.5)._replace(evidence="ab", why="learned 0.2", referrer="http://b.kr/x")
    frontier.add([queued])
    assert find(URL, HOST) == Whereabouts(QUEUED, queued)
    lease = take(frontier)
    if not isinstance(frontier, EmbeddedFrontier):  # nobody asks about an embedded one while it is at work
        assert find(URL, HOST).state == LEASED
    frontier.release(lease, 0.0, priority=7.25)
    assert find(URL, HOST) == Whereabouts(QUEUED, queued._replace(priority=7.25))
    frontier.commit(take(frontier), Outcome("page"), 0.0)
    assert find(URL, HOST) == Whereabouts(DONE, counts=Counts(1, 0))


def test_verdict_and_counts_of_the_host_are_told(frontier_and_find):
    frontier, find = frontier_and_find
    frontier.add([entry("a.kr/2", priority=1.0), entry("a.kr/1", priority=4.0)])
    verdicts = {HOST: HostVerdict(offset=-1.5)}
    frontier.commit(take(frontier), Outcome("page", is_target=True, verdicts=verdicts), 0.0)
    found = find(URL, HOST)
    assert (found.state, found.offset, found.counts) == (QUEUED, -1.5, Counts(1, 1))
    assert found.entry.priority == 4.0


def test_url_that_failed_too_often_is_dead_and_says_why(frontier_and_find):
    frontier, find = frontier_and_find
    frontier.add([entry("a.kr/1", priority=3.0)])
    frontier.commit(take(frontier), Outcome("failed", reason="status 500"), 0.0)
    found = find(URL, HOST)
    assert (found.state, found.reason, found.entry.priority) == (DEAD, "status 500", 3.0)


def test_url_of_a_discarded_host_is_dropped(frontier_and_find):
    frontier, find = frontier_and_find
    frontier.add([entry("a.kr/0", priority=1.0), entry("a.kr/1", priority=4.0)])
    frontier.commit(take(frontier), Outcome("page", verdicts={HOST: HostVerdict(discard=True)}), 0.0)
    assert find(URL, HOST).state == DROPPED
    assert find(URL, HOST).entry is None
    if not isinstance(frontier, EmbeddedFrontier):
        frontier.sweep()
        assert find(URL, HOST).state == DROPPED
