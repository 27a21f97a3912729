"""Lessons of a topic crawl: kept with the frontier, learned again after a stop and by other workers."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from crawler_project.core.values import NO_COUNTS, NO_SCORES, Counts, LinkScores, Visit
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.strategies.topic_learned import TopicLearned
from crawler_project.topics import lesson_book
from crawler_project.topics.lesson_book import LessonBook


class FakeLink(NamedTuple):
    url: str
    anchor_text: str
    host: str = "a.example"
    same_host: bool = True
    scores: LinkScores = NO_SCORES
    context: str = ""
    counts: Counts = NO_COUNTS


def visit(url: str, is_target: bool = False) -> Visit:
    return Visit(url, "a.example", "x", "x", is_target, is_target, 1, False)


def crawl(frontier: EmbeddedFrontier, book: LessonBook, strategy: TopicLearned, pages: range) -> None:
    """Download pages that a good and a bad word lead to in turn, as a spider does."""
    for number in pages:
        link = FakeLink(f"http://a.example/{number}", "course" if number % 2 else "map")
        evidence = strategy.evidence(visit("http://a.example/"), link)
        strategy.learn_one(evidence, visit(link.url, number % 2 == 1))
        for name, text in book.write(link.url, evidence, number % 2 == 1).items():
            frontier.set_note(name, text)


def gap(strategy: TopicLearned) -> float:
    """How much sooner the good word's link is fetched."""
    links = [FakeLink("http://a.example/x", anchor) for anchor in ("map", "course")]
    bad, good = strategy.score_links(visit("http://a.example/p"), links)
    return bad - good


@pytest.fixture
def frontier() -> EmbeddedFrontier:
    return EmbeddedFrontier(None, identity={})


def test_crawl_that_is_continued_knows_what_it_knew(frontier: EmbeddedFrontier) -> None:
    before = TopicLearned()
    crawl(frontier, LessonBook(frontier, "", before), before, range(20))
    after = TopicLearned()
    book = LessonBook(frontier, "", after)
    assert gap(after) == 0
    assert book.read() == 20
    assert gap(after) == pytest.approx(gap(before), abs=0.05)
    crawl(frontier, book, after, range(20, 22))
    assert len(frontier.notes("lesson ")) == 22


def test_workers_learn_from_each_other(frontier: EmbeddedFrontier) -> None:
    one, other = TopicLearned(), TopicLearned()
    crawl(frontier, LessonBook(frontier, "a", one), one, range(20))
    book = LessonBook(frontier, "b", other)
    crawl(frontier, book, other, range(100, 101))
    assert gap(other) == pytest.approx(gap(one), abs=0.05)
    assert book.read() == 0


def test_notes_are_bounded_and_the_latest_are_kept(frontier: EmbeddedFrontier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_book, "MOST_NOTES", 5)
    strategy = TopicLearned()
    crawl(frontier, LessonBook(frontier, "", strategy), strategy, range(12))
    assert len(frontier.notes("lesson ")) == 5
    assert LessonBook(frontier, "", TopicLearned()).read() == 5
    again = LessonBook(frontier, "", TopicLearned())
    again.read()
    (name,) = again.write("http://a.example/next", "evidence", True)
    assert name == "lesson  2"


@pytest.mark.parametrize("text", ["", "[]", "{}", "[1, 2]", '["a", 1, "x", true]', "[0, 1, 2, 3]", "null"])
def test_damaged_notes_are_passed_over(frontier: EmbeddedFrontier, text: str) -> None:
    frontier.set_note("lesson a 0", text)
    assert LessonBook(frontier, "b", TopicLearned()).read() == 0
