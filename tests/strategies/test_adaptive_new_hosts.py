"""How sure a crawl may be of hosts that it has no page of."""

from __future__ import annotations

from math import log

import pytest
from adaptive_web import PlainLink, small_web
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.values import UNKNOWN, Visit
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import HOST, PARENT, PLACES
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.model import chance_of, log_odds
from crawler_project.strategies.learning.new_hosts import OFF_TARGET, ON_TARGET, SURE, NewHosts

HUB = Visit("http://hub.kr/", "hub.kr", "ko", "ko", True, True, 1, True)
BEGUN = ON_TARGET / (ON_TARGET + OFF_TARGET)


def confident() -> Adaptive:
    """One that is sure of whatever a target page links to."""
    strategy = Adaptive()
    strategy.learner.model.weights[PARENT : PARENT + 18] = [9.0] * 18
    strategy.learn_one("", HUB)
    return strategy


def chance(strategy: Adaptive, link: PlainLink) -> float:
    weighing = strategy.weigh(link.url, link.host, strategy.evidence(HUB, link))
    assert weighing is not None
    return weighing.chance


def first_page(strategy: Adaptive, host: str, *, is_target: bool, is_gone: bool = False) -> None:
    link = PlainLink(f"http://{host}/", host)
    evidence = strategy.evidence(HUB, link)
    learn = strategy.learn_gone if is_gone else strategy.learn_one
    learn(evidence, Visit(link.url, host, UNKNOWN, UNKNOWN, is_target, is_target, 1, False))


NEW, KNOWN = PlainLink("http://new.kr/", "new.kr"), PlainLink("http://hub.kr/a", "hub.kr", same_host=True)


def test_new_host_is_believed_in_no_more_than_others_began():
    strategy = confident()
    assert chance(strategy, NEW) == pytest.approx(BEGUN)
    assert chance(strategy, KNOWN) > 0.99


@pytest.mark.parametrize(("is_target", "expected"), [(True, (4, 0)), (False, (0, 4))])
def test_first_pages_say_how_far_new_hosts_are_believed_in(is_target, expected):
    strategy = confident()
    for number in range(4):
        first_page(strategy, f"h{number}.kr", is_target=is_target)
    counts = strategy.learner.new_hosts
    assert (counts.on_target, counts.off_target) == expected
    assert chance(strategy, NEW) <= chance_of(counts.most) + 1e-9


def test_further_pages_missing_pages_and_hosts_that_looked_poor_say_nothing():
    strategy = confident()
    first_page(strategy, "a.kr", is_target=True)
    before = strategy.learner.new_hosts.to_json()
    first_page(strategy, "a.kr", is_target=False)
    first_page(strategy, "b.kr", is_target=False, is_gone=True)
    strategy.learner.model.weights[PARENT : PARENT + 18] = [-9.0] * 18
    first_page(strategy, "c.kr", is_target=False)
    assert strategy.learner.new_hosts.to_json() == before


def test_what_poor_links_are_worth_is_left_alone():
    strategy = Adaptive()
    strategy.learner.model.weights[PARENT : PARENT + 18] = [-3.0] * 18
    strategy.learn_one("", HUB)
    low = chance(strategy, NEW)
    strategy.learner.new_hosts = NewHosts(0, 10**6)
    assert chance(strategy, NEW) == low < chance_of(SURE)


@pytest.mark.parametrize("link", [NEW, KNOWN])
def test_parts_add_up_to_the_chance(link):
    strategy = confident()
    weighing = strategy.weigh(link.url, link.host, strategy.evidence(HUB, link))
    assert sum(value for _, value in weighing.parts) == pytest.approx(log_odds(weighing.chance))
    assert (dict(weighing.parts).get(HOST, 0.0) < -1) == (link is NEW)
    strategy.score_links(HUB, [link])
    assert ("host no page yet -" in strategy.explain(HUB, link, 0.0)) == (link is NEW)


def test_known_host_is_fetched_to_its_end_before_hosts_that_look_better_than_they_can_be_known_to():
    pages = [("hub.kr/", True)] + [(f"hub.kr/{row}", True) for row in range(40)]
    pages += [(f"n{row}.kr/", row % 4 != 0) for row in range(10)]
    links = [(page, page + step) for page in range(40) for step in (1, 2) if page + step <= 40]
    links += [(page, 41 + page % 10) for page in range(41)]
    strategy = Adaptive()
    for row in range(PARENT, PARENT + 18, len(PLACES)):
        strategy.learner.model.weights[row] = 9.0  # links of target pages to other sites
    order = list(Simulator(small_web(pages, links), strategy).run())
    others = sum(page > 40 for page in order[:41])
    assert others <= 1  # shows how new ones begin; without the bound there are eight
    assert sorted(order) == list(range(51))


@given(st.integers(0, 1000), st.integers(0, 1000), st.floats(-20, 20), st.booleans())
def test_bound_is_the_odds_of_what_came(good, bad, score, is_target):
    counts = NewHosts(good, bad)
    assert counts.most == max(SURE, log((ON_TARGET + good) / (OFF_TARGET + bad)))
    before = counts.most
    counts.add(score, is_target)
    assert counts.most == before if score < SURE else (counts.most >= before if is_target else counts.most <= before)
    assert NewHosts.from_json(counts.to_json()).to_json() == counts.to_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "[]",
        "[8]",
        '["8", 1]',
        "[8.5, 1]",
        "[NaN, 1]",
        "[8, -1]",
        "[true, 1]",
        "[8, Infinity]",
        "[8, 1e99]",
        "{",
    ],
)
def test_damaged_counts_are_refused(text):
    state = Learner().state() | {"new_hosts": text.encode()}
    with pytest.raises(ValueError):
        Learner.from_state(state)
