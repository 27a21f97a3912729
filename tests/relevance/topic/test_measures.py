"""Measures of a model, counted by hand."""

import numpy as np
import pytest

from crawler_project.relevance.topic.measures import measure, worst_mistakes

SCORES = np.array([3.0, 2.0, 1.0, -1.0, -2.0])
TRUTH = np.array([True, False, True, True, False])


def test_measures_are_those_of_equations_4_to_6() -> None:
    found = measure(SCORES, np.array([0.95, 0.9, 0.8, 0.2, 0.1]), TRUTH)
    assert (found.texts, found.relevant, found.called) == (5, 3, 3)
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert found.average_precision == pytest.approx((1 / 1 + 2 / 3 + 3 / 4) / 3)
    assert found.best_f1 == pytest.approx(2 * 3 / (4 + 3))


def test_calibration_compares_expected_with_observed() -> None:
    found = measure(np.array([1.0, 1.0, -1.0, -1.0]), np.array([0.75, 0.75, 0.25, 0.25]), np.array([1, 0, 0, 0], bool))
    assert [part[1:] for part in found.calibration] == [(0.25, 0.0), (0.75, 0.5)]
    assert found.calibration_error == pytest.approx(0.25)


def test_nothing_relevant_divides_nothing() -> None:
    found = measure(np.array([-1.0]), np.array([0.0]), np.array([False]))
    assert (found.precision, found.recall, found.f1, found.average_precision) == (0, 0, 0, 0)


def test_worst_mistakes_come_first() -> None:
    scores, truth = np.array([1.0, 2.0, -3.0, -1.0, 0.0]), np.array([False, False, True, True, True])
    assert worst_mistakes(scores, truth) == ([1, 0], [2, 3, 4])
    assert worst_mistakes(scores, truth, 1) == ([1], [2])
