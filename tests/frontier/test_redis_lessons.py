"""What one worker learned is heard by the others with their own commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from frontier_steps import entry, fetch, take
from redis_fixture import RedisServer, redis_server

from crawler_project.core.errors import StateError
from crawler_project.core.seams import SharedFrontier
from crawler_project.core.values import LONGEST_LESSON, Outcome
from crawler_project.frontier.redis_lessons import RedisLessons
from crawler_project.frontier.sharded_frontier import open_frontier, shard_of

__all__ = ["redis_server"]

Join = Callable[..., SharedFrontier]
MOST_HEARD = 64


@pytest.fixture
def join(redis_server: RedisServer) -> Iterator[Join]:
    """Gives a worker of one crawl that has URLs on many hosts."""
    with redis_server.client() as client:
        client.flushall()
    opened: list[SharedFrontier] = []

    def worker(name: str, shards: int = 1) -> SharedFrontier:
        frontier = open_frontier(
            redis_server.client(), "ko", identity={"target": "ko"}, shards=shards, worker=name, delay=0.0
        )
        if not opened:
            frontier.add([entry(f"h{number}.kr/{page}") for number in range(10) for page in range(40)])
        opened.append(frontier)
        return frontier

    yield worker
    for frontier in opened:
        frontier.close()


def test_lesson_is_heard_by_every_other_worker_once_and_in_order(join):
    one, two, three = join("one"), join("two"), join("three")
    assert fetch(one, lesson="first").lessons == ()
    assert fetch(two, lesson="second").lessons == ("first",)
    assert fetch(one, lesson="third").lessons == ("second",)
    assert fetch(three, lesson="").lessons == ("first", "second", "third")
    assert fetch(three, lesson="").lessons == ()
    assert fetch(two, lesson="").lessons == ("third",)


def test_latest_lessons_are_heard_when_there_were_many(join):
    one, two = join("one"), join("two")
    for number in range(200):
        fetch(one, lesson=f"lesson {number}")
    heard = fetch(two, lesson="").lessons
    assert heard == tuple(f"lesson {number}" for number in range(200 - MOST_HEARD, 200))


def test_stream_of_lessons_is_kept_short(join, redis_server):
    one = join("one")
    for _ in range(300):
        fetch(one, lesson="x")
    with redis_server.client() as client:
        assert client.xlen("{lang_focused:ko:0}:e") <= 64 + 100  # Redis trims by blocks of a hundred


def test_commit_that_learns_nothing_neither_tells_nor_hears(join, redis_server):
    one, two = join("one"), join("two")
    fetch(one, lesson="told")
    assert fetch(two).lessons == ()
    assert fetch(one, lesson="").lessons == ()
    assert fetch(two, lesson="").lessons == ("told",)
    with redis_server.client() as client:
        assert client.xlen("{lang_focused:ko:0}:e") == 1


def test_lesson_of_a_lost_lease_is_told_by_nobody(join):
    one, two = join("one"), join("two")
    lease = take(one)
    one.release(lease, 0.0)
    late = one.commit(lease, Outcome("page", lesson="late"), 0.0)
    assert (late.accepted, late.lessons) == (False, ())
    assert fetch(two, lesson="").lessons == ()


def test_commits_in_one_round_trip_hear_each_lesson_once(join):
    one, two = join("one"), join("two")
    fetch(one, lesson="first")
    leases = two.lease(3, 0.0)
    results = two.commit_all([(lease, Outcome("page", lesson=f"own {lease.entry.url}")) for lease in leases], 0.0)
    assert [result.lessons for result in results] == [("first",), (), ()]
    assert len(fetch(one, lesson="").lessons) == 3
    fetch(one, lesson="second")
    assert fetch(two, lesson="").lessons == ("second",)


def test_first_commit_of_a_round_trip_that_takes_part_hears(join):
    one, two = join("one"), join("two")
    fetch(one, lesson="first")
    leases = two.lease(3, 0.0)
    told = [None, "own", ""]
    results = two.commit_all(
        [(lease, Outcome("page", lesson=text)) for lease, text in zip(leases, told, strict=True)], 0.0
    )
    assert [result.lessons for result in results] == [(), ("first",), ()]
    assert fetch(one, lesson="").lessons == ("own",)


def test_sixteen_workers_hear_of_everything(join):
    workers = [join(f"worker-{number}") for number in range(16)]
    heard = [
        fetch(worker, lesson=f"{number} in {turn}").lessons
        for turn in range(3)
        for number, worker in enumerate(workers)
    ]
    for number in range(16):
        others = [f"{other} in 1" for other in range(number + 1, 16)] + [f"{other} in 2" for other in range(number)]
        assert heard[32 + number] == tuple(others)


def test_shards_have_lessons_of_their_own(join):
    one, two = join("one", shards=2), join("two", shards=2)
    told: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(8):
        lease = take(one)
        told[shard_of(lease.entry.host, 2)].append(lease.entry.url)
        one.commit(lease, Outcome("page", lesson=lease.entry.url), 0.0)
    heard: list[str] = []
    shards = set()
    while shards != {0, 1}:
        lease = take(two)
        shards.add(shard_of(lease.entry.host, 2))
        heard += two.commit(lease, Outcome("page", lesson=""), 0.0).lessons
    assert sorted(heard) == sorted(told[0] + told[1])


@pytest.mark.parametrize("text", ["\x00", "한국어 \n", "-", "*", "x" * LONGEST_LESSON])
def test_any_text_is_a_lesson(join, text):
    one, two = join("one"), join("two")
    fetch(one, lesson=text)
    assert fetch(two, lesson="").lessons == (text,)


def test_lone_surrogates_become_question_marks_and_what_is_too_long_is_not_told(join):
    one, two = join("one"), join("two")
    fetch(one, lesson="a\ud800")
    fetch(one, lesson="x" * (LONGEST_LESSON + 1))
    assert fetch(two, lesson="").lessons == ("a?",)


@pytest.mark.parametrize("make", [lambda client, key: client.set(key, "x"), lambda client, key: client.sadd(key, "x")])
def test_lessons_of_another_type_are_damage(join, redis_server, make):
    one = join("one")
    with redis_server.client() as client:
        make(client, "{lang_focused:ko:0}:e")
    with pytest.raises(StateError):
        fetch(one, lesson="x")


def test_lesson_that_was_not_written_by_a_worker_is_a_text_like_others(join, redis_server):
    one = join("one")
    with redis_server.client() as client:
        client.xadd("{lang_focused:ko:0}:e", {b"\xff": b"\xfe\x00"})
        client.xadd("{lang_focused:ko:0}:e", {"other": "a", "more": "fields"})
    assert fetch(one, lesson="").lessons == ("\ufffd\x00", "a")


@pytest.mark.parametrize("place", [b"x", b"\xff-1", b"-1", b"1-x", b"1-1-1", b"", b"-", b"1" * 30 + b"-1"])
def test_place_that_is_none_is_damage(place: bytes) -> None:
    with pytest.raises(StateError, match="no place of a lesson"):
        RedisLessons("one").read([place, b"text"])


def test_commit_without_links_is_taken_by_a_redis_that_is_full_and_its_lesson_too(join, redis_server):
    one, two = join("one"), join("two")
    lease = take(one)
    with redis_server.client() as client:
        client.config_set("maxmemory", 1)
        try:
            assert one.commit(lease, Outcome("gone", lesson="told"), 0.0).accepted
        finally:
            client.config_set("maxmemory", 0)
    assert fetch(two, lesson="").lessons == ("told",)
