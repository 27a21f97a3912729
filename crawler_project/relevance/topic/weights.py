"""Weights of terms: tfc (CBP-SLC, eq. 3) and TFIPNDF (eq. 1 and 2; T3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crawler_project.relevance.topic.examples import Floats, Matrix, texts_with_term


class IpndfScales(NamedTuple):
    """What the count of a term is multiplied with, by term."""

    positive: Floats
    """P_i / S_P · log(N / n_i)."""
    negative: Floats
    """N_i / S_N · log(N / n_i)."""


def idf_scales(texts: Matrix) -> Floats:
    """Give log(N / n_i) by term over these texts, the natural logarithm; 0 for a term that no text has."""
    return _idf(texts_with_term(texts), texts.shape[0])


def ipndf_scales(positive: Matrix, negative: Matrix) -> IpndfScales:
    """Give both factors of eq. 1; the collection is the training set, positive and negative texts together."""
    in_p, in_n = texts_with_term(positive), texts_with_term(negative)
    s_p, s_n = positive.shape[0], negative.shape[0]
    idf = _idf(in_p + in_n, s_p + s_n)
    return IpndfScales(in_p / max(s_p, 1) * idf, in_n / max(s_n, 1) * idf)


def weighted(counts: Matrix, scales: Floats, *, log_counts: bool = False) -> Matrix:
    """Multiply by ``scales`` and make the rows unit vectors (eq. 2 and 3); a row of zeros stays.

    ``log_counts`` takes 1 + log(count) for the count, which is not in the paper.
    """
    from scipy.sparse import diags

    if log_counts:
        counts = counts.copy()
        counts.data = 1.0 + np.log(counts.data)
    scaled = counts @ diags(np.asarray(scales, float))
    lengths = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
    return (diags(1.0 / np.where(lengths > 0, lengths, 1.0)) @ scaled).tocsr()


def _idf(in_texts: Floats, texts: int) -> Floats:
    return np.where(in_texts > 0, np.log(max(texts, 1) / np.maximum(in_texts, 1.0)), 0.0)
