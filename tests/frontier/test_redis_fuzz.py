"""Garbage in every value of every key of a crawl: a clear error or no harm, never anything else."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from redis_fixture import RedisServer, redis_server

from crawler_project.core.errors import CrawlerProjectError, FrontierAwayError, StateError
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, HostRules, HostVerdict, Outcome
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.frontier.redis_members import RedisMembers
from crawler_project.frontier.redis_operator import RedisOperator

__all__ = ["redis_server"]

CASES = int(os.environ.get("REDIS_TEST_FUZZ", "120"))
"""0 for all: ``REDIS_TEST_FUZZ=0 pytest tests/frontier/test_redis_fuzz.py``."""
CRAWL = "fuzzed"
OPTIONS: dict[str, Any] = {"identity": {"target": "ko"}, "delay": 0.0, "retry_delay": 0.0, "max_attempts": 2}
NOW = 1e6
GARBAGE = (
    b"", b"garbage", b"-1", b"0", b"nan", b"inf", b"1e999", b"\xff\x00\xfe", b"{}", b"[" * 999, b"9" * 400, b" ", b"\n",
    b"1 1 1 1 1", b"__import__('os').abort()", b"cposix\nabort\n(tR.", b"redis.call('FLUSHALL')",
)  # fmt: skip


def entries(number: int) -> list[Entry]:
    made = []
    for place in range(12):
        url = f"http://{'abc'[place % 3]}.kr/d{place % 2}/{number}-{place}"
        made.append(
            Entry(url, canonical_url(url).host, priority=float(place % 4), evidence="known", referrer="http://a.kr/")
        )
    return made


def build(client: redis.Redis) -> None:
    """A crawl with a key of every kind."""
    frontier = RedisFrontier(client, CRAWL, worker="one", max_expired=5, lease_seconds=10, **OPTIONS)
    frontier.set_host_rules("a.kr", HostRules("User-agent: *\nDisallow: /x\n", NOW, 0.0))
    frontier.set_note("site/a.kr", "text of a note")
    frontier.checkpoint({"crawled-ko.one.csv": 100})
    RedisMembers(client, CRAWL, "one", 60.0).come()
    for number in range(18):
        frontier.add(entries(number))
    frontier.add([entry._replace(priority=-1.0) for entry in entries(9)])  # improved
    for number in range(6):
        for place, lease in enumerate(frontier.lease(3, NOW)):
            kind = "failed" if place == 0 else "page"
            outcome = Outcome(kind, reason="x", directory="a.kr/d1/" if kind == "page" else "", is_target=True)
            frontier.commit(lease, outcome, NOW)
        frontier.commit(frontier.lease(1, NOW)[0], Outcome("failed", reason=f"reason {number}"), NOW)
    frontier.commit(frontier.lease(1, NOW)[0], Outcome("page", verdicts={"c.kr": HostVerdict(discard=True)}), NOW)
    frontier.commit(
        frontier.lease(1, NOW)[0], Outcome("page", verdicts={"b.kr": HostVerdict(1.0, False, None, 2.0)}), NOW
    )
    for number in range(3):
        frontier.commit(frontier.lease(1, NOW)[0], Outcome("page", lesson=f"lesson {number}"), NOW)
    resting = frontier.lease(2, NOW)
    frontier.commit(resting[0], Outcome("page", back_off=100.0), NOW)  # the other lease stays
    for host in "efgh":
        frontier.add([Entry(f"http://{host}.kr/{n}", f"{host}.kr", priority=-50.0 - n) for n in range(20)])  # 16 lists
        frontier.add([Entry(f"http://{host}.kr/19", f"{host}.kr", priority=-90.0)])
    frontier.commit(frontier.lease(1, NOW)[0], Outcome("failed", reason="once"), NOW)
    frontier.close()


def steps(client: redis.Redis) -> Iterator[Callable[[], object]]:
    """What workers and operators do, each for itself: an error in one does not hide the next."""
    frontier = RedisFrontier(client, CRAWL, worker="two", max_expired=5, lease_seconds=10, **OPTIONS)
    leases: list[Any] = []
    yield lambda: frontier.add(entries(30) + entries(2))
    yield lambda: leases.extend(frontier.lease(4, NOW + 200))
    yield lambda: frontier.renew(leases, NOW + 200)
    yield lambda: [frontier.host_rules(host) for host in ("a.kr", "b.kr", "c.kr")]
    yield lambda: frontier.counts(["a.kr", "b.kr", "c.kr", "a.kr/d1/"])
    for place in range(4):
        yield (
            lambda place=place: (
                leases[place:]
                and frontier.commit(
                    leases[place],
                    Outcome(
                        ("page", "failed", "gone", "refused")[place],
                        entries=entries(40),
                        verdicts={"a.kr": HostVerdict(2.0)},
                        lesson="known",
                    ),
                    NOW + 200,
                )
            )
        )
    yield lambda: [frontier.release(lease, NOW + 200) for lease in frontier.lease(2, NOW + 300)]
    yield lambda: exchange(frontier)
    yield lambda: frontier.reclaim(NOW + 900)
    yield frontier.sweep
    yield lambda: (
        frontier.next_ready(NOW),
        frontier.next_better(1.0, NOW),
        frontier.is_finished(),
        frontier.status(NOW),
        frontier.pages(),
    )
    yield lambda: (frontier.note("site/a.kr"), frontier.notes(""), frontier.outputs())
    yield lambda: (frontier.dead(), frontier.requeue_dead())
    yield lambda: RedisMembers(client, CRAWL, "two", 60.0).others()
    operator = RedisOperator(client, CRAWL)
    yield lambda: list(operator.overview(NOW).lines())
    yield lambda: operator.peek(10)
    yield lambda: [operator.find(entry.url, entry.host) for entry in entries(30)]
    yield lambda: operator.drop_host("a.kr")
    yield lambda: list(operator.dead_letters())


def exchange(frontier: RedisFrontier) -> None:
    """Put back what comes up, thrice."""
    leases, heads = list(frontier.lease(3, NOW + 300)), []
    for _ in range(3):
        worse = [(lease, lease.entry.priority + 40.0) for lease in leases]
        done = frontier.exchange(worse, [(head, head.entry.priority + 40.0) for head in heads], 3, NOW + 300)
        leases, heads = list(done.leases), list(done.heads)
    for lease in leases:
        frontier.release(lease, NOW + 300)


def use(client: redis.Redis) -> list[str]:
    """Do everything; what was said of damage. Fails by any error that is not meant for a damaged frontier."""
    said: list[str] = []
    walk = steps(client)
    while True:
        try:
            step = next(walk)
        except StopIteration:
            return said
        except CrawlerProjectError as error:  # cannot even be opened: so a worker ends at its start
            return [*said, explained(error)]
        try:
            step()
        except StateError as error:
            said.append(explained(error))


def explained(error: Exception) -> str:
    assert not isinstance(error, FrontierAwayError), error  # it would be waited for, for ever
    assert any(word in str(error) for word in ("damaged", "layout", "another one", "no crawl")), error
    return str(error)


def values(client: redis.Redis) -> list[tuple[bytes, Any]]:
    """Every place where a value is: key and field, index or member; the key as a whole with ``None``."""
    found: list[tuple[bytes, Any]] = []
    for key in sorted(client.keys(f"*:{CRAWL}:*")):
        kind = client.type(key)
        found.append((key, None))
        if kind == b"hash":
            found += [(key, field) for field in client.hkeys(key)]
        elif kind == b"list":
            found += [(key, index) for index in range(client.llen(key))]
        elif kind == b"zset":
            found += [(key, member) for member in client.zrange(key, 0, -1)]
        elif kind == b"stream":
            found += [(key, place) for place, _ in client.xrange(key)]
        else:
            found += [(key, member) for member in list(client.smembers(key))[:3]]
    return found


def spoil(client: redis.Redis, key: bytes, place: Any, rng: random.Random) -> None:
    kind = client.type(key)
    garbage = rng.choice(GARBAGE)
    if place is None:
        client.delete(key)
        if rng.random() < 0.7:
            client.set(key, garbage) if rng.random() < 0.5 else client.rpush(key, garbage, garbage)
    elif kind == b"hash":
        client.hset(key, place, mutated(client.hget(key, place), garbage, rng))
    elif kind == b"list":
        client.lset(key, place, mutated(client.lindex(key, place), garbage, rng))
    elif kind == b"zset":
        score = client.zscore(key, place)
        client.zrem(key, place)
        client.zadd(key, {mutated(place, garbage, rng): rng.choice([score, 0.0, -1.0, 1e300, float("inf")])})
    elif kind == b"stream":
        client.xdel(key, place)
        client.xadd(key, {garbage: mutated(b"lesson", garbage, rng)})
    else:
        client.srem(key, place)
        client.sadd(key, mutated(place, garbage, rng))


def mutated(value: bytes, garbage: bytes, rng: random.Random) -> bytes:
    """Something else, or the value with a wrong byte, cut off, or twice."""
    if not value or rng.random() < 0.5:
        return garbage
    at = rng.randrange(len(value))
    return rng.choice([value[:at], value + value, value[:at] + bytes([rng.randrange(256)]) + value[at + 1 :]])


@pytest.fixture(scope="module")
def client(redis_server: RedisServer) -> Iterator[redis.Redis]:
    made = redis_server.client(socket_timeout=5)
    yield made
    made.close()


def test_no_value_that_is_damaged_has_any_other_effect_than_a_clear_error(client: redis.Redis) -> None:
    build(client)
    places = values(client)
    kinds = {key.split(b"}:", 1)[1].split(b":")[0] for key, _ in places}
    wanted = set("msrqxhdtlanowzye") | {"le", "ready", "rest", "dead", "garbage", "g"}
    assert {kind.decode() for kind in kinds} >= wanted, wanted - {kind.decode() for kind in kinds}
    saved = {key: client.dump(key) for key in {key for key, _ in places}}
    assert use(client) == []
    cases = places * 8 if CASES == 0 else random.Random(CASES).choices(places, k=CASES)
    damaged = 0
    for number, (key, place) in enumerate(cases):
        pipeline = client.pipeline(transaction=False)
        for old in client.keys(f"*:{CRAWL}:*"):
            pipeline.delete(old)
        for name, value in saved.items():
            pipeline.restore(name, 0, value)
        pipeline.execute()
        spoil(client, key, place, random.Random(number))
        try:
            damaged += bool(use(client))
        except Exception as error:  # noqa: BLE001 - the place is what is needed
            pytest.fail(f"case {number}, {key!r} {place!r}: {type(error).__name__}: {error}")
    assert damaged > len(cases) // 20  # about one in seven
    assert client.ping()
