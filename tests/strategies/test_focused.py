from typing import NamedTuple

from crawler_project.core.values import Visit
from crawler_project.strategies import make_strategy


class FakeLink(NamedTuple):
    tld_is_target: bool = False
    anchor_is_target: bool = False
    tld_evidence: str = "tld th"
    anchor_evidence: str = "anchor th 1.00"
    leads_to_target: bool = False


def visit(is_relevant):
    return Visit("", "", "en", "en", is_relevant, is_relevant, 1, False)


def test_hard_focused_follows_relevant_pages_only():
    strategy = make_strategy("hard_focused")
    assert list(strategy.score_links(visit(True), [FakeLink()])) == [0.0]
    assert list(strategy.score_links(visit(False), [FakeLink()])) == [None]


def test_soft_focused_puts_other_pages_second():
    strategy = make_strategy("soft_focused")
    assert list(strategy.score_links(visit(True), [FakeLink()])) == [0.0]
    assert list(strategy.score_links(visit(False), [FakeLink()])) == [1.0]


def test_experimental_keeps_tld_or_anchor_and_says_which():
    strategy = make_strategy("experimental")
    links = [FakeLink(), FakeLink(tld_is_target=True), FakeLink(anchor_is_target=True), FakeLink(True, True)]
    assert list(strategy.score_links(visit(False), links)) == [None, 0.0, 0.0, 0.0]
    assert [strategy.explain(visit(False), link, 0.0) for link in links[1:]] == ["tld th", "anchor th 1.00", "tld th"]


def test_perfect_follows_what_leads_to_target_pages():
    strategy = make_strategy("perfect")
    assert list(strategy.score_links(visit(True), [FakeLink(), FakeLink(leads_to_target=True)])) == [None, 0.0]
    assert strategy.needs_whole_web
