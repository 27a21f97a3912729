"""Failures: tried again after a rest, and dead after too many."""

from __future__ import annotations

import pytest
from frontier_steps import drain, entry, shorts, take

from crawler_project.core.values import HostVerdict, Outcome


def fail(frontier, now=0.0, reason="timeout", **fields):
    lease = take(frontier, now)
    return lease, frontier.commit(lease, Outcome("failed", reason=reason, **fields), now)


def test_failed_url_goes_back_to_its_place_with_its_attempts_counted(new_frontier):
    frontier = new_frontier(retry_delay=0.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    for attempt in (1, 2):
        lease, result = fail(frontier)
        assert (shorts([lease]), lease.attempt) == (["a.kr/1"], attempt)
        assert (result.retried, result.dead) == (True, False)
    assert take(frontier).attempt == 3


def test_host_rests_twice_as_long_after_each_failure_of_a_url(new_frontier):
    frontier = new_frontier(delay=1.0, retry_delay=10.0, max_attempts=9)
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 9.0)])
    now = 0.0
    for rest in (10.0, 20.0, 40.0, 80.0):
        assert shorts([fail(frontier, now)[0]]) == ["a.kr/1"]
        assert shorts(frontier.lease(0, now)) == []
        other = take(frontier, now)
        assert frontier.next_ready(now) == rest
        frontier.release(other, now)
        now += rest


@pytest.mark.parametrize(("back_off", "rest"), [(5.0, 10.0), (50.0, 50.0)])
def test_longer_of_back_off_and_retry_delay_counts(new_frontier, back_off, rest):
    frontier = new_frontier(retry_delay=10.0)
    frontier.add([entry("a.kr/1")])
    fail(frontier, back_off=back_off)
    assert frontier.next_ready(0.0) == rest


def test_rest_after_many_failures_is_at_most_a_day(new_frontier):
    frontier = new_frontier(retry_delay=50_000.0, max_attempts=2000)
    frontier.add([entry("a.kr/1")])
    now = 0.0
    for _ in range(1100):
        fail(frontier, now)
        now += 86_400.0
        assert frontier.next_ready(now) == 0.0


def test_url_that_used_up_its_attempts_is_dead_with_the_last_reason(new_frontier):
    frontier = new_frontier(retry_delay=0.0, max_attempts=2)
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    fail(frontier, reason="timeout")
    _, result = fail(frontier, reason="status 503")
    assert (result.retried, result.dead) == (False, True)
    assert frontier.dead() == [("https://a.kr/1", "status 503")]
    assert frontier.status(0.0)[:3] == (1, 2, 0)
    assert frontier.status(0.0).dead == 1
    assert drain(frontier) == ["a.kr/2"]
    assert frontier.is_finished()


def test_dead_url_is_not_queued_by_a_new_link(new_frontier):
    frontier = new_frontier(max_attempts=1)
    frontier.add([entry("a.kr/1", 5.0)])
    fail(frontier)
    assert frontier.add([entry("a.kr/1", 0.0)])[:2] == (0, 0)
    assert frontier.is_finished()


def test_requeued_dead_urls_have_their_old_places_and_all_attempts(new_frontier):
    frontier = new_frontier(max_attempts=1, retry_delay=0.0)
    frontier.add([entry("b.kr/1", why="seed"), entry("a.kr/1", 1.0), entry("a.kr/2", 5.0)])
    for _ in range(2):
        fail(frontier)
    assert frontier.requeue_dead() == 2
    assert frontier.dead() == []
    assert frontier.status(0.0)[:3] == (3, 3, 0)
    assert take(frontier)[0] == entry("b.kr/1", why="seed")
    lease = take(frontier)
    assert (shorts([lease]), lease.attempt) == (["a.kr/1"], 1)
    assert frontier.requeue_dead() == 0


def test_thousands_of_dead_urls_can_be_requeued(new_frontier):
    frontier = new_frontier(max_attempts=1, retry_delay=0.0)
    names = [f"h{number % 7}.kr/{number}" for number in range(2500)]
    frontier.add([entry(name) for name in names])
    for _ in names:
        fail(frontier)
    assert frontier.is_finished()
    assert frontier.requeue_dead() == 2500
    assert drain(frontier) == names


def test_dead_urls_of_a_discarded_host_stay_dead(new_frontier):
    frontier = new_frontier(max_attempts=1)
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    fail(frontier)
    fail(frontier, verdicts={"a.kr": HostVerdict(discard=True)})
    assert frontier.requeue_dead() == 1
    assert drain(frontier) == ["b.kr/1"]
    assert frontier.dead() == [("https://a.kr/1", "timeout")]


def test_links_of_a_failed_url_are_queued(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    _, result = fail(frontier, entries=[entry("b.kr/1")])
    assert (result.added, result.retried) == (1, True)
