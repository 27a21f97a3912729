"""Notes of a crawl and the evidence of queued links."""

from __future__ import annotations

import pytest
from frontier_steps import entry, fetch, take

from crawler_project.core.values import CommitResult, Outcome


def test_note_is_kept_by_name(new_frontier):
    frontier = new_frontier()
    assert frontier.note("weights") is None
    frontier.set_note("weights", "1 2 3")
    frontier.set_note("weights", "4 5 6")
    assert frontier.note("weights") == "4 5 6"


def test_notes_are_found_by_the_beginning_of_their_names(new_frontier):
    frontier = new_frontier()
    for name in ("site a.kr", "site b.kr", "sitemap", "site*", "other"):
        frontier.set_note(name, name.upper())
    assert frontier.notes("site ") == {"site a.kr": "SITE A.KR", "site b.kr": "SITE B.KR"}
    assert frontier.notes("site*") == {"site*": "SITE*"}
    assert frontier.notes("nothing") == {}
    assert len(frontier.notes("")) == 5


def test_notes_of_an_outcome_are_written_with_its_commit(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    fetch(frontier, notes={"site a.kr": "accepted", "weights": ""})
    assert frontier.notes("") == {"site a.kr": "accepted", "weights": ""}


def test_notes_of_a_commit_whose_lease_is_lost_are_not_written(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    lease = take(frontier)
    frontier.commit(lease, Outcome("gone", notes={"weights": "new"}), 0.0)
    late = frontier.commit(lease, Outcome("gone", notes={"weights": "old"}), 0.0)
    assert late == CommitResult(accepted=False)
    assert frontier.note("weights") == "new"


def test_a_thousand_notes_come_back(new_frontier):
    frontier = new_frontier()
    for number in range(1000):
        frontier.set_note(f"site h{number}.kr", str(number))
    frontier.set_note("weights", "x")
    assert frontier.notes("site ") == {f"site h{number}.kr": str(number) for number in range(1000)}


@pytest.mark.parametrize("text", ["", "\x00", "\r\n", "*?[a-z]\\", "한국어", "x" * 100_000])
def test_any_text_is_a_name_and_a_note(new_frontier, text):
    frontier = new_frontier()
    frontier.set_note(text, text)
    assert frontier.note(text) == text
    assert frontier.notes(text) == {text: text}


def test_note_with_a_lone_surrogate_is_kept_with_a_question_mark(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1")])
    fetch(frontier, notes={"\udc80": "a\ud800"})
    assert frontier.note("\udc80") == "a?"
    assert frontier.notes("\udc80") == {"?": "a?"}


def test_evidence_comes_back_with_the_lease(new_frontier):
    frontier = new_frontier()
    first = entry("a.kr/1", evidence="tld=kr anchor=\u0000한국 0.25", why="tld kr")
    second = entry("a.kr/2", evidence="x" * 300)
    frontier.add([first, second, entry("a.kr/3")])
    for expected in (first, second, entry("a.kr/3")):
        lease = take(frontier)
        assert lease.entry == expected
        frontier.commit(lease, Outcome("gone", fetched=False), 0.0)


def test_evidence_is_that_of_the_better_link(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1", 2.0, evidence="old")])
    frontier.add([entry("a.kr/1", 1.0, evidence="new")])
    assert take(frontier).entry.evidence == "new"


def test_evidence_survives_a_failed_attempt(new_frontier):
    frontier = new_frontier(retry_delay=0.0)
    frontier.add([entry("a.kr/1", evidence="e")])
    fetch(frontier, kind="failed")
    assert take(frontier).entry.evidence == "e"


def test_lesson_changes_nothing_that_is_stored_of_the_crawl(new_frontier):
    frontier = new_frontier()
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    assert fetch(frontier, lesson="learned") == CommitResult()
    assert fetch(frontier, lesson="") == CommitResult()
    assert frontier.notes("") == {}
