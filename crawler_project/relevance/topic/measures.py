"""How good a topic model is on labelled texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crawler_project.relevance.topic.examples import Floats, Mask

_BINS = 10


class CalibrationBin(NamedTuple):
    """Texts whose probability is in one tenth of 0 to 1."""

    texts: int
    expected: float
    """Mean probability."""
    observed: float
    """Share of relevant texts."""


class Measures(NamedTuple):
    """CBP-SLC, eq. 4 to 6, and what they leave out. Shares of 0 to 1; 0 where nothing can be divided."""

    texts: int
    relevant: int
    called: int
    """Texts that the model calls relevant."""
    precision: float
    recall: float
    f1: float
    average_precision: float
    """Of the ranking, whatever the threshold."""
    best_f1: float
    """At the best threshold, which needs the labels."""
    calibration_error: float
    """Mean difference of expected and observed share over the texts (ECE, ten bins)."""
    calibration: tuple[CalibrationBin, ...] = ()
    """Ascending; bins without texts are left out."""


def measure(scores: Floats, probabilities: Floats, is_relevant: Mask) -> Measures:
    """Compare scores (above 0: called relevant) and probabilities with the labels; equally long, one text or more."""
    called = scores > 0
    right = int((called & is_relevant).sum())
    bins = _bins(probabilities, is_relevant)
    return Measures(
        len(scores),
        int(is_relevant.sum()),
        int(called.sum()),
        right / max(1, int(called.sum())),
        right / max(1, int(is_relevant.sum())),
        f1_score(called, is_relevant),
        _average_precision(scores, is_relevant),
        _best_f1(scores, is_relevant),
        sum(found.texts * abs(found.expected - found.observed) for found in bins) / len(scores),
        bins,
    )


def f1_score(called: Mask, is_relevant: Mask) -> float:
    """Give eq. 6 with β = 1: the harmonic mean of precision and recall; 0 where none is found."""
    right = int((called & is_relevant).sum())
    return 2.0 * right / max(1, int(called.sum()) + int(is_relevant.sum()))


def worst_mistakes(scores: Floats, is_relevant: Mask, most: int = 5) -> tuple[list[int], list[int]]:
    """Give the places of texts called relevant with the highest scores that are not, and the other way round."""
    order = np.argsort(-scores, kind="stable")
    false_calls = [int(place) for place in order if scores[place] > 0 and not is_relevant[place]]
    missed = [int(place) for place in order[::-1] if not scores[place] > 0 and is_relevant[place]]
    return false_calls[:most], missed[:most]


def _average_precision(scores: Floats, is_relevant: Mask) -> float:
    """Mean precision at each relevant text; equal scores count as one step."""
    if not is_relevant.any():
        return 0.0
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(is_relevant, scores))


def _best_f1(scores: Floats, is_relevant: Mask) -> float:
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(is_relevant[order])
    f1 = 2.0 * right / (np.arange(1, len(order) + 1) + max(1, int(is_relevant.sum())))
    ends = np.append(scores[order][1:] != scores[order][:-1], True)
    return float(f1[ends].max())


def _bins(probabilities: Floats, is_relevant: Mask) -> tuple[CalibrationBin, ...]:
    places = np.minimum((probabilities * _BINS).astype(int), _BINS - 1)
    masks: Sequence[Mask] = [places == number for number in range(_BINS)]
    return tuple(
        CalibrationBin(int(mask.sum()), float(probabilities[mask].mean()), float(is_relevant[mask].mean()))
        for mask in masks
        if mask.any()
    )
