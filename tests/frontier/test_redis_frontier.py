"""What the frontier on Redis has beyond the conformance suite: leases that expire, many workers, hostile data."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from frontier_steps import entry, shorts
from redis.crc import key_slot
from redis_fixture import RedisServer, comes_true, free_port, redis_server

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.values import CommitResult, Entry, HostRules, HostVerdict, Lease, Outcome
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.frontier.redis_scripts import SCRIPTS, RedisAwayError, script_source

__all__ = ["redis_server"]

IDENTITY = {"target": "ko", "strategy": "control"}
Open = Callable[..., RedisFrontier]


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[redis.Redis]:
    client = redis_server.client()
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def open_frontier(redis_server: RedisServer, client: redis.Redis) -> Iterator[Open]:
    opened = []

    def open_one(worker: str = "w1", crawl: str = "ko", **options: Any) -> RedisFrontier:
        options = {"delay": 0.0, "lease_seconds": 60.0, "identity": IDENTITY, **options}
        opened.append(RedisFrontier(redis_server.client(), crawl, worker=worker, **options))
        return opened[-1]

    yield open_one
    for frontier in opened:
        frontier.close()


def one(frontier: RedisFrontier, now: float = 0.0) -> Lease:
    (lease,) = frontier.lease(1, now)
    return lease


# Leases


def test_two_workers_never_hold_one_host(open_frontier):
    first, second = open_frontier("w1"), open_frontier("w2")
    first.add([entry("a.kr/1"), entry("a.kr/2"), entry("b.kr/1")])
    assert shorts(first.lease(5, 0.0)) == ["a.kr/1", "b.kr/1"]
    assert second.lease(5, 0.0) == []


def test_delay_counts_for_all_workers_from_the_end_of_the_fetch(open_frontier):
    first, second = open_frontier("w1", delay=2.0), open_frontier("w2", delay=2.0)
    first.add([entry("a.kr/1"), entry("a.kr/2")])
    lease = one(first, 10.0)
    first.commit(lease, Outcome("page"), 14.0)
    assert second.lease(1, 15.999) == []
    assert shorts(second.lease(1, 16.0)) == ["a.kr/2"]


def test_lease_that_was_not_renewed_goes_to_another_worker(open_frontier):
    dying, other = open_frontier("w1"), open_frontier("w2")
    dying.add([entry("a.kr/1")])
    one(dying, 0.0)
    assert other.reclaim(59.9) == 0
    assert other.reclaim(60.0) == 1
    lease = one(other, 60.0)
    assert (lease.entry.url, lease.attempt) == ("https://a.kr/1", 1)


def test_lease_call_takes_expired_leases_back_by_itself(open_frontier):
    dying, other = open_frontier("w1"), open_frontier("w2")
    dying.add([entry("a.kr/1")])
    one(dying, 0.0)
    assert other.lease(1, 60.0) != []


def test_host_of_a_dead_worker_rests_before_it_is_asked_again(open_frontier):
    frontier = open_frontier(delay=5.0)
    frontier.add([entry("a.kr/1")])
    one(frontier, 0.0)
    assert frontier.lease(1, 60.0) == []
    assert frontier.next_ready(60.0) == 5.0
    assert shorts(frontier.lease(1, 65.0)) == ["a.kr/1"]


def test_renewed_lease_is_kept_and_a_lost_one_is_named(open_frontier):
    frontier, other = open_frontier("w1"), open_frontier("w2")
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    kept, lost = frontier.lease(2, 0.0)
    assert frontier.renew([kept], 50.0) == []
    assert other.reclaim(70.0) == 1
    assert frontier.renew([kept, lost], 80.0) == [lost]
    assert other.reclaim(139.0) == 0
    assert frontier.commit(kept, Outcome("page"), 139.0).accepted


def test_late_commit_of_a_slow_worker_changes_nothing_but_adds_its_links(open_frontier):
    slow, other = open_frontier("w1"), open_frontier("w2")
    slow.add([entry("a.kr/1")])
    late = one(slow, 0.0)
    lease = one(other, 100.0)
    outcome = Outcome("page", is_target=True, entries=[entry("b.kr/1")], verdicts={"a.kr": HostVerdict(discard=True)})
    assert slow.commit(late, outcome, 101.0) == CommitResult(added=1, accepted=False)
    assert slow.commit(late, Outcome("failed"), 102.0) == CommitResult(accepted=False)
    slow.release(late, 103.0)
    assert other.commit(lease, outcome, 104.0) == CommitResult(accepted=True)
    assert [count.pages for count in other.counts(["a.kr"])] == [1]
    assert other.status(104.0)[:3] == (1, 2, 0)


def test_url_whose_lease_expires_too_often_is_dead_with_its_reasons(open_frontier):
    frontier = open_frontier(max_expired=3)
    frontier.add([entry("a.kr/1")])
    for now in (0.0, 100.0, 300.0):
        assert one(frontier, now).attempt == (2 if now == 300.0 else 1)
        assert frontier.reclaim(now + 60.0) == 1
        if now == 100.0:
            frontier.commit(one(frontier, 200.0), Outcome("failed", reason="timeout"), 200.0)
    (letter,) = frontier.dead_letters()
    assert letter.entry.url == "https://a.kr/1"
    assert letter.reasons == ("lease expired", "lease expired", "timeout", "lease expired")
    assert frontier.is_finished()


def test_dead_letter_can_be_sent_back_alone(open_frontier):
    frontier = open_frontier(max_attempts=1)
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    for lease in frontier.lease(2, 0.0):
        frontier.commit(lease, Outcome("failed", reason="status 500"), 0.0)
    first, second = frontier.dead_letters()
    assert frontier.requeue_dead([second]) == 1
    assert frontier.dead() == [(first.entry.url, "status 500")]
    assert shorts(frontier.lease(2, 100.0)) == ["b.kr/1"]


def test_a_thousand_expired_leases_are_taken_back_a_few_at_a_time(open_frontier):
    frontier = open_frontier()
    frontier.add([entry(f"h{number}.kr/") for number in range(1000)])
    while frontier.lease(100, 0.0):
        pass
    counts = []
    while counts[-1:] != [0]:
        counts.append(frontier.reclaim(60.0, 10_000))
    assert sum(counts) == 1000
    assert max(counts) == 200
    assert frontier.status(60.0).queued == 1000


# Round trips, scripts


def test_page_costs_one_round_trip_to_lease_and_one_to_commit(open_frontier, client):
    frontier = open_frontier()
    frontier.add([entry(f"a.kr/{number}") for number in range(3)])
    frontier.commit(one(frontier), Outcome("page"), 0.0)
    calls = []
    execute = frontier._scripts._execute
    frontier._scripts._execute = lambda *arguments: calls.append(arguments[0]) or execute(*arguments)
    lease = one(frontier)
    assert frontier.counts(["a.kr"])[0].pages == 1
    assert frontier.host_rules("a.kr") is None
    frontier.commit(lease, Outcome("page", entries=[entry(f"b.kr/{number}") for number in range(60)]), 0.0)
    assert calls == ["EVALSHA", "EVALSHA"]


def test_rules_of_a_held_host_are_known_without_asking_and_those_of_another_worker_arrive(open_frontier):
    first, second = open_frontier("w1"), open_frontier("w2")
    first.add([entry("a.kr/1"), entry("a.kr/2")])
    lease = one(first)
    first.set_host_rules("a.kr", HostRules("User-agent: *", 99.0, 0.0))
    assert first.host_rules("a.kr") == HostRules("User-agent: *", 99.0, 0.0)
    first.release(lease, 0.0)
    lease = one(second)
    assert second.host_rules("a.kr") == HostRules("User-agent: *", 99.0, 0.0)
    second.set_host_rules("a.kr", HostRules("", 200.0))
    second.release(lease, 0.0)
    lease = one(first)
    assert first.host_rules("a.kr") == HostRules("", 200.0)


def test_scripts_that_the_server_forgot_are_loaded_again(open_frontier, client):
    frontier = open_frontier()
    client.script_flush()
    assert frontier.add([entry("a.kr/1")]).added == 1
    client.script_flush()
    assert shorts(frontier.lease(1, 0.0)) == ["a.kr/1"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_says_its_keys_arguments_result_and_what_is_atomic(name):
    header = script_source(name)[0].rpartition(f"-- {name}: ")[2].split("\n\n")[0]
    assert all(word in header for word in ("KEYS[1]", "ARGV", "Result", "Atomic", "Bounded"))


def test_all_keys_of_a_crawl_have_its_prefix_and_so_one_slot(open_frontier, client):
    frontier = open_frontier(shard=3, max_attempts=2)
    verdict = {"a.kr": HostVerdict(1.0, override=0.5), "c.kr": HostVerdict(discard=True)}
    for turn in range(6):
        frontier.add([entry(f"{host}.kr/{turn}-{number}", 5.0 - number) for host in "abc" for number in range(5)])
        frontier.add([entry(f"{host}.kr/{turn}-{number}", 0.0) for host in "ab" for number in range(3)])
        lease = one(frontier, turn * 1000.0)
        outcome = Outcome("failed", reason="x") if turn % 2 else Outcome("page", directory="a.kr/d/", verdicts=verdict)
        frontier.commit(lease, outcome, turn * 1000.0)
    frontier.set_host_rules("a.kr", HostRules("", 1.0, 2.0))
    frontier.checkpoint({"crawled-ko.w1.csv": 9})
    keys = client.keys("*")
    assert len(keys) > 15
    assert all(key.startswith(b"{lang_focused:ko:3}:") for key in keys)
    assert len({key_slot(key) for key in keys}) == 1


def test_crawl_runs_on_a_node_of_a_cluster(tmp_path):
    with RedisServer(tmp_path, "--cluster-enabled", "yes") as server:
        client = server.client()
        client.execute_command("CLUSTER ADDSLOTS", *range(16384))
        assert comes_true(lambda: client.execute_command("CLUSTER INFO")["cluster_state"] == "ok"), server.log()
        frontier = RedisFrontier(client, "ko", identity=IDENTITY, delay=0.0)
        frontier.add([entry("a.kr/1", 1.0)])
        frontier.add([entry("a.kr/1", 0.5)])
        frontier.commit(one(frontier), Outcome("page", entries=[entry("b.kr/1")], directory="a.kr/"), 0.0)
        assert shorts(frontier.lease(1, 0.0)) == ["b.kr/1"]
        frontier.close()


# Who may open a crawl


def test_other_identity_is_refused_with_what_differs(open_frontier):
    open_frontier()
    with pytest.raises(StateError, match="strategy is 'control' there and 'experimental' here"):
        open_frontier(identity={**IDENTITY, "strategy": "experimental"})


def test_other_layout_is_refused(open_frontier, client):
    frontier = open_frontier()
    client.hset(frontier.prefix + "m", "layout", 99)
    with pytest.raises(StateError, match="layout 99"):
        open_frontier()


def test_crawls_of_other_names_do_not_touch_each_other(open_frontier):
    one_crawl, other = open_frontier(crawl="ko"), open_frontier(crawl="ja")
    one_crawl.add([entry("a.kr/1")])
    assert other.is_finished()
    assert other.add([entry("a.kr/1")]).added == 1


def test_wrong_password_is_one_line(redis_server):
    client = redis.Redis(port=redis_server.port, password="wrong", retry=None)
    with pytest.raises(ConfigurationError, match=r"refuses the user or password .*check REDIS_URL$") as raised:
        RedisFrontier(client, "ko", identity={})
    assert "\n" not in str(raised.value)


def test_no_server_is_one_line():
    client = redis.Redis(port=free_port(), retry=None)
    with pytest.raises(ConfigurationError, match=r"does not answer .*correct REDIS_URL$") as raised:
        RedisFrontier(client, "ko", identity={})
    assert "\n" not in str(raised.value)


def test_server_that_evicts_is_refused(open_frontier, client):
    client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(ConfigurationError, match="set maxmemory-policy noeviction"):
            open_frontier()
    finally:
        client.config_set("maxmemory-policy", "noeviction")


def test_server_without_append_only_file_is_warned_of(open_frontier, client):
    assert open_frontier().warnings == []
    client.config_set("appendonly", "no")
    try:
        assert "set appendonly yes" in open_frontier().warnings[0]
    finally:
        client.config_set("appendonly", "yes")


@pytest.mark.parametrize("version", ["5.0.14", "6.0.16"])
def test_server_that_is_too_old_is_refused(open_frontier, monkeypatch, version):
    info = redis.Redis.info
    monkeypatch.setattr(redis.Redis, "info", lambda self, part: {**info(self, part), "redis_version": version})
    with pytest.raises(ConfigurationError, match=rf"is Redis {version}; 6.2 or newer is needed"):
        open_frontier()


@pytest.mark.parametrize(
    "wrong", [{"crawl": "a b"}, {"crawl": "{x}"}, {"crawl": ""}, {"worker": "w 1"}, {"lease_seconds": 0.0}]
)
def test_wrong_argument_is_named(open_frontier, wrong):
    with pytest.raises(ConfigurationError):
        open_frontier(**wrong)


def test_client_that_decodes_answers_serves_as_well(redis_server, client):
    frontier = RedisFrontier(redis_server.client(decode_responses=True), "ko", identity={})
    frontier.add([entry("a.kr/1")])
    assert shorts(frontier.lease(1, 0.0)) == ["a.kr/1"]
    frontier.close()


# Memory


def test_full_server_refuses_the_whole_commit_and_takes_it_later(open_frontier, client):
    frontier = open_frontier()
    frontier.add([entry("a.kr/1")])
    lease = one(frontier)
    before = frontier.status(0.0)
    outcome = Outcome("page", entries=[entry(f"b.kr/{number}") for number in range(60)])
    client.config_set("maxmemory", "1mb")
    try:
        with pytest.raises(RedisAwayError, match="raise its maxmemory; nothing was changed"):
            frontier.commit(lease, outcome, 0.0)
        assert frontier.status(0.0) == before
    finally:
        client.config_set("maxmemory", "0")
    assert frontier.commit(lease, outcome, 0.0) == CommitResult(added=60)


def start_with_one_bucket(frontier: RedisFrontier, client: redis.Redis) -> None:
    """Of the seen-set, so that few URLs are enough to have it split many times."""
    numbers = struct.unpack(">13d", client.hget(frontier.prefix + "m", "numbers"))
    client.hset(frontier.prefix + "m", "numbers", struct.pack(">13d", *numbers[:4], 0.0, *numbers[5:]))


def test_seen_set_stays_in_compact_sets_while_it_grows(open_frontier, client):
    frontier = open_frontier(best_priority=0.0, remembered=0)
    start_with_one_bucket(frontier, client)
    for start in range(0, 20_000, 250):
        frontier.add([entry(f"h{number % 50}.kr/{number}") for number in range(start, start + 250)])
    sets = client.keys(frontier.prefix + "s:*")
    assert {client.object("encoding", key) for key in sets} == {b"intset"}
    assert max(client.scard(key) for key in sets) <= 512
    assert sum(client.scard(key) for key in sets) == 20_000
    assert sum(client.memory_usage(key) for key in sets) / 20_000 < 10
    assert frontier.add([entry(f"h{number % 50}.kr/{number}") for number in range(20_000)]) == CommitResult()


def test_queued_url_can_be_improved_after_the_seen_set_has_grown(open_frontier, client):
    frontier = open_frontier()
    start_with_one_bucket(frontier, client)
    frontier.add([entry("a.kr/late", 9.0)])
    frontier.add([entry(f"b.kr/{number}", 5.0) for number in range(3000)])
    assert frontier.add([entry("a.kr/late", 1.0)]) == CommitResult(improved=1)
    assert shorts(frontier.lease(1, 0.0)) == ["a.kr/late"]


def test_everything_of_a_crawl_that_is_done_is_gone_but_the_seen_set_and_the_hosts(open_frontier, client):
    frontier = open_frontier()
    frontier.add([entry(f"{host}.kr/{number}") for number in range(200) for host in "ab"])
    while leases := frontier.lease(10, 0.0):
        for lease in leases:
            frontier.commit(lease, Outcome("page"), 0.0)
    left = {key.decode().partition("}:")[2].partition(":")[0] for key in client.keys(frontier.prefix + "*")}
    assert left == {"m", "s", "h", "r"}
    assert len(client.keys(frontier.prefix + "r:*")) == 1  # the block that is being filled


def test_strategy_of_many_priorities_keeps_its_order(open_frontier):
    frontier = open_frontier()
    rng = random.Random(5)
    priorities = [rng.random() for _ in range(300)]
    frontier.add([entry(f"a.kr/{number}", priority) for number, priority in enumerate(priorities)])
    order = []
    while leases := frontier.lease(1, 0.0):
        order.append(leases[0].entry.priority)
        frontier.commit(leases[0], Outcome("gone", fetched=False), 0.0)
    assert order == sorted(priorities)


# Links that are not sent again


def sent(frontier: RedisFrontier, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the entries of each call from now on."""
    counts: list[int] = []
    arguments = frontier._links._writer.arguments
    monkeypatch.setattr(
        frontier._links._writer, "arguments", lambda batch: counts.append(len(batch)) or arguments(batch)
    )
    return counts


def test_links_that_were_sent_before_are_left_out(open_frontier, monkeypatch):
    frontier = open_frontier()
    links = [entry(f"a.kr/{number}", 1.0) for number in range(60)]
    frontier.add(links)
    counts = sent(frontier, monkeypatch)
    assert frontier.commit(one(frontier), Outcome("page", entries=[*links, entry("b.kr/1")]), 0.0).added == 1
    assert frontier.add([entry("a.kr/7", 0.5)]) == CommitResult(improved=1)
    assert counts == [1, 1]


def test_links_are_sent_again_when_another_worker_kept_their_host_again(open_frontier):
    first, second = open_frontier("w1"), open_frontier("w2")
    links = [entry("a.kr/1"), entry("a.kr/2")]
    first.add([*links, entry("b.kr/1", -1.0), entry("c.kr/1", -1.0)])
    for verdict in (HostVerdict(discard=True), HostVerdict()):
        second.commit(one(second), Outcome("page", verdicts={"a.kr": verdict}), 0.0)
    assert first.add(links).added == 2


def test_links_are_sent_again_to_a_server_that_lost_them(tmp_path):
    with RedisServer(tmp_path, "--appendonly", "no") as server:
        frontier = RedisFrontier(server.client(), "ko", identity={}, delay=0.0)
        frontier.add([entry("a.kr/0")])
        with server.client() as client:
            client.save()
        links = [entry(f"a.kr/{number}") for number in range(10)]
        frontier.add(links)
        server.kill()
        server.start()
        lease = one(frontier)
        assert frontier.commit(lease, Outcome("page", entries=links), 0.0).added == 9
        frontier.close()


def test_as_few_links_as_can_be_are_remembered(open_frontier):
    for remembered in (0, 1, 4):
        frontier = open_frontier(crawl=f"remembered{remembered}", remembered=remembered)
        for _ in range(3):
            frontier.add([entry(f"a.kr/{number}") for number in range(20)])
        assert frontier.status(0.0).seen == 20


# Hostile data


def test_value_that_looks_like_code_is_only_data(open_frontier):
    frontier = open_frontier()
    text = "cos\nsystem\n(S'echo'\ntR. ${7*7} '); redis.call('FLUSHALL') --"
    hostile = Entry(
        "https://a.kr/" + text, "a.kr", parent_language=text, referrer=text, anchor_text=text[:40], why=text
    )
    frontier.add([hostile])
    assert one(frontier).entry == hostile


def test_key_of_a_wrong_type_is_a_state_error(open_frontier, client):
    frontier = open_frontier()
    frontier.add([entry("a.kr/1")])
    client.delete(frontier.prefix + "ready")
    client.set(frontier.prefix + "ready", "garbage")
    with pytest.raises(StateError, match="WRONGTYPE"):
        frontier.lease(1, 0.0)


def spoil(client: redis.Redis, key: bytes, rng: random.Random) -> None:
    """Put garbage where a value was, or in place of the whole key."""
    garbage = rng.choice([b"", b"garbage", b"-1", b"nan", b"1e999", b"\xff\x00\xfe", b"{}", rng.randbytes(30)])
    kind = client.type(key)
    if rng.random() < 0.2:
        client.delete(key)
        client.set(key, garbage)
    elif kind == b"hash":
        client.hset(key, rng.choice(client.hkeys(key)), garbage)
    elif kind == b"list":
        client.lset(key, rng.randrange(client.llen(key)), garbage)
    elif kind == b"zset":
        client.zadd(key, {garbage: rng.choice([0.0, -1.0, 1e300])})
    elif kind == b"set":
        client.sadd(key, garbage)


def work(frontier: RedisFrontier, rng: random.Random) -> None:
    """A bit of everything."""
    now = 1e6
    frontier.add([entry(f"{rng.choice('abc')}.kr/{rng.randrange(60)}", rng.randrange(3)) for _ in range(20)])
    for turn, lease in enumerate(frontier.lease(3, now)):
        if turn == 0:
            outcome = Outcome("failed", reason="x")
        else:
            outcome = Outcome("page", entries=[entry(f"a.kr/x{rng.randrange(9)}")], verdicts={"b.kr": HostVerdict(1.0)})
        frontier.commit(lease, outcome, now)
    frontier.reclaim(now)
    frontier.status(now)
    frontier.is_finished()
    frontier.next_ready(now)
    frontier.dead()
    frontier.counts(["a.kr", "b.kr", "a.kr/d/"])
    frontier.host_rules("a.kr")
    frontier.requeue_dead()
    frontier.sweep()


@pytest.mark.parametrize("seed", range(60))
def test_garbage_in_any_value_is_a_state_error_or_no_harm(open_frontier, client, seed):
    rng = random.Random(seed)
    frontier = open_frontier(max_attempts=1)
    frontier.set_host_rules("a.kr", HostRules("User-agent: *", 9.0, 0.0))
    for _ in range(3):
        work(frontier, rng)
    for _ in range(3):
        spoil(client, rng.choice(sorted(client.keys(frontier.prefix + "*"))), rng)
        try:
            work(frontier, rng)
        except StateError as error:
            assert "damaged" in str(error)  # noqa: PT017 - no error is fine as well


@pytest.mark.parametrize("seed", range(8))
def test_commits_in_one_round_trip_do_what_they_do_one_by_one(redis_server: RedisServer, seed: int) -> None:
    """Links that pages share, verdicts that drop and keep hosts again, failures, and a commit that comes twice."""
    rng = random.Random(seed)
    hosts = [f"h{number}.kr" for number in range(8)]
    one, other = (
        RedisFrontier(redis_server.client(), f"group{which}-{seed}", identity={}, delay=0.0) for which in range(2)
    )
    for frontier in (one, other):
        frontier.add([entry(f"{host}/") for host in hosts])
    for now in range(25):
        leases = one.lease(5, float(now)), other.lease(5, float(now))
        assert shorts(leases[0]) == shorts(leases[1])
        outcomes = [_random_outcome(rng, hosts) for _ in leases[0]]
        together = one.commit_all(list(zip(leases[0], outcomes, strict=True)), now + 0.5)
        one_by_one = [
            other.commit(lease, outcome, now + 0.5) for lease, outcome in zip(leases[1], outcomes, strict=True)
        ]
        assert together == one_by_one
        assert one.status(now + 0.5) == other.status(now + 0.5)
        if leases[0]:
            assert not one.commit_all([(leases[0][0], Outcome("page"))] * 2, now + 0.6)[1].accepted
            other.commit(leases[1][0], Outcome("page"), now + 0.6)
    for frontier in (one, other):
        frontier.close()


def _random_outcome(rng: random.Random, hosts: list[str]) -> Outcome:
    links = [
        entry(f"{rng.choice(hosts)}/{rng.randrange(60)}", rng.choice((0.0, 0.0, 1.0))) for _ in range(rng.randrange(12))
    ]
    verdicts = (
        {rng.choice(hosts): HostVerdict(precedence=rng.choice((0.0, 1.0)), discard=rng.random() < 0.4)}
        if rng.random() < 0.4
        else {}
    )
    return Outcome(rng.choice(("page", "page", "failed", "gone")), entries=links, verdicts=verdicts, reason="x")


def test_group_of_commits_goes_on_after_the_server_forgot_its_scripts(redis_server: RedisServer) -> None:
    frontier = RedisFrontier(redis_server.client(), "forgot", identity={}, delay=0.0)
    frontier.add([entry("a.kr/"), entry("b.kr/")])
    leases = frontier.lease(2, 0.0)
    with redis_server.client() as client:
        client.script_flush()
    results = frontier.commit_all([(lease, Outcome("page", entries=[entry("c.kr/")])) for lease in leases], 0.0)
    assert [(result.accepted, result.added) for result in results] == [(True, 1), (True, 0)]
    frontier.close()
