"""Texts of U that are surely negative: 1-DNF and 1-DNFC (CBP-SLC, Algorithm 2; T2)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.topic.examples import Mask, Matrix, texts_with_term

LAMBDA: Final = 0.2
"""The share of P that must have a positive feature (Section 6.1: fewest errors at 0.1 and 0.2)."""
FEWEST: Final = 0.02
"""The part of U that is taken where no text is without positive features."""
_FOLDS: Final = 5


class ReliableNegatives(NamedTuple):
    """What Algorithm 2 finds."""

    features: Mask
    """By term: in PF."""
    negatives: Mask
    """By text of U: in RN."""
    note: str = ""
    """Which guard was needed; empty when the algorithm did as printed."""


def positive_features(positive: Matrix, unlabelled: Matrix, least_share: float = LAMBDA) -> Mask:
    """Give PF by term: more frequent in P than in U, and in more than ``least_share`` of P; both strictly.

    ``least_share`` 0 is 1-DNF (Yu et al., PEBL), which has no second condition.
    """
    share_p = texts_with_term(positive) / positive.shape[0]
    share_u = texts_with_term(unlabelled) / unlabelled.shape[0]
    return np.asarray((share_p > share_u) & (share_p > least_share), bool)


def reliable_negatives(positive: Matrix, unlabelled: Matrix, least_share: float = LAMBDA) -> ReliableNegatives:
    """Give RN: the texts of U without any positive feature.

    Two guards that the paper does not have: with an empty PF all of U would be negative, so the features most
    frequent in P are taken however rare they are; with an empty RN nothing could be trained, so the 2 %
    of U with the fewest different positive features are taken (the first of equals).

    Raises:
        ConfigurationError: no term is more frequent in P than in U.
    """
    features, note = positive_features(positive, unlabelled, least_share), ""
    if not features.any():
        features = _most_frequent(positive, unlabelled)
        note = f"no term is in more than {least_share:.0%} of the positive texts: took those in most of them"
    hits = np.asarray((unlabelled[:, features] > 0).sum(axis=1)).ravel()
    negatives = hits == 0
    if not negatives.any():
        negatives[np.argsort(hits, kind="stable")[: max(1, round(FEWEST * len(hits)))]] = True
        note = f"every unlabelled text has a positive feature: took the {FEWEST:.0%} with the fewest"
    return ReliableNegatives(features, negatives, note)


def _most_frequent(positive: Matrix, unlabelled: Matrix) -> Mask:
    candidates = positive_features(positive, unlabelled, 0.0)
    if not candidates.any():
        raise ConfigurationError(
            "no word is more frequent in the positive texts than in the unlabelled ones; "
            "give unlabelled texts of other topics, not the positive texts again"
        )
    in_texts = np.where(candidates, texts_with_term(positive), 0.0)
    return np.asarray(in_texts == in_texts.max(), bool)


def negative_error(negatives: Mask, truly_positive: Mask) -> float:
    """Give ERR in percent (eq. 7): the share of the positive texts hidden in U that RN holds; 0 when none are hidden."""
    hidden = int(truly_positive.sum())
    return 100.0 * int((negatives & truly_positive).sum()) / hidden if hidden else 0.0


def expected_negative_error(positive: Matrix, unlabelled: Matrix, least_share: float = LAMBDA) -> float:
    """Estimate ERR in percent without labels: positive texts held out, a fifth at a time, that have no positive feature.

    0.0 with fewer than two positive texts.
    """
    texts = positive.shape[0]
    folds = min(_FOLDS, texts)
    if folds < 2:
        return 0.0
    fold = np.arange(texts) % folds
    missed = 0
    for number in range(folds):
        features = positive_features(positive[fold != number], unlabelled, least_share)
        if features.any():
            hits = (positive[fold == number][:, features] > 0).sum(axis=1)
            missed += int((np.asarray(hits).ravel() == 0).sum())
    return 100.0 * missed / int(texts)
