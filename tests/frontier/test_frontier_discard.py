"""Discarding a host: all its queued URLs at once, and what comes after (R4, R6, R14, R15)."""

from __future__ import annotations

from frontier_steps import drain, entry, fetch, give_verdict, shorts, take

from crawler_project.core.values import HostVerdict, Outcome

DISCARD = HostVerdict(discard=True)
KEEP = HostVerdict()


def test_discard_drops_everything_that_is_queued_on_the_host(new_frontier):
    frontier = new_frontier()
    frontier.add([*(entry(f"a.kr/{number}") for number in range(500)), entry("b.kr/1")])
    give_verdict(frontier, "a.kr", DISCARD)
    assert frontier.status(0.0).queued == 1
    assert frontier.status(0.0).hosts_ready == 1
    assert drain(frontier) == ["b.kr/1"]
    assert frontier.is_finished()


def test_link_to_a_discarded_host_leaves_no_trace(new_frontier):
    frontier = new_frontier()
    give_verdict(frontier, "a.kr", DISCARD)
    seen = frontier.status(0.0).seen
    assert frontier.add([entry("a.kr/1"), entry("b.kr/1")]).added == 1
    assert frontier.status(0.0).seen == seen + 1
    give_verdict(frontier, "a.kr", KEEP)
    assert frontier.add([entry("b.kr/2"), entry("a.kr/1")]).added == 2
    assert drain(frontier) == ["b.kr/1", "b.kr/2", "a.kr/1"]


def test_links_of_the_page_that_discards_are_not_queued(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    result = fetch(frontier, entry("a.kr/2"), entry("b.kr/1"), verdicts={"a.kr": DISCARD})
    assert result.added == 1
    assert drain(frontier) == ["b.kr/1"]


def test_links_of_the_page_that_takes_a_discard_back_are_queued(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    give_verdict(frontier, "a.kr", DISCARD)
    assert fetch(frontier, entry("a.kr/1"), entry("a.kr/2"), verdicts={"a.kr": KEEP}).added == 2
    assert drain(frontier) == ["a.kr/1", "a.kr/2"]


def test_dropped_url_comes_back_with_its_old_place_and_its_new_context(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", referrer="old"), entry("b.kr/1"), entry("a.kr/2")])
    give_verdict(frontier, "a.kr", DISCARD)
    give_verdict(frontier, "a.kr", KEEP)
    assert frontier.status(0.0).queued == 1  # what was dropped stays so until it is linked to again
    seen = frontier.status(0.0).seen
    result = frontier.add([entry("a.kr/2"), entry("a.kr/1", referrer="new")])
    assert (result.added, result.improved) == (2, 0)
    assert frontier.status(0.0).seen == seen
    lease = take(frontier)
    assert (shorts([lease]), lease.entry.referrer) == (["a.kr/1"], "new")
    assert drain(frontier) == ["b.kr/1"]
    frontier.release(lease, 0.0)
    assert drain(frontier) == ["a.kr/1", "a.kr/2"]


def test_dropped_urls_come_back_also_after_their_rows_were_cleared_away(new_frontier):
    frontier = new_frontier()
    names = [f"a.kr/{number}" for number in range(300)]
    frontier.add([entry(name) for name in names])
    give_verdict(frontier, "a.kr", DISCARD)
    for number in range(20):  # clearing goes on with every commit
        frontier.add([entry(f"b.kr/{number}")])
        fetch(frontier)
    give_verdict(frontier, "a.kr", KEEP)
    assert frontier.add([entry(name) for name in reversed(names)]).added == 300
    assert drain(frontier) == names


def test_dropped_urls_come_back_also_before_their_rows_were_cleared_away(new_frontier):
    frontier = new_frontier()
    names = [f"a.kr/{number}" for number in range(3000)]
    frontier.add([entry(name, 1.0, why="old") for name in names])
    give_verdict(frontier, "a.kr", DISCARD)
    give_verdict(frontier, "a.kr", KEEP)
    again = names[::3]
    assert frontier.add([entry(name, 2.0, why="new") for name in reversed(again)])[:2] == (1000, 0)
    assert frontier.status(0.0).queued == 1000
    assert take(frontier).entry.why == "new"
    assert drain(frontier) == []


def test_clearing_away_spares_what_came_back(new_frontier):
    frontier = new_frontier()
    names = [f"a.kr/{number}" for number in range(3000)]
    frontier.add([entry(name) for name in names])
    give_verdict(frontier, "a.kr", DISCARD)
    give_verdict(frontier, "a.kr", KEEP)
    frontier.add([entry(name) for name in names[::3]])
    assert drain(frontier) == names[::3]
    assert frontier.add([entry(name) for name in names]).added == 2000
    assert drain(frontier) == [name for number, name in enumerate(names) if number % 3]


def test_done_and_dead_urls_of_a_discarded_host_never_come_back(new_frontier):
    frontier = new_frontier(max_attempts=1)
    frontier.add([entry("a.kr/done"), entry("a.kr/dead"), entry("a.kr/queued")])
    fetch(frontier)
    frontier.commit(take(frontier), Outcome("failed", reason="timeout"), 0.0)
    give_verdict(frontier, "a.kr", DISCARD)
    give_verdict(frontier, "a.kr", KEEP)
    assert frontier.add([entry("a.kr/done", -1.0), entry("a.kr/dead", -1.0), entry("a.kr/queued")]).added == 1
    assert drain(frontier) == ["a.kr/queued"]


def test_host_can_be_discarded_and_kept_again_many_times(new_frontier):
    frontier = new_frontier()
    for _ in range(10):
        assert frontier.add([entry("a.kr/1"), entry("a.kr/2")]).added == 2
        give_verdict(frontier, "a.kr", DISCARD)
        assert frontier.is_finished()
        give_verdict(frontier, "a.kr", KEEP)
    assert frontier.add([entry("a.kr/2"), entry("a.kr/1")]).added == 2
    assert drain(frontier) == ["a.kr/1", "a.kr/2"]


def discarded_while_leased(new_frontier, **options):
    frontier = new_frontier(retry_delay=0.0, **options)
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("a.kr/3")])
    lease = take(frontier)
    give_verdict(frontier, "a.kr", DISCARD)
    assert frontier.status(0.0)[0] == 0
    assert frontier.status(0.0).leased == 1
    return frontier, lease


def test_lease_on_a_discarded_host_can_still_be_committed(new_frontier):
    frontier, lease = discarded_while_leased(new_frontier)
    assert frontier.commit(lease, Outcome("page", is_target=True), 0.0).accepted
    assert frontier.counts(["a.kr"]) == [(1, 1)]
    assert frontier.is_finished()
    give_verdict(frontier, "a.kr", KEEP)
    assert frontier.add([entry("a.kr/1"), entry("a.kr/2")]).added == 1


def test_failed_or_released_url_of_a_discarded_host_is_dropped(new_frontier):
    for settle in (
        lambda frontier, lease: frontier.release(lease, 0.0),
        lambda frontier, lease: frontier.commit(lease, Outcome("failed"), 0.0),
    ):
        frontier, lease = discarded_while_leased(new_frontier, max_attempts=1)
        settle(frontier, lease)
        assert frontier.is_finished()
        assert frontier.dead() == []
        give_verdict(frontier, "a.kr", KEEP)
        assert frontier.add([entry("a.kr/1")]).added == 1
        assert take(frontier).attempt == 1
