"""A crawl in shards by host: on one server, and on a cluster of three nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from frontier_steps import entry, shorts
from redis_cluster_fixture import RedisCluster, redis_cluster
from redis_fixture import RedisServer, comes_true, redis_server

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.values import CommitResult, HostRules, HostVerdict, Outcome
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.frontier.redis_operator import RedisOperator
from crawler_project.frontier.redis_scripts import RedisAwayError
from crawler_project.frontier.redis_transfer import delete_crawl, export_crawl, import_crawl
from crawler_project.frontier.sharded_frontier import ShardedFrontier, shard_of

__all__ = ["redis_cluster", "redis_server"]

HOSTS = 30
PAGES = 300
TURNS = 10 * PAGES
"""A turn fetches two pages as a rule."""
Open = Callable[..., ShardedFrontier]


@pytest.fixture
def open_frontier(redis_server: RedisServer) -> Iterator[Open]:
    with redis_server.client() as client:
        client.flushall()
    yield from opener(redis_server)


@pytest.fixture
def open_on_cluster(redis_cluster: RedisCluster) -> Iterator[Open]:
    redis_cluster.flush()
    yield from opener(redis_cluster.nodes[0])


def opener(server: RedisServer) -> Iterator[Open]:
    opened = []

    def open_one(worker: str = "w1", shards: int = 3, **options: Any) -> ShardedFrontier:
        options = {"delay": 0.0, "identity": {"target": "ko"}, **options}
        opened.append(ShardedFrontier(server.client(), "ko", worker=worker, shards=shards, **options))
        return opened[-1]

    yield open_one
    for frontier in opened:
        frontier.close()


def page(number: int):
    return entry(f"h{number % HOSTS}.kr/{number}", number % 3)


def crawl(*frontiers: ShardedFrontier) -> list[str]:
    """Crawl a made-up web, the workers in turns; the URLs in order."""
    frontiers[0].add([page(0)])
    order = []
    for turn in range(TURNS):
        frontier = frontiers[turn % len(frontiers)]
        if frontier.is_finished():
            return order
        for lease in frontier.lease(2, 0.0):
            order.append(lease.entry.url)
            number = int(lease.entry.url.rpartition("/")[2])
            targets = (2 * number + 1, 2 * number + 2, number * 7 % PAGES)
            links = [page(target) for target in targets if target < PAGES]
            frontier.commit(lease, Outcome("page", is_target=number % 2 == 0, entries=links), 0.0)
    pytest.fail(f"the crawl is not finished after {TURNS} turns; {len(order)} pages: {order[-5:]}")


def in_shard(shard: int, shards: int = 3) -> str:
    """The name of a host of this shard."""
    return next(name for name in (f"x{number}.kr" for number in range(999)) if shard_of(name, shards) == shard)


def test_every_page_is_fetched_once_whatever_shard_it_is_in(open_frontier):
    order = crawl(open_frontier("w1"), open_frontier("w2"))
    assert Counter(order) == Counter(page(number).url for number in range(PAGES))
    frontier = open_frontier("w3")
    assert frontier.pages() == (PAGES, PAGES // 2)
    assert frontier.status(0.0)[:3] == (0, PAGES, 0)


def test_every_page_is_fetched_once_on_a_cluster(open_on_cluster, redis_cluster):
    order = crawl(open_on_cluster("w1"), open_on_cluster("w2"))
    assert Counter(order) == Counter(page(number).url for number in range(PAGES))
    assert min(redis_cluster.keys()) > 5


def test_each_shard_is_on_the_node_of_its_slot(open_on_cluster, redis_cluster):
    frontier = open_on_cluster(shards=16)
    frontier.add([entry(f"h{number}.kr/") for number in range(200)])
    assert min(redis_cluster.keys()) > 16
    assert frontier.status(0.0)[:2] == (200, 200)


def test_crawl_goes_on_when_a_node_is_back(tmp_path_factory, open_on_cluster, redis_cluster):
    frontier = open_on_cluster(shards=8, remembered=16)
    frontier.add([entry(f"h{number}.kr/") for number in range(60)])
    victim = redis_cluster.nodes[2]
    victim.kill()
    try:
        with pytest.raises(RedisAwayError):
            frontier.status(0.0)
    finally:
        victim.start()
    seen: list[int] = []

    def answers() -> bool:
        with suppress(StateError):
            seen.append(frontier.status(0.0).seen)
        return bool(seen)

    assert comes_true(answers), f"the crawl is not back a minute after its node:\n{victim.log()}"
    assert seen == [60]


def test_precedence_and_priority_order_the_hosts_of_all_shards(open_frontier):
    frontier = open_frontier()
    frontier.add([entry(f"h{number}.kr/", float(number * 7 % 20)) for number in range(20)])
    frontier.commit(frontier.lease(1, 0.0)[0], Outcome("page", verdicts={"h3.kr": HostVerdict(-1.0)}), 0.0)
    leases = frontier.lease(20, 0.0)
    assert shorts(leases)[0] == "h3.kr/"
    priorities = [lease.entry.priority for lease in leases[1:]]
    assert priorities == sorted(priorities)
    assert len(priorities) == 18


def test_verdicts_notes_and_links_for_other_shards_arrive(open_frontier):
    frontier = open_frontier()
    hosts = [in_shard(shard) for shard in range(3)]
    frontier.add([entry(f"{host}/1", float(shard)) for shard, host in enumerate(reversed(hosts))])
    lease = frontier.lease(1, 0.0)[0]
    assert lease.entry.host == hosts[2]
    outcome = Outcome(
        "page", entries=[entry(f"{host}/2") for host in hosts], verdicts={hosts[0]: HostVerdict(discard=True)},
        notes={"site x": "accepted"},
    )  # fmt: skip
    assert frontier.commit(lease, outcome, 0.0) == CommitResult(added=2)
    assert frontier.notes("") == {"site x": "accepted"}
    assert {lease.entry.host for lease in frontier.lease(9, 0.0)} == set(hosts[1:])


def test_late_commit_adds_its_links_and_nothing_else(open_frontier):
    frontier = open_frontier()
    hosts = [in_shard(shard) for shard in range(3)]
    frontier.add([entry(f"{hosts[1]}/1")])
    lease = frontier.lease(1, 0.0)[0]
    frontier.commit(lease, Outcome("page"), 0.0)
    outcome = Outcome("page", entries=[entry(f"{hosts[2]}/2"), entry(f"{hosts[0]}/2")], notes={"a": "late"},
                      verdicts={hosts[0]: HostVerdict(discard=True)})  # fmt: skip
    assert frontier.commit(lease, outcome, 0.0) == CommitResult(added=2, accepted=False)
    assert frontier.notes("") == {}
    assert frontier.pages().pages == 1
    assert len(frontier.lease(9, 0.0)) == 2


def test_budget_is_of_all_shards_together(open_frontier):
    frontier = open_frontier(budget=4)
    frontier.add([entry(f"h{number}.kr/") for number in range(20)])
    leases = frontier.lease(20, 0.0)
    assert len(leases) == 4
    frontier.commit(leases[0], Outcome("page"), 0.0)
    assert frontier.lease(20, 0.0) == []
    frontier.commit(leases[1], Outcome("gone"), 0.0)
    assert len(frontier.lease(20, 0.0)) == 1


def test_workers_that_lease_at_the_same_time_exceed_the_budget_by_a_page_each(open_frontier, monkeypatch):
    first, second = open_frontier("w1", budget=5), open_frontier("w2", budget=5)
    first.add([entry(f"h{number}.kr/") for number in range(40)])
    count, leased = first._offers, []

    def counted_before_the_other_leases(now):
        answer = count(now)
        leased.extend(second.lease(20, now))
        return answer

    monkeypatch.setattr(first, "_offers", counted_before_the_other_leases)
    leased += first.lease(20, 0.0)
    assert len(leased) == 6


def test_leases_rules_and_dead_urls_are_found_in_their_shards(open_frontier):
    first, second = open_frontier("w1", lease_seconds=60.0, max_attempts=1), open_frontier("w2", max_attempts=1)
    hosts = [in_shard(shard) for shard in range(3)]
    first.add([entry(f"{host}/1") for host in hosts])
    for host in hosts:
        first.set_host_rules(host, HostRules(host, 99.0))
    leases = first.lease(3, 0.0)
    assert first.renew(leases, 30.0) == []
    assert second.reclaim(89.0) == 0
    assert second.reclaim(90.0) == 3
    assert len(first.renew(leases, 91.0)) == 3
    for lease in second.lease(3, 91.0):
        assert second.host_rules(lease.entry.host).robots == lease.entry.host
        second.commit(lease, Outcome("failed", reason="timeout"), 91.0)
    assert len(second.dead()) == 3
    assert second.requeue_dead(second.dead_letters()[:1]) == 1
    assert second.requeue_dead() == 2


def test_number_of_shards_belongs_to_the_crawl(open_frontier):
    open_frontier(shards=3)
    with pytest.raises(StateError, match="shards is '3' there and '2' here"):
        open_frontier(shards=2)
    with pytest.raises(ConfigurationError, match="use 1 to 256"):
        open_frontier(shards=0)


def test_operator_sees_all_shards(open_frontier, redis_server):
    frontier = open_frontier("w1")
    frontier.add([entry(f"h{number}.kr/", float(number)) for number in range(20)])
    frontier.lease(3, 0.0)
    with redis_server.client() as client:
        operator = RedisOperator(client, "ko")
        assert len(operator.shards) == 3
        assert operator.overview(0.0).status == frontier.status(0.0)
        assert operator.overview(0.0).leased_by_worker == {"w1": 3}
        assert operator.drop_host("h9.kr") == 1
        assert operator.pause(is_paused=True)
        assert frontier.lease(9, 0.0) == []
        assert operator.pause(is_paused=False)
        assert [url.entry.host for url in operator.peek(3)] == ["h3.kr", "h4.kr", "h5.kr"]


def test_crawl_of_a_cluster_is_exported_and_imported(open_on_cluster, redis_cluster, tmp_path):
    frontier = open_on_cluster()
    frontier.add([entry(f"h{number}.kr/", float(number)) for number in range(20)])
    with redis_cluster.nodes[1].client() as client:
        export_crawl(RedisOperator(client, "ko").shards, tmp_path / "ko.frontier")
        import_crawl(client, "copy", tmp_path / "ko.frontier")
        copy = RedisOperator(client, "copy")
        assert [url.entry for url in copy.peek(30)] == [entry(f"h{number}.kr/", float(number)) for number in range(20)]
        assert delete_crawl(copy.shards) > 20
    assert frontier.status(0.0).queued == 20


@pytest.mark.parametrize(("wanted", "asked"), [(1, 3), (2, 6)])
def test_shards_are_counted_before_each_lease_near_the_end_of_the_budget_and_not_after_the_last(
    open_frontier, monkeypatch, wanted, asked
):
    frontier = open_frontier(budget=100)
    frontier.add([page(number) for number in range(HOSTS)])
    counted = []
    count = RedisFrontier.best
    monkeypatch.setattr(RedisFrontier, "best", lambda self, now: counted.append(self) or count(self, now))
    assert len(frontier.lease(wanted, 0.0)) == wanted
    assert len(counted) == asked
