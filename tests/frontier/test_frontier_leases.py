"""Leases: who holds a URL, and what a commit without one does."""

from __future__ import annotations

import pytest
from frontier_steps import drain, entry, fetch, shorts, take

from crawler_project.core.values import CommitResult, Counts, HostVerdict, Outcome


def test_leased_url_is_neither_queued_nor_done(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    lease = take(frontier)
    assert frontier.status(0.0)[:3] == (0, 1, 1)
    assert not frontier.is_finished()
    frontier.commit(lease, Outcome("gone"), 0.0)
    assert frontier.status(0.0)[:3] == (0, 1, 0)
    assert frontier.is_finished()


def test_every_lease_has_a_token_of_its_own(new_frontier):
    frontier = new_frontier()
    frontier.add([entry(f"h{number}.kr/") for number in range(5)])
    tokens = [lease.token for lease in frontier.lease(5, 0.0)]
    assert len(set(tokens)) == 5


def test_released_url_comes_back_in_its_place_with_no_attempt_counted(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    for _ in range(5):
        lease = take(frontier)
        assert (shorts([lease]), lease.attempt) == (["a.kr/1"], 1)
        frontier.release(lease, 0.0)
    assert drain(frontier) == ["a.kr/1", "a.kr/2"]


def test_better_url_that_came_meanwhile_goes_before_the_released_one(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 1.0)])
    lease = take(frontier)
    frontier.add([entry("a.kr/2", 0.0)])
    frontier.release(lease, 0.0)
    assert drain(frontier) == ["a.kr/2", "a.kr/1"]


def test_released_url_can_be_improved_again(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 5.0), entry("b.kr/1", 1.0)])
    frontier.commit(take(frontier), Outcome("gone"), 0.0)
    lease = take(frontier)
    assert frontier.add([entry("a.kr/1", 1.0)]).improved == 0
    frontier.release(lease, 0.0)
    assert frontier.add([entry("a.kr/1", 1.0)]).improved == 1


def settled_lease(frontier, how):
    lease = take(frontier)
    if how == "committed":
        frontier.commit(lease, Outcome("page"), 0.0)
    elif how == "released":
        frontier.release(lease, 0.0)
    return lease if how != "invented" else lease._replace(token=lease.token + 10**6)


@pytest.mark.parametrize("how", ["committed", "released", "invented"])
def test_commit_without_the_lease_adds_its_entries_and_changes_nothing_else(new_frontier, how):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    lease = settled_lease(frontier, how)
    before, counts = frontier.status(100.0), frontier.counts(["a.kr", "a.kr/d/"])
    outcome = Outcome(
        "page", True, True, "a.kr/d/", [entry("a.kr/2"), entry("b.kr/1")], {"a.kr": HostVerdict(discard=True)}
    )
    assert frontier.commit(lease, outcome, 100.0) == CommitResult(added=1, accepted=False)
    assert frontier.counts(["a.kr", "a.kr/d/"]) == counts
    after = frontier.status(100.0)
    assert (after.queued, after.seen, after.leased) == (before.queued + 1, before.seen + 1, before.leased)


def test_second_release_and_release_after_commit_do_nothing(new_frontier):
    frontier = new_frontier(delay=5.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    lease = take(frontier, now=0.0)
    frontier.release(lease, 0.0)
    frontier.release(lease, 0.0, fetched=True)
    assert frontier.next_ready(0.0) == 0.0
    lease = take(frontier, now=0.0)
    frontier.commit(lease, Outcome("page"), 0.0)
    frontier.release(lease, 9.0, fetched=True)
    assert frontier.status(9.0)[:3] == (1, 2, 0)
    assert frontier.next_ready(9.0) == 0.0


def test_unknown_outcome_is_refused_and_the_lease_stays(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    lease = take(frontier)
    with pytest.raises(ValueError, match="'fetched' is unknown; allowed: page, redirect, refused, failed, gone"):
        frontier.commit(lease, Outcome("fetched"), 0.0)
    assert frontier.commit(lease, Outcome("page"), 0.0).accepted


def test_is_finished_only_when_leased_work_can_find_nothing_more(new_frontier):
    frontier = new_frontier()
    assert frontier.is_finished()
    frontier.add([entry("a.kr/1")])
    lease = take(frontier)
    frontier.commit(lease, Outcome("page", entries=[entry("b.kr/1")]), 0.0)
    assert not frontier.is_finished()
    fetch(frontier)
    assert frontier.is_finished()


def test_counts_are_zero_for_what_was_never_fetched(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    assert frontier.counts(["a.kr", "b.kr", "a.kr/d/", "a.kr"]) == [Counts(0, 0)] * 4
    assert frontier.counts([]) == []
