"""When a host may be asked again; the clock is handed in."""

from __future__ import annotations

import math

import pytest
from frontier_steps import entry, fetch, shorts, take

from crawler_project.core.values import HostRules, Outcome


def rest_after(frontier, outcome: Outcome, now: float = 1000.0) -> float:
    """Seconds until the host of a URL is ready again after this outcome; the frontier has one host."""
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("a.kr/3")])
    frontier.commit(take(frontier, now), outcome, now)
    return frontier.next_ready(now)


def test_host_rests_for_the_delay_from_the_end_of_the_fetch(new_frontier):
    frontier = new_frontier(delay=1.5)
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("b.kr/1", 5.0)])
    lease = take(frontier, now=100.0)
    frontier.commit(lease, Outcome("page"), now=130.0)
    assert shorts(frontier.lease(9, now=131.4)) == ["b.kr/1"]
    assert shorts(frontier.lease(9, now=131.5)) == ["a.kr/2"]


def test_host_gives_no_second_url_while_one_is_leased(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    assert shorts(frontier.lease(9, now=0.0)) == ["a.kr/1"]
    frontier.add([entry("a.kr/3", -5.0)])
    assert frontier.lease(9, now=1e9) == []
    assert frontier.next_ready(1e9) is None


def test_hosts_do_not_wait_for_each_other(new_frontier):
    frontier = new_frontier(delay=10.0)
    frontier.add([entry(f"h{number}.kr/{page}") for number in range(20) for page in range(2)])
    assert len(frontier.lease(99, now=0.0)) == 20


def test_host_with_a_worse_url_is_served_while_the_better_one_rests(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2", -9.0), entry("b.kr/1", 8.0)])
    fetch(frontier, now=0.0)
    assert shorts([take(frontier, now=1.0)]) == ["b.kr/1"]


def test_what_was_not_fetched_costs_no_delay(new_frontier):
    frontier = new_frontier(delay=5.0)
    assert rest_after(frontier, Outcome("refused", fetched=False)) == 0.0


@pytest.mark.parametrize("kind", ["page", "redirect", "gone", "refused"])
def test_every_fetch_costs_the_delay(new_frontier, kind):
    assert rest_after(new_frontier(delay=5.0), Outcome(kind)) == 5.0


@pytest.mark.parametrize(
    ("back_off", "rest"), [(30.0, 30.0), (2.0, 5.0), (-1.0, 5.0), (math.nan, 5.0), (math.inf, 86_400.0)]
)
def test_back_off_lengthens_the_rest_up_to_a_day(new_frontier, back_off, rest):
    assert rest_after(new_frontier(delay=5.0), Outcome("gone", back_off=back_off)) == rest


@pytest.mark.parametrize(
    ("asked", "rest"),
    [
        (None, 5.0),
        (2.0, 2.0),
        (0.0, 0.0),
        (30.0, 30.0),
        (86_400.0, 60.0),
        (math.inf, 60.0),
        (-3.0, 5.0),
        (math.nan, 5.0),
    ],
)
def test_delay_of_robots_txt_takes_the_place_of_the_crawls_within_bounds(new_frontier, asked, rest):
    frontier = new_frontier(delay=5.0)
    frontier.set_host_rules("a.kr", HostRules("User-agent: *", expires=9e9, delay=asked))
    assert rest_after(frontier, Outcome("page")) == rest


def test_delay_of_robots_txt_holds_for_the_fetch_that_is_under_way(new_frontier):
    frontier = new_frontier(delay=1.0, max_delay=20.0)
    frontier.add([entry("a.kr/1")])
    lease = take(frontier, now=0.0)
    frontier.set_host_rules("a.kr", HostRules("", expires=9e9, delay=25.0))
    frontier.release(lease, now=10.0, fetched=True)
    assert frontier.next_ready(10.0) == 20.0
    assert shorts(frontier.lease(1, 30.0)) == ["a.kr/1"]


def test_link_to_a_resting_host_waits_with_it(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1")])
    fetch(frontier, now=100.0)
    frontier.add([entry("a.kr/2")])
    assert frontier.lease(1, now=104.9) == []
    assert shorts(frontier.lease(1, now=105.0)) == ["a.kr/2"]


def test_link_to_a_host_whose_rest_is_over_can_be_leased_at_once(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1")])
    fetch(frontier, now=100.0)
    assert frontier.next_ready(200.0) is None
    frontier.add([entry("a.kr/2")])
    assert frontier.next_ready(200.0) == 0.0


def test_next_ready_is_the_shortest_wait_of_hosts_with_queued_urls(new_frontier):
    frontier = new_frontier(delay=4.0)
    assert frontier.next_ready(0.0) is None
    frontier.add([entry(f"{host}.kr/{page}") for page in range(2) for host in "abc"])
    assert frontier.next_ready(0.0) == 0.0
    leases = frontier.lease(3, now=0.0)
    assert frontier.next_ready(50.0) is None
    for lease, end in zip(leases, (10.0, 11.0, 12.0), strict=True):
        frontier.commit(lease, Outcome("page"), end)
    assert frontier.next_ready(12.5) == 1.5
    assert frontier.next_ready(14.0) == 0.0


def test_clock_that_goes_back_makes_no_host_ready_early(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("b.kr/1", 9.0)])
    frontier.lease(0, now=1000.0)
    fetch(frontier, now=900.0)
    assert shorts(frontier.lease(9, now=904.0)) == ["b.kr/1"]


def test_link_that_comes_after_the_clock_went_back_makes_no_host_ready_early(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    fetch(frontier, now=1000.0)
    fetch(frontier, now=1010.0)
    assert frontier.lease(9, now=900.0) == []
    frontier.add([entry("a.kr/2")])
    assert frontier.lease(9, now=904.0) == []
    assert shorts(frontier.lease(9, now=1005.0)) == ["a.kr/2"]


def test_no_gap_is_shorter_than_the_delay_over_a_crawl_of_many_hosts(new_frontier):
    frontier = new_frontier(delay=1.0)
    frontier.add([entry(f"h{number % 10}.kr/{number}") for number in range(200)])
    ends: dict[str, float] = {}
    now = 0.0
    while not frontier.is_finished():
        for lease in frontier.lease(4, now):
            host = lease.entry.host
            assert now - ends.get(host, -math.inf) >= 1.0
            frontier.commit(lease, Outcome("page"), now + 0.25)
            ends[host] = now + 0.25
        now += 0.25
    assert len(ends) == 10
    assert now >= 19 * 1.25  # each host's 20 URLs took 20 fetches and 19 delays
