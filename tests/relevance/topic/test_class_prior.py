"""How many positives U holds, and the threshold that follows: from scores alone."""

import numpy as np
import pytest

from crawler_project.relevance.topic.class_prior import HIGHEST_PRIOR, best_threshold, class_prior, slope, tails


def scores(prior: float, p: int = 400, u: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    hidden = round(prior * u)
    return random.normal(2, 0.7, p), np.concatenate([random.normal(2, 0.7, hidden), random.normal(-2, 0.7, u - hidden)])


@pytest.mark.parametrize("prior", [0.0, 0.03, 0.1, 0.3, 0.6])
def test_prior_is_found_where_classes_are_apart(prior: float) -> None:
    assert class_prior(*scores(prior)) == pytest.approx(prior, abs=0.03)


def test_prior_is_the_highest_when_u_looks_like_p() -> None:
    p, _ = scores(0.1)
    assert class_prior(p, p) == HIGHEST_PRIOR


def test_threshold_has_the_highest_expected_f1_by_hand() -> None:
    # 4 positive texts held out, 8 unlabelled; a quarter of U positive: 6 positives in all
    p, u = np.array([3.0, 2.0, 1.0, -5.0]), np.array([2.5, 1.5, -1, -2, -3, -4, -6, -7.0])
    found = best_threshold(p, u, 0.25)
    # at 1.0: recall 3/4, so 4.5 of 6 positives among 3 + 2 called
    assert found.threshold == pytest.approx((1.0 + -1.0) / 2)
    assert found.recall == pytest.approx(0.75)
    assert found.precision == pytest.approx(4.5 / 5)
    assert found.f1 == pytest.approx(2 * 4.5 / (6 + 5))


def test_tails_count_equal_scores_as_above() -> None:
    grid, p, u = tails(np.array([1.0, 2.0]), np.array([2.0, 0.0]))
    assert (grid.tolist(), p.tolist(), u.tolist()) == ([0, 1, 2], [1, 1, 0.5], [1, 0.5, 0.5])


def test_slope_is_that_of_two_normal_distributions() -> None:
    # log-odds of N(2, .7) against N(-2, .7): 4 / .49
    assert slope(*scores(0.2), 0.2) == pytest.approx(4 / 0.49, rel=0.1)
    assert slope(np.zeros(3), np.zeros(5), 0.0) > 0
