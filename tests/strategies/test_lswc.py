"""The classes of R11, one rule a test."""

from typing import NamedTuple

import pytest

from crawler_project.core.values import NO_COUNTS, Counts, HostVerdict, Visit
from crawler_project.strategies import distance_of_links
from crawler_project.strategies.lswc import Lswc


class FakeLink(NamedTuple):
    same_host: bool = True
    counts: Counts = NO_COUNTS


def visit(*, is_relevant=False, language="ja", distance=1, is_seed=False):
    return Visit("", "", language, language, is_relevant, is_relevant, distance, is_seed)


def classes(page, *links, **parameters):
    return list(Lswc(**parameters).score_links(page, links))


def test_distance_starts_anew_behind_a_relevant_page():
    assert distance_of_links(visit(is_relevant=True, distance=4)) == 1
    assert distance_of_links(visit(distance=4)) == 5


def test_links_of_a_relevant_page_go_to_the_same_server_first():
    assert classes(visit(is_relevant=True), FakeLink(), FakeLink(same_host=False)) == [1.0, 2.0]


@pytest.mark.parametrize(("distance", "expected"), [(1, 3.0), (2, 4.0), (4, 6.0), (5, None)])
def test_links_of_an_irrelevant_page_wait_by_distance_and_end_at_t(distance, expected):
    assert classes(visit(distance=distance), FakeLink(), FakeLink(same_host=False)) == [expected, expected]


def test_link_behind_target_and_english_is_one_class_better():
    assert classes(visit(language="en"), FakeLink()) == [2.0]
    assert classes(visit(language="english"), FakeLink()) == [2.0]


def test_link_behind_english_is_not_better_when_no_relevant_page_led_there():
    assert classes(visit(language="en", is_seed=True), FakeLink()) == [3.0]
    assert classes(visit(language="en", distance=2), FakeLink()) == [4.0]


def test_relevant_english_page_has_no_better_class():
    assert classes(visit(is_relevant=True, language="en"), FakeLink()) == [1.0]


def test_link_to_an_irrelevant_server_is_dropped():
    assert classes(visit(is_relevant=True), FakeLink(counts=Counts(3, 0)), FakeLink(counts=Counts(2, 0))) == [None, 1.0]
    assert classes(visit(is_relevant=True), FakeLink(counts=Counts(99, 1))) == [1.0]


def test_server_is_judged_by_its_first_s_downloads():
    strategy = Lswc(S=2)
    assert strategy.judge_host(Counts(1, 0)) == HostVerdict()
    assert strategy.judge_host(Counts(2, 0)) == HostVerdict(discard=True)
    assert strategy.judge_host(Counts(50, 1)) == HostVerdict(override=0.0)
