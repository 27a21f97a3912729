"""The filter of R17."""

from typing import NamedTuple

import pytest

from crawler_project.core.values import NO_COUNTS, Counts, Visit
from crawler_project.strategies import make_strategy


class FakeLink(NamedTuple):
    tld_is_target: bool = False
    counts: Counts = NO_COUNTS


NEW_UNIT = (FakeLink(),)


def scores(name="server_filter", is_relevant=True, links=NEW_UNIT, **parameters):
    visit = Visit("", "", "th", "th", is_relevant, is_relevant, 1, False)
    return list(make_strategy(name, **parameters).score_links(visit, links))


@pytest.mark.parametrize(
    ("new", "is_relevant", "tld_is_target", "expected"),
    [
        ("aggressive", False, False, 1.0),
        ("conservative", False, True, None),
        ("conservative", True, False, 0.0),
        ("tld", True, False, None),
        ("tld", False, True, 1.0),
    ],
)
def test_new_unit_is_entered_as_the_variant_says(new, is_relevant, tld_is_target, expected):
    assert scores(new=new, is_relevant=is_relevant, links=[FakeLink(tld_is_target)]) == [expected]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [(Counts(1, 0), 0.0), (Counts(2, 0), None), (Counts(2, 1), 0.0), (Counts(3, 1), None), (Counts(4, 2), 0.0)],
)
def test_known_unit_passes_until_m_pages_and_then_by_theta(counts, expected):
    assert scores(new="tld", m=2, theta=0.5, links=[FakeLink(counts=counts)]) == [expected]


def test_recheck_drops_at_selection_only_when_asked():
    poor = Counts(9, 0)
    assert make_strategy("server_filter").admits(poor)
    rechecking = make_strategy("directory_filter", recheck="true")
    assert not rechecking.admits(poor)
    assert rechecking.admits(Counts(4, 0))
    assert make_strategy("server_filter", recheck="true", m="0").admits(NO_COUNTS)


def test_filters_differ_in_their_unit_only():
    assert (make_strategy("server_filter").unit, make_strategy("directory_filter").unit) == ("host", "directory")
    assert scores("directory_filter", links=[FakeLink(counts=Counts(5, 0))]) == [None]
