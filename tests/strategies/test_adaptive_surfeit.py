"""One host is not to be the whole crawl."""

from __future__ import annotations

from math import exp, inf, nan

import pytest
from adaptive_web import small_web
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Counts, Visit
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.model import chance_of
from crawler_project.strategies.learning.surfeit import surfeit


@given(st.floats(-20, 20), st.integers(1, 10**6), st.integers(1, 10**9))
def test_chance_of_the_next_page_is_shared_among_those_that_were_had(score, enough, pages):
    lost = surfeit(chance_of(score), pages, enough)
    assert lost >= 0
    assert (lost == 0) == (pages <= enough)
    if lost:
        assert chance_of(score - lost) == pytest.approx(chance_of(score) * enough / pages, rel=1e-3, abs=1e-9)


def test_chance_that_is_certain_costs_a_number_all_the_same():
    assert 0 < surfeit(1.0, 2, 1) < 50
    assert 0 <= surfeit(0.0, 2, 1) < 50
    assert exp(-surfeit(1.0, 10**9, 1)) > 0


def endless_beside(hosts: int, pages: int):
    """A calendar of 3,000 pages on target, and ``hosts`` hosts of ``pages`` pages, nine in ten of them on target."""
    described = [("hub.th/", True)]
    described += [(f"calendar.th/{day // 31}/{day}", True) for day in range(3000)]
    links = [(0, 1)] + [(1 + day, 1 + day + step) for day in range(2970) for step in (1, 7, 30)]
    for host in range(hosts):
        first = len(described)
        described += [(f"h{host}.com/{row}", row % 10 != 3) for row in range(pages)]
        links.append((0, first))
        links += [(first + row, first + end) for row in range(pages) for end in range(row + 1, min(pages, row + 4))]
    return small_web(described, links)


@pytest.fixture(scope="module")
def web():
    return endless_beside(hosts=20, pages=40)


def days_of(web, strategy, limit):
    order = list(Simulator(web, strategy).run(limit))
    return sum(1 <= page <= 3000 for page in order)


def test_endless_host_takes_little_more_than_enough_while_others_have_something(web):
    assert days_of(web, Adaptive(enough=50), 900) <= 250
    assert days_of(web, Adaptive(enough=0), 900) >= 600  # its pages are on target: nothing else speaks against them


def test_endless_host_is_crawled_on_when_there_is_nothing_else(web):
    order = list(Simulator(web, Adaptive(enough=50)).run())
    assert sorted(order) == sorted(Simulator(web, make_strategy("control")).run())


def test_host_that_never_gets_so_far_is_crawled_as_ever(web):
    crawls = [list(Simulator(web, Adaptive(enough=enough)).run(700)) for enough in (0, 700)]
    assert crawls[0] == crawls[1]


def test_host_may_have_a_twentieth_of_a_great_crawl():
    visit = Visit("http://a.th/1", "a.th", "th", "th", True, True, 1, False)
    counts = Counts(30_000, 30_000)
    offsets = []
    for examples, elsewhere in ((400_000, 0), (600_000, 0), (150_000, 450_000)):
        strategy = Adaptive()
        strategy.learner.model.examples, strategy.elsewhere = examples, elsewhere
        offsets.append(strategy.judge_host_of(visit, counts).offset)
    assert offsets[0] > offsets[1] == offsets[2] == Adaptive(enough=0).judge_host_of(visit, counts).offset


@pytest.mark.parametrize("value", ["-1", "0.5", "many", nan, inf, 1e12])
def test_enough_is_a_whole_number(value):
    with pytest.raises(ConfigurationError, match="enough"):
        make_strategy("adaptive", enough=value)
