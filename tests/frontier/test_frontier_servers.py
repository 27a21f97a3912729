"""The second limit: one request at a time to a server that many hosts share."""

from __future__ import annotations

import random

import pytest
from frontier_steps import entry, shorts, take

from crawler_project.core.values import Outcome

HOSTS = [f"h{number}.kr" for number in range(100)]


def leases_of(frontier, count: int = 3):
    frontier.add([entry(f"{host}/1") for host in HOSTS[:count]])
    return frontier.lease(count, 0.0)


def test_server_is_one_leases_at_a_time(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, second, third = leases_of(frontier)
    assert frontier.take_server(first, "s", 0.0) == 0.0
    assert frontier.take_server(first, "s", 1.0) == 0.0, "it has it already"
    assert frontier.take_server(second, "s", 1.0) > 0.0
    assert frontier.take_server(third, "other", 1.0) == 0.0


def test_server_rests_for_the_delay_from_the_end_of_the_fetch(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, second, _ = leases_of(frontier)
    frontier.take_server(first, "s", 0.0)
    frontier.commit(first, Outcome("page"), 10.0)
    assert frontier.take_server(second, "s", 11.5) == 0.5
    assert frontier.take_server(second, "s", 12.0) == 0.0


@pytest.mark.parametrize("fetched", [True, False])
def test_release_gives_the_server_back_and_only_a_fetch_costs_the_delay(new_frontier, fetched):
    frontier = new_frontier(delay=2.0)
    first, second, _ = leases_of(frontier)
    frontier.take_server(first, "s", 0.0)
    frontier.release(first, 5.0, fetched=fetched)
    assert frontier.take_server(second, "s", 5.0) == (2.0 if fetched else 0.0)


def test_what_was_not_fetched_costs_the_server_no_delay(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, second, _ = leases_of(frontier)
    frontier.take_server(first, "s", 0.0)
    frontier.commit(first, Outcome("refused", fetched=False), 5.0)
    assert frontier.take_server(second, "s", 5.0) == 0.0


def test_hosts_of_a_busy_server_get_a_turn_each(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, *others = leases_of(frontier, 10)
    frontier.take_server(first, "s", 0.0)
    assert [frontier.take_server(lease, "s", 0.0) for lease in others] == [2.0 * turn for turn in range(1, 10)]


def test_hosts_beyond_the_last_turn_share_it(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, *others = leases_of(frontier, 100)
    frontier.take_server(first, "s", 0.0)
    waits = [frontier.take_server(lease, "s", 0.0) for lease in others]
    assert max(waits) == 120.0
    assert waits.count(120.0) == 40


def test_released_host_rests_as_long_as_it_is_told(new_frontier):
    frontier = new_frontier(delay=2.0)
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 5.0)])
    frontier.release(take(frontier), 0.0, rest=7.0)
    assert shorts(frontier.lease(9, 6.9)) == ["b.kr/1"]
    assert shorts(frontier.lease(9, 7.0)) == ["a.kr/1"]


def test_lease_that_is_not_held_gives_no_server_back(new_frontier):
    frontier = new_frontier(delay=2.0)
    first, second, third = leases_of(frontier)
    frontier.take_server(first, "s", 0.0)
    frontier.commit(first, Outcome("page"), 1.0)
    assert frontier.take_server(second, "s", 3.0) == 0.0
    frontier.commit(first, Outcome("page"), 4.0)
    assert frontier.take_server(third, "s", 9.0) > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_no_two_leases_have_a_server_and_none_has_it_early_whatever_happens(new_frontier, seed):
    frontier, rng, now = new_frontier(delay=1.0), random.Random(seed), 0.0
    free = {"s": 0.0, "t": 0.0}
    holders: dict[str, object] = {}
    frontier.add([entry(f"{host}/{page}") for host in HOSTS[:12] for page in range(9)])
    for _ in range(150):
        now += rng.random()
        server = rng.choice("st")
        if server in holders and rng.random() < 0.5:
            lease, fetched = holders.pop(server), rng.random() < 0.7
            frontier.commit(lease, Outcome("gone", fetched=fetched), now)
            free[server] = now + 1.0 if fetched else free[server]
        elif leases := frontier.lease(1, now):
            (lease,) = leases
            wait = frontier.take_server(lease, server, now)
            if server in holders or free[server] > now:
                assert wait > 0.0
                frontier.release(lease, now, rest=wait)
            else:
                assert wait == 0.0
                holders[server] = lease
