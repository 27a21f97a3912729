"""Which URL comes next, and what a second link to a URL changes (R2 to R6, R12)."""

from __future__ import annotations

import math

import pytest
from frontier_steps import drain, entry, fetch, give_verdict, shorts, take

from crawler_project.core.values import CommitResult, Entry, HostVerdict, Outcome


def test_first_discovered_comes_first_when_priorities_are_equal(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("b.kr/1"), entry("a.kr/1"), entry("b.kr/2"), entry("a.kr/2")])
    assert drain(frontier) == ["b.kr/1", "a.kr/1", "b.kr/2", "a.kr/2"]


def test_lower_priority_value_comes_first_on_one_host_and_among_hosts(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("a.kr/2", 1.0), entry("b.kr/1", 1.5), entry("b.kr/2", -math.inf)])
    assert drain(frontier) == ["b.kr/2", "a.kr/2", "b.kr/1", "a.kr/1"]


def test_host_precedence_goes_before_url_priority(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 0.0), entry("b.kr/1", 9.0), entry("b.kr/2", 5.0), entry("c.kr/1", -9.0)])
    give_verdict(frontier, "b.kr", HostVerdict(precedence=-1.0))
    give_verdict(frontier, "c.kr", HostVerdict(precedence=1.0))
    assert drain(frontier) == ["b.kr/2", "b.kr/1", "a.kr/1", "c.kr/1"]


def test_one_batch_gives_the_best_url_of_each_of_the_best_hosts(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 3.0), entry("a.kr/2", 1.0), entry("b.kr/1", 2.0), entry("c.kr/1", 0.5)])
    assert shorts(frontier.lease(2, 0.0)) == ["c.kr/1", "a.kr/2"]
    assert shorts(frontier.lease(9, 0.0)) == ["b.kr/1"]
    assert frontier.lease(9, 0.0) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_leased_when_nothing_is_asked_for(new_frontier, limit):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    assert frontier.lease(limit, 0.0) == []


def test_override_puts_a_host_at_one_priority_in_order_of_discovery(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 5.0), entry("b.kr/2", 1.0), entry("b.kr/3", 3.0)])
    give_verdict(frontier, "b.kr", HostVerdict(override=0.0))
    frontier.add([entry("b.kr/4", 0.5), entry("a.kr/2", 0.0)])
    assert drain(frontier) == ["b.kr/1", "b.kr/2", "b.kr/3", "b.kr/4", "a.kr/2", "a.kr/1"]


def test_override_taken_back_gives_urls_their_own_priorities_again(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 5.0), entry("b.kr/2", 1.0)])
    give_verdict(frontier, "b.kr", HostVerdict(override=0.0))
    give_verdict(frontier, "b.kr", HostVerdict())
    assert drain(frontier) == ["b.kr/2", "a.kr/1", "b.kr/1"]


def test_verdict_waits_for_urls_of_a_host_that_is_not_known_yet(new_frontier):
    frontier = new_frontier()
    give_verdict(frontier, "b.kr", HostVerdict(override=-1.0))
    frontier.add([entry("a.kr/1", 0.0), entry("b.kr/1", 5.0), entry("b.kr/2", 1.0)])
    assert drain(frontier) == ["b.kr/1", "b.kr/2", "a.kr/1"]


def test_verdict_on_the_fetched_host_holds_for_its_next_url(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 0.0), entry("a.kr/2", 5.0), entry("b.kr/1", 1.0)])
    fetch(frontier, verdicts={"a.kr": HostVerdict(override=0.5)})
    assert drain(frontier) == ["a.kr/2", "b.kr/1"]


def test_verdict_on_a_host_that_is_being_fetched_holds_when_it_comes_back(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 0.0), entry("a.kr/2", 5.0), entry("a.kr/3", 2.0), entry("b.kr/1", 0.0)])
    first, second = frontier.lease(2, 0.0)
    frontier.commit(second, Outcome("page", verdicts={"a.kr": HostVerdict(override=0.0)}), 0.0)
    frontier.commit(first, Outcome("page"), 0.0)
    assert drain(frontier) == ["a.kr/2", "a.kr/3"]


def test_better_link_improves_a_queued_url_which_keeps_its_place_of_discovery(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0, referrer="old"), entry("a.kr/2", 1.0), entry("b.kr/1", 1.0)])
    better = entry("a.kr/1", 1.0, distance=3, depth=4, parent_language="ko", referrer="new", anchor_text="글", why="x")
    assert frontier.add([better]) == CommitResult(improved=1)
    assert take(frontier).entry == better
    assert drain(frontier) == ["b.kr/1"]


@pytest.mark.parametrize("priority", [2.0, 2.5, math.inf])
def test_link_that_is_not_better_changes_nothing(new_frontier, priority):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0, referrer="first"), entry("a.kr/2", 9.0)])
    assert frontier.add([entry("a.kr/1", priority, distance=0, referrer="second")]) == CommitResult()
    assert take(frontier).entry.referrer == "first"


@pytest.mark.parametrize(("compare_distance", "improved"), [(True, 1), (False, 0)])
def test_smaller_distance_improves_at_equal_priority_if_distances_are_compared(
    new_frontier, compare_distance, improved
):
    frontier = new_frontier(compare_distance=compare_distance)
    frontier.add([entry("a.kr/1", 2.0, distance=3)])
    assert frontier.add([entry("a.kr/1", 2.0, distance=2)]).improved == improved
    assert frontier.add([entry("a.kr/1", 2.5, distance=1)]).improved == 0
    assert take(frontier).entry.distance == 3 - improved


@pytest.mark.parametrize("kind", ["page", "redirect", "refused", "gone"])
def test_links_to_leased_and_done_urls_are_ignored(new_frontier, kind):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 5.0), entry("z.kr/1", 9.0)])
    lease = take(frontier)
    assert frontier.add([entry("a.kr/1", 0.0)])[:2] == (0, 0)
    frontier.commit(lease, Outcome(kind), 0.0)
    assert frontier.add([entry("a.kr/1", -1.0)])[:2] == (0, 0)
    assert drain(frontier) == ["z.kr/1"]


def test_of_several_links_to_one_url_on_a_page_the_best_counts_in_the_place_of_the_first(new_frontier):
    frontier = new_frontier()
    links = [entry("a.kr/1", 2.0), entry("b.kr/1", 1.0), entry("a.kr/1", 1.0, why="best"), entry("a.kr/1", 1.0)]
    assert frontier.add(links)[:2] == (2, 0)
    lease = take(frontier)
    assert (shorts([lease]), lease.entry.why) == (["a.kr/1"], "best")


def test_link_back_to_the_page_itself_is_ignored(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    assert fetch(frontier, entry("a.kr/1", -5.0)).added == 0
    assert frontier.is_finished()


def test_entry_comes_back_as_it_was_added(new_frontier):
    frontier = new_frontier()
    added = Entry(
        "http://www.xn--3e0b707e.kr:8080/a%20b/?q=1&r=%00",
        "www.xn--3e0b707e.kr:8080",
        priority=0.25,
        distance=7,
        depth=12,
        parent_language="ko",
        referrer="https://b.kr/",
        anchor_text="한국어\x00 글 \U0001f600",
        why="anchor ko 0.98",
        redirects=3,
        origin="https://c.kr/?x",
    )
    frontier.add([added])
    assert take(frontier).entry == added


@pytest.mark.parametrize(
    "url", ["https://a.kr", "https://a.krx/", "http://other.kr/a", "/a", ":/a", "=x", "HTTPS://a.kr/"]
)
def test_url_that_does_not_fit_its_host_comes_back_all_the_same(new_frontier, url):
    frontier = new_frontier()
    frontier.add([Entry(url, "a.kr")])
    assert take(frontier).entry == Entry(url, "a.kr")


def test_lone_surrogates_and_undefined_priorities_never_raise(new_frontier):
    frontier = new_frontier()
    odd = Entry("https://a.kr/\udc80", "a.kr", math.nan, anchor_text="\ud800", why="\udfff", referrer="\ud83d")
    frontier.add([odd, Entry("https://b\udc80.kr/", "b\udc80.kr"), entry("c.kr/1", 7.0)])
    assert frontier.status(0.0).queued == 3
    leases = frontier.lease(3, 0.0)
    assert [lease.entry.priority for lease in leases] == [0.0, 7.0, math.inf]
    for lease in leases:
        frontier.commit(lease, Outcome("failed", reason="\ud800", entries=[odd]), 0.0)
    assert frontier.status(0.0).leased == 0
    assert frontier.status(0.0).queued == 3


def test_thousands_of_links_in_one_commit_keep_their_order(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/0")])
    links = [entry(f"h{number % 700}.kr/{number}", float(number % 3)) for number in range(3000)]
    assert fetch(frontier, *links).added == 3000
    assert frontier.add(links)[:2] == (0, 0)
    assert drain(frontier) == [f"h{n % 700}.kr/{n}" for n in sorted(range(3000), key=lambda n: (n % 3, n))]


def test_host_that_ran_empty_takes_its_place_by_its_new_url(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    fetch(frontier, entry("c.kr/1"))
    fetch(frontier, entry("a.kr/2"), entry("b.kr/2"))
    assert drain(frontier) == ["c.kr/1", "a.kr/2", "b.kr/2"]


def test_offset_moves_all_urls_of_a_host_among_the_others(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 4.0), entry("b.kr/2", 1.5), entry("c.kr/1", 1.0)])
    give_verdict(frontier, "b.kr", HostVerdict(offset=-1.0))
    frontier.add([entry("b.kr/3", 2.5)])
    assert drain(frontier) == ["b.kr/2", "c.kr/1", "b.kr/3", "a.kr/1", "b.kr/1"]


def test_offset_holds_until_the_next_verdict(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 1.0)])
    give_verdict(frontier, "b.kr", HostVerdict(offset=5.0))
    give_verdict(frontier, "b.kr", HostVerdict(offset=0.5))
    assert drain(frontier) == ["b.kr/1", "a.kr/1"]


@pytest.mark.parametrize("offset", [math.nan, math.inf, -math.inf])
def test_host_with_an_impossible_offset_is_still_served(new_frontier, offset):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    give_verdict(frontier, "b.kr", HostVerdict(offset=offset))
    assert sorted(drain(frontier)) == ["a.kr/1", "b.kr/1"]


def test_released_url_takes_another_priority_and_keeps_its_place_in_line(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 1.0), entry("a.kr/2", 2.0), entry("b.kr/1", 2.0)])
    frontier.release(take(frontier), 0.0, priority=2.0)
    assert drain(frontier) == ["a.kr/1", "a.kr/2", "b.kr/1"]


def test_url_that_was_released_with_a_worse_priority_can_be_improved_again(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 1.0), entry("b.kr/1", 3.0)])
    frontier.release(take(frontier), 0.0, priority=9.0)
    assert frontier.add([entry("a.kr/1", 2.0)]).improved == 1
    assert drain(frontier) == ["a.kr/1", "b.kr/1"]


def test_url_that_was_put_back_behind_all_others_is_improved_by_a_better_link(new_frontier):
    """What was queued never had so bad a priority: a link that is no better than those is better than this one."""
    frontier = new_frontier(best_priority=0.0) if new_frontier.kind == "redis" else new_frontier()
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 3.0)])
    frontier.release(take(frontier), 0.0, priority=9.0)
    assert fetch(frontier, entry("a.kr/1", 4.0, why="better")).improved == 1
    lease = take(frontier)
    assert (lease.entry.url, lease.entry.priority, lease.entry.why) == ("https://a.kr/1", 4.0, "better")


def test_override_of_a_host_with_very_many_priorities_goes_by_first_discovery(new_frontier):
    frontier = new_frontier()
    frontier.add([entry(f"a.kr/{number}", 100.0 - number) for number in range(100)])
    give_verdict(frontier, "a.kr", HostVerdict(override=0.5))
    assert drain(frontier) == [f"a.kr/{number}" for number in range(100)]


def test_hosts_of_very_many_priorities_change_places_with_each_verdict(new_frontier):
    frontier = new_frontier()
    frontier.add([entry(f"{host}.kr/{number}", number / 7) for number in range(50) for host in "ab"])
    order = []
    for turn in range(10):
        give_verdict(frontier, f"{'ab'[turn % 2]}.kr", HostVerdict(precedence=-turn / 3 - 1.0))
        lease = take(frontier)
        order += shorts([lease])
        frontier.commit(lease, Outcome("gone", fetched=False), 0.0)
    assert order == [f"{'ab'[turn % 2]}.kr/{turn // 2}" for turn in range(10)]
