"""T2: 1-DNF, 1-DNFC and their guards, counted by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.topic.one_dnf import (
    expected_negative_error,
    negative_error,
    positive_features,
    reliable_negatives,
)

# terms:            a  b  c  d
P = csr_matrix(
    np.array([[1, 0, 1, 1], [2, 1, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]], float)
)  # shares: a 1, b .2, c .2, d 1
U = csr_matrix(np.array([[0, 0, 1, 1], [0, 1, 0, 1], [3, 0, 0, 1], [0, 0, 0, 1]], float))  # a .25, b .25, c .25, d 1


def test_positive_feature_is_more_frequent_in_p_and_above_lambda_both_strictly() -> None:
    assert positive_features(P, U).tolist() == [True, False, False, False]
    more = csr_matrix(np.vstack([P.toarray(), [[1, 1, 0, 1]] * 5]))  # b .6 in P, c .1
    assert positive_features(more, U).tolist() == [True, True, False, False]


def test_share_of_exactly_lambda_is_not_enough() -> None:
    u = csr_matrix(np.zeros((4, 4)))
    assert positive_features(P, u).tolist() == [True, False, False, True]
    assert positive_features(P, u, 0.19).tolist() == [True, True, True, True]


def test_one_dnf_has_no_lambda() -> None:
    u = csr_matrix(
        np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], float)
    )
    assert positive_features(P, u, 0.0).tolist() == [True, True, True, True]
    assert reliable_negatives(P, u, 0.0).negatives.tolist() == [False, False, False, True, True, True]


def test_reliable_negatives_have_no_positive_feature() -> None:
    found = reliable_negatives(P, U)
    assert found.negatives.tolist() == [True, True, False, True]
    assert found.note == ""


def test_empty_features_do_not_make_all_of_u_negative() -> None:
    found = reliable_negatives(P, U, 1.0)
    assert found.features.tolist() == [True, False, False, False]
    assert found.negatives.tolist() == [True, True, False, True]
    assert "no term" in found.note


def test_fewest_features_are_taken_when_none_is_without() -> None:
    positive = csr_matrix(np.ones((5, 3)))
    rows = np.ones((100, 3))
    rows[:50, 0], rows[50:, 1] = 0, 0
    rows[10, 1] = rows[80, 0] = 0  # one feature left, the others have two
    rows[:, 2] = 1
    rows[99] = [1, 0, 0]
    found = reliable_negatives(positive, csr_matrix(rows))
    assert np.flatnonzero(found.negatives).tolist() == [10, 80]
    assert "2%" in found.note


def test_texts_without_a_difference_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="no word is more frequent"):
        reliable_negatives(P, P)


def test_error_is_the_share_of_hidden_positives_taken_for_negative() -> None:
    negatives, hidden = np.array([True, True, False, False, False]), np.array([True, False, True, True, True])
    assert negative_error(negatives, hidden) == 25.0
    assert negative_error(negatives, np.zeros(5, bool)) == 0.0


def test_error_is_estimated_from_positive_texts_held_out() -> None:
    assert expected_negative_error(P, U) == 0.0
    odd = csr_matrix(np.vstack([P.toarray()[:4], [[0, 1, 0, 1]]]))  # the fifth has no "a"
    assert expected_negative_error(odd, U) == 20.0
