import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.metrics import coverage, curve, harvest_rate


def test_harvest_rate_is_zero_when_nothing_was_downloaded() -> None:
    assert harvest_rate(0, 0) == 0.0
    assert harvest_rate(3, 4) == 0.75


def test_coverage_is_zero_when_there_is_nothing_to_find() -> None:
    assert coverage(0, 0) == 0.0
    assert coverage(1, 4) == 0.25


def test_curve_has_a_moment_every_n_downloads_and_one_for_the_last() -> None:
    moments = curve([True, False, True, True, False, False, True], every=3)
    assert moments.pages.tolist() == [3, 6, 7]
    assert moments.relevant.tolist() == [2, 3, 4]
    assert moments.harvest_rates().tolist() == [2 / 3, 3 / 6, 4 / 7]
    assert moments.coverages(8).tolist() == [2 / 8, 3 / 8, 4 / 8]


def test_curve_is_empty_when_nothing_was_downloaded() -> None:
    assert curve([], every=5).pages.tolist() == []
    assert curve([]).coverages(0).tolist() == []


@given(st.lists(st.booleans(), max_size=50), st.integers(1, 60))
def test_curve_agrees_with_counting_by_hand(flags: list[bool], every: int) -> None:
    moments = curve(np.array(flags, dtype=bool), every)
    wanted = [k for k in range(1, len(flags) + 1) if k % every == 0 or k == len(flags)]
    assert moments.pages.tolist() == wanted
    assert moments.relevant.tolist() == [sum(flags[:k]) for k in wanted]
