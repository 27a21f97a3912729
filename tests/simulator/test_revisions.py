"""A strategy that comes to think better of queued URLs: the simulator moves them up, a live crawl queues them anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from crawler_project.core.errors import FrontierAwayError
from crawler_project.core.seams import ScorableLink
from crawler_project.core.target import Target
from crawler_project.core.values import Counts, Entry, Link, Page, Relevance, Visit
from crawler_project.crawling.focus import Focus
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.base import Revision, Strategy

URLS = [f"http://a.example/{number}" for number in range(6)]


class SecondThoughts(Strategy):
    """First discovered first; after the second page the last link is thought the best, and others worse than they stand."""

    name = "second_thoughts"

    def __init__(self) -> None:
        self.learned: list[tuple[str, str]] = []

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> list[float | None]:
        return [5.0 for _ in links]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return "link"

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return "first"

    def learn_one(self, evidence: str, visit: Visit) -> None:
        self.learned.append((visit.url, evidence))

    def revisions(self) -> list[Revision]:
        if len(self.learned) != 2:
            return []
        return [
            Revision(URLS[5], 1.0, "second"),
            Revision(URLS[4], 9.0, "worse"),
            Revision(URLS[0], 0.0, "done"),
            Revision("http://b.example/", 0.0, "unknown"),
        ]


def star() -> Web:
    """One page that links to five."""
    n = len(URLS)
    return Web(
        "en", frozenset(), pa.array(URLS, pa.large_string()), ["a.example"], np.zeros(n, np.int32), ["example"],
        np.zeros(n, np.int32), ["en", "und"], np.zeros(n, np.int16), np.array([0] + [n - 1] * n),
        np.arange(1, n, dtype=np.int32), np.ones(n - 1, bool), np.array([0], np.int32),
    )  # fmt: skip


def test_simulator_moves_up_what_is_queued_and_passes_over_the_rest() -> None:
    strategy = SecondThoughts()
    assert list(Simulator(star(), strategy).run()) == [0, 1, 5, 2, 3, 4]
    assert dict(strategy.learned)[URLS[5]] == "second"
    assert dict(strategy.learned)[URLS[4]] == "first"


class AnyJudge:
    def judge(self, page: Page) -> Relevance:
        return Relevance(True, 1.0, "en")

    def judge_anchor(self, text: str, page_language: str, tld: str) -> Relevance:
        return Relevance(True, 1.0, "en")


def test_live_crawl_gives_the_entries_again_with_their_new_priority() -> None:
    """What else the frontier has of a URL stays as it is; what is no better, or waits no more, is passed over."""
    target = Target(frozenset({"en"}), frozenset())
    focus = Focus(target, AnyJudge(), AnyJudge(), SecondThoughts(), lambda units: [])
    queued = {
        URLS[5]: Entry(URLS[5], "a.example", 5.0, 3, 7, anchor_text="as it was"),
        URLS[4]: Entry(URLS[4], "a.example", 5.0),
    }
    asked: list[tuple[str, str]] = []
    focus.look_up = lambda url, host: (asked.append((url, host)), queued.get(url))[1]
    front = Page(URLS[0], links=tuple(Link(url, "anchor") for url in URLS[1:]))
    first = focus.decide(Entry(URLS[0], "a.example"), front, "a.example")
    assert (len(first.entries), list(first.revised), asked) == (5, [], [])
    links = (Link(URLS[5], "worse"), Link(URLS[3], "other"))
    second = focus.decide(first.entries[0], Page(URLS[1], links=links), "a.example")
    assert second.revised == [queued[URLS[5]]._replace(priority=1.0, evidence="second")]
    assert [entry.url for entry in second.entries] == [URLS[3]]  # one entry a URL, the better one
    assert asked[:2] == [(URLS[5], "a.example"), (URLS[4], "a.example")]


def test_page_is_not_learned_from_before_its_links_can_be_scored() -> None:
    """When the frontier is away the page comes again: it would count twice."""

    def away(units: Sequence[str]) -> Sequence[Counts]:
        raise FrontierAwayError("away")

    learner = Adaptive()
    focus = Focus(Target(frozenset({"en"}), frozenset()), AnyJudge(), AnyJudge(), learner, away)
    page = Page(URLS[0], links=(Link(URLS[1], "anchor"),))
    with pytest.raises(FrontierAwayError):
        focus.decide(Entry(URLS[0], "a.example"), page, "a.example")
    assert learner.state() == Adaptive().state()


def test_link_of_a_page_keeps_its_own_distance_when_an_earlier_one_is_better_still() -> None:
    """As in the simulator: the page's link takes the place of what was queued, and gets the priority of the revision."""
    focus = Focus(Target(frozenset({"en"}), frozenset()), AnyJudge(), AnyJudge(), SecondThoughts(), lambda units: [])
    poor = Entry(URLS[5], "a.example", 500.0, 3, 7, anchor_text="as it was")
    front = Page(URLS[0], links=tuple(Link(url, "anchor") for url in URLS[1:]))
    first = focus.decide(Entry(URLS[0], "a.example"), front, "a.example")
    focus.look_up = lambda url, host: poor if url == poor.url else None
    second = focus.decide(first.entries[0], Page(URLS[1], links=(Link(URLS[5], "better"),)), "a.example")
    assert second.revised == []
    [found] = second.entries
    assert (found.url, found.priority, found.evidence) == (URLS[5], 1.0, "second")
    assert (found.distance, found.depth, found.referrer, found.anchor_text) == (1, 2, URLS[1], "better")
