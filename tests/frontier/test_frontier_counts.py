"""Counts of hosts and directories, what robots.txt said, and the figures at a glance."""

from __future__ import annotations

import pytest
from frontier_steps import entry, fetch, take

from crawler_project.core.values import Counts, FrontierStatus, HostRules, Outcome


def test_pages_and_target_pages_are_counted_for_host_and_directory(new_frontier):
    frontier = new_frontier()
    frontier.add([entry(f"a.kr/d/{number}") for number in range(3)])
    fetch(frontier, is_target=True, directory="a.kr/d/")
    fetch(frontier, is_target=False, directory="a.kr/d/")
    fetch(frontier, is_target=True)
    assert frontier.counts(["a.kr/d/", "a.kr", "b.kr"]) == [Counts(2, 1), Counts(3, 2), Counts(0, 0)]


@pytest.mark.parametrize("kind", ["redirect", "refused", "failed", "gone"])
def test_only_pages_are_counted(new_frontier, kind):
    frontier = new_frontier()
    frontier.add([entry("a.kr/d/1")])
    fetch(frontier, kind=kind, is_target=True, directory="a.kr/d/")
    assert frontier.counts(["a.kr", "a.kr/d/"]) == [Counts(0, 0), Counts(0, 0)]


def test_counts_can_be_asked_for_thousands_of_units(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("h77.kr/1")])
    fetch(frontier, directory="h77.kr/")
    units = [f"h{number}.kr{'/' * (number % 2)}" for number in range(5000)]
    counts = frontier.counts(units)
    assert len(counts) == 5000
    assert [unit for unit, count in zip(units, counts, strict=True) if count.pages] == ["h77.kr/"]


def test_host_rules_come_back_as_they_were_set(new_frontier):
    frontier = new_frontier()
    assert frontier.host_rules("a.kr") is None
    long = HostRules("Disallow: /한국\n" * 30_000, expires=123.5, delay=2.5)
    frontier.set_host_rules("a.kr", long)
    frontier.set_host_rules("b.kr", HostRules("", expires=0.0))
    assert frontier.host_rules("a.kr") == long
    assert frontier.host_rules("b.kr") == HostRules("", 0.0, None)
    frontier.set_host_rules("a.kr", HostRules("x", 9.0))
    assert frontier.host_rules("a.kr") == HostRules("x", 9.0)


def test_host_rules_alone_queue_nothing(new_frontier):
    frontier = new_frontier()
    frontier.set_host_rules("a.kr", HostRules("", 9.0, 5.0))
    assert frontier.status(0.0) == FrontierStatus(0, 0, 0, 0, 0, 0)
    assert frontier.is_finished()


def test_host_rules_do_not_disturb_the_queue_of_their_host(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    lease = take(frontier)
    frontier.set_host_rules("a.kr", HostRules("", 9.0))
    frontier.commit(lease, Outcome("page"), 0.0)
    frontier.set_host_rules("a.kr", HostRules("", 9.0))
    assert frontier.status(0.0) == FrontierStatus(1, 2, 0, 1, 0, 0)


def test_status_tells_ready_hosts_from_those_that_rest_or_are_being_fetched_from(new_frontier):
    frontier = new_frontier(delay=10.0)
    frontier.add([entry(f"{host}.kr/{page}") for host in "abcd" for page in range(2)] + [entry("e.kr/1")])
    assert frontier.status(0.0) == FrontierStatus(9, 9, 0, 5, 0, 0)
    fetch(frontier, now=0.0)
    assert frontier.status(0.0) == FrontierStatus(8, 9, 0, 4, 1, 0)
    leases = frontier.lease(4, now=0.0)
    assert frontier.status(0.0) == FrontierStatus(4, 9, 4, 0, 4, 0)  # e.kr has nothing more to wait for
    assert frontier.status(10.0) == FrontierStatus(4, 9, 4, 1, 3, 0)
    for lease in leases:
        frontier.release(lease, 10.0)
    assert frontier.status(10.0) == FrontierStatus(8, 9, 0, 5, 0, 0)


def test_outputs_are_those_of_the_latest_checkpoint(new_frontier):
    frontier = new_frontier()
    assert frontier.outputs() == {}
    frontier.checkpoint({"crawled-ko.csv": 10, "crawled-en.csv": 2**40})
    frontier.checkpoint({"crawled-ko.csv": 12})
    assert frontier.outputs() == {"crawled-ko.csv": 12}
