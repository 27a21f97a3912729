"""URLs put back and others leased in one round trip: the order is that of releases and leases one by one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
import redis
from frontier_steps import entry, shorts
from redis_fixture import RedisServer, redis_server

from crawler_project.core.values import Entry, Head, HostVerdict, Lease, Outcome
from crawler_project.frontier.redis_frontier import LOOKED_AT, RedisFrontier
from crawler_project.frontier.sharded_frontier import ShardedFrontier

__all__ = ["redis_server"]

Reconsider = Callable[[Entry], float | None]


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[redis.Redis]:
    client = redis_server.client()
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def frontier_of(client: redis.Redis) -> Iterator[Callable[..., RedisFrontier]]:
    made: list[RedisFrontier] = []

    def make(crawl: str, **options: float) -> RedisFrontier:
        made.append(RedisFrontier(client, crawl, identity={}, **{"delay": 0.0, **options}))
        return made[-1]

    yield make
    for frontier in made:
        frontier.close()


class OneByOne:
    """A worker that releases and leases."""

    def __init__(self, frontier: RedisFrontier) -> None:
        self.frontier = frontier

    def next_lease(self, reconsider: Reconsider, now: float) -> Lease | None:
        while leases := self.frontier.lease(1, now):
            later = reconsider(leases[0].entry)
            if later is None:
                return leases[0]
            self.frontier.release(leases[0], now, priority=later)
        return None


class Exchanging:
    """A worker that does both at once, and foresees."""

    def __init__(self, frontier: RedisFrontier) -> None:
        self.frontier = frontier
        self.calls = 0

    def next_lease(self, reconsider: Reconsider, now: float) -> Lease | None:
        leases: Sequence[Lease] = self.frontier.lease(1, now)
        heads: Sequence[Head] = ()
        while leases:
            later = reconsider(leases[0].entry)
            if later is None:
                return leases[0]
            scored = [(head, worse) for head in heads if (worse := reconsider(head.entry)) is not None]
            answer = self.frontier.exchange([(leases[0], later)], scored, 1, now)
            leases, heads = answer.leases, answer.heads
            self.calls += 1
            assert answer.put_back == 1
        return None


def crawl(worker: OneByOne | Exchanging, seed: int) -> list[str]:
    """Fetch with a strategy that changes its mind after each page; the order."""
    rng = random.Random(seed)
    worker.frontier.add([entry(f"h{n % 7}.kr/{n}", rng.randrange(8) / 2) for n in range(60)])
    order: list[str] = []
    moods: dict[str, float] = {}

    def reconsider(entry: Entry) -> float | None:
        worth = moods.get(entry.host, 0.0) + len(entry.url) % 3 + sum(map(ord, entry.url)) % 4
        return min(worth, entry.priority + 1.0) if worth > entry.priority + 0.5 else None

    while (lease := worker.next_lease(reconsider, float(len(order)))) is not None:
        order.append(lease.entry.url)
        moods[f"h{rng.randrange(7)}.kr"] = rng.randrange(6) - 1.0
        links = [entry(f"h{rng.randrange(7)}.kr/{rng.randrange(150)}", rng.randrange(8) / 2) for _ in range(3)]
        verdict = HostVerdict(offset=rng.choice([0.0, -0.5, 1.0]), precedence=rng.choice([0.0, 0.0, 1.0]))
        worker.frontier.commit(
            lease, Outcome("page", entries=links, verdicts={lease.entry.host: verdict}), float(len(order))
        )
    return order


@pytest.mark.parametrize("seed", range(8))
def test_order_is_that_of_releases_and_leases(frontier_of, seed):
    plain, exchanging = OneByOne(frontier_of("plain")), Exchanging(frontier_of("exchanging"))
    order = crawl(plain, seed)
    assert crawl(exchanging, seed) == order
    assert len(order) > 60
    assert plain.frontier.status(1e9) == exchanging.frontier.status(1e9)


def test_order_is_that_of_releases_and_leases_when_hosts_rest(frontier_of):
    order = crawl(OneByOne(frontier_of("plain", delay=3.0)), 1)
    assert crawl(Exchanging(frontier_of("exchanging", delay=3.0)), 1) == order


def test_heads_are_passed_over_without_a_lease_of_their_own(frontier_of):
    frontier = frontier_of("one")
    frontier.add([entry(f"h{number}.kr/1", number / 100) for number in range(50)])
    worker = Exchanging(frontier)
    lease = worker.next_lease(lambda entry: 9.0 if entry.priority < 0.4 else None, 0.0)
    assert lease is not None
    assert lease.entry.url == "https://h40.kr/1"
    assert worker.calls == 1 + (40 - 1) // (1 + LOOKED_AT) + 1
    assert [one.entry.priority for one in frontier.lease(100, 0.0)] == [n / 100 for n in range(41, 50)] + [9.0] * 40


def test_next_urls_of_the_leased_host_are_foreseen_listed_or_not(frontier_of):
    frontier = frontier_of("one")
    frontier.add([entry(f"a.kr/{number}", number % 5) for number in range(40)])
    frontier.add([entry(f"a.kr/{number}", number / 100) for number in range(10, 20)])
    worker = Exchanging(frontier)
    lease = worker.next_lease(lambda entry: 9.0 if entry.priority < 1.0 else None, 0.0)
    assert lease is not None
    assert lease.entry.url == "https://a.kr/1"
    assert worker.calls == 1 + 15 // (1 + LOOKED_AT) + 1


def test_better_link_to_a_url_that_was_passed_over_improves_it(frontier_of):
    frontier = frontier_of("one")
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 0.1), entry("c.kr/1", 0.2)])
    (first,) = frontier.lease(1, 0.0)
    answer = frontier.exchange([(first, 5.0)], [], 1, 0.0)
    assert [head.entry.url for head in answer.heads] == ["https://c.kr/1", "https://a.kr/1"]
    (second,) = answer.leases
    answer = frontier.exchange([(second, 6.0)], [(answer.heads[0], 7.0)], 1, 0.0)
    assert (answer.put_back, answer.passed_over, shorts(list(answer.leases))) == (1, 1, ["a.kr/1"])
    assert frontier.add([entry("c.kr/1", 3.0), entry("b.kr/1", 4.0)]).improved == 2
    assert shorts(frontier.lease(2, 0.0)) == ["c.kr/1", "b.kr/1"]


def test_head_that_is_no_head_any_more_stays_as_it_is(frontier_of):
    frontier = frontier_of("one")
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 0.1), entry("c.kr/1", 0.2)])
    (first,) = frontier.lease(1, 0.0)
    answer = frontier.exchange([(first, 5.0)], [], 1, 0.0)
    frontier.add([entry("c.kr/2", 0.15)])
    answer = frontier.exchange([(answer.leases[0], 6.0)], [(answer.heads[0], 7.0)], 1, 0.0)
    assert (answer.passed_over, shorts(list(answer.leases))) == (0, ["c.kr/2"])


def test_lease_that_is_lost_is_not_put_back(frontier_of):
    frontier = frontier_of("one", lease_seconds=10.0)
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 3.0)])
    (lost,) = frontier.lease(1, 0.0)
    assert frontier.reclaim(20.0) == 1
    answer = frontier.exchange([(lost, 5.0)], [], 1, 20.0)
    assert (answer.put_back, shorts(list(answer.leases))) == (0, ["a.kr/1"])


def test_budget_and_pause_hold(frontier_of):
    frontier = frontier_of("one", budget=1)
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 3.0)])
    (lease,) = frontier.lease(1, 0.0)
    answer = frontier.exchange([(lease, 5.0)], [], 3, 0.0)
    assert shorts(list(answer.leases)) == ["b.kr/1"]
    frontier._scripts.call("pause", (1,))
    assert frontier.exchange([(answer.leases[0], 6.0)], [], 1, 0.0).leases == []


def test_crawl_in_shards_puts_back_one_by_one(client):
    frontier = ShardedFrontier(client, "sharded", identity={}, shards=3, delay=0.0)
    frontier.add([entry(f"h{number}.kr/1", number) for number in range(5)])
    (lease,) = frontier.lease(1, 0.0)
    answer = frontier.exchange([(lease, 2.5)], [], 1, 0.0)
    assert (shorts(list(answer.leases)), answer.put_back) == (["h1.kr/1"], 1)
    assert shorts(frontier.lease(2, 0.0)) == ["h2.kr/1", "h0.kr/1"]
    frontier.close()
