"""T3 and eq. 1 to 3, against numbers computed by hand."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from crawler_project.relevance.topic.weights import idf_scales, ipndf_scales, weighted

P = csr_matrix(np.array([[2, 1, 0], [1, 0, 0]], float))
N = csr_matrix(np.array([[0, 1, 1], [0, 0, 3], [0, 0, 1]], float))


def test_tfipndf_scales_are_those_of_equation_1() -> None:
    positive, negative = ipndf_scales(P, N)  # n = 2, 2, 3 of 5
    assert positive.tolist() == pytest.approx([2 / 2 * log(5 / 2), 1 / 2 * log(5 / 2), 0.0])
    assert negative.tolist() == pytest.approx([0.0, 1 / 3 * log(5 / 2), 3 / 3 * log(5 / 3)])


def test_tfipndf_vector_is_that_of_equation_2() -> None:
    positive, _ = ipndf_scales(P, N)
    x = weighted(P, positive).toarray()
    # first text: 2·log(5/2) and .5·log(5/2), so 4 : 1
    assert x[0].tolist() == pytest.approx([4 / sqrt(17), 1 / sqrt(17), 0.0])
    assert x[1].tolist() == pytest.approx([1.0, 0.0, 0.0])


def test_tfc_vector_is_that_of_equation_3() -> None:
    texts = csr_matrix(np.vstack([P.toarray(), N.toarray()]))
    x = weighted(texts, idf_scales(texts)).toarray()
    a, b, c = log(5 / 2), log(5 / 2), log(5 / 3)
    assert x[0].tolist() == pytest.approx([2 * a / sqrt(4 * a * a + b * b), b / sqrt(4 * a * a + b * b), 0.0])
    assert x[2].tolist() == pytest.approx([0.0, b / sqrt(b * b + c * c), c / sqrt(b * b + c * c)])


def test_term_of_all_texts_and_term_of_none_weigh_nothing() -> None:
    texts = csr_matrix(np.array([[1, 0], [5, 0]], float))
    assert idf_scales(texts).tolist() == [0.0, 0.0]
    assert weighted(texts, idf_scales(texts)).toarray().tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_counts_enter_as_logarithms_where_asked() -> None:
    x = weighted(csr_matrix(np.array([[1.0, 3.0]])), np.ones(2), log_counts=True).toarray()[0]
    assert x[1] / x[0] == pytest.approx(1 + log(3))
