"""T4, T5: Algorithm 3, and how texts of unknown class are weighted."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from crawler_project.relevance.topic.svm import Plane
from crawler_project.relevance.topic.voting import Vote, Voter, train_vote

ONE = np.ones(2)


def voter(weights: list[float], bias: float, found: float, *views: list[float]) -> Voter:
    return Voter(Plane(np.array(weights), bias), tuple(np.array(view) for view in views) or (ONE,), found)


def test_decision_is_the_sum_of_shares_times_decisions() -> None:
    vote = Vote([voter([1, 0], 0.0, 0.9), voter([0, 1], -0.5, 0.3)])
    text = csr_matrix(np.array([[3.0, 4.0]]))  # .6, .8
    assert vote.shares == pytest.approx([0.75, 0.25])
    assert vote.decide(text)[0] == pytest.approx(0.75 * 0.6 + 0.25 * 0.3)


def test_signs_are_the_literal_reading() -> None:
    vote = Vote([voter([1, 0], 0.0, 0.9), voter([0, 1], -0.9, 0.3)])
    assert vote.decide(csr_matrix(np.array([[3.0, 4.0]])), signs=True)[0] == pytest.approx(0.75 - 0.25)


def test_voters_that_find_nothing_share_equally() -> None:
    assert Vote([voter([1, 0], 0, 0.0), voter([0, 1], 0, 0.0)]).shares == [0.5, 0.5]


def test_unknown_class_in_mode_both_is_the_mean_of_both_decisions() -> None:
    both = voter([1, 0], 0.0, 1.0, [1, 0], [0, 1])
    assert both.decide(csr_matrix(np.array([[1.0, 1.0]])))[0] == pytest.approx((1.0 + 0.0) / 2)


def problem() -> tuple[csr_matrix, csr_matrix, np.ndarray]:
    random = np.random.default_rng(0)
    topic = random.poisson([4, 3, 0.2, 0.3, 1, 0.5], (40, 6))
    other = random.poisson([0.2, 0.3, 4, 3, 1, 0.5], (60, 6))
    u = np.vstack([topic[20:], other]).astype(float)
    negatives = np.zeros(len(u), bool)
    negatives[-10:] = True
    return csr_matrix(topic[:20].astype(float)), csr_matrix(u), negatives


@pytest.mark.parametrize("ipndf", [True, False])
@pytest.mark.parametrize("mode", ["tfc", "both"])
def test_vote_finds_the_positives_hidden_in_u(ipndf: bool, mode: str) -> None:
    p, u, negatives = problem()
    vote = train_vote(p, u, negatives, ipndf=ipndf, mode=mode)  # type: ignore[arg-type]
    called = vote.decide(u) > 0
    assert called[:20].mean() > 0.8
    assert called[20:].mean() < 0.1
    assert len(vote.voters) >= 2


def test_training_stops_when_u_is_empty() -> None:
    p, u, _ = problem()
    assert len(train_vote(p, u[20:], np.ones(60, bool)).voters) == 1


def test_found_is_the_share_of_p_called_positive() -> None:
    p, u, negatives = problem()
    first = train_vote(p, u, negatives).voters[0]
    assert first.found == pytest.approx((first.decide(p) > 0).mean())
