"""How many positives are there among the unlabelled, and where is the best threshold: from P and U alone."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crawler_project.relevance.topic.examples import Floats

CONFIDENCE: Final = 0.1
"""δ of the bound: the chance that it does not hold."""
_SLACK: Final = 0.01
"""γ of the bound."""
FULL_DOUBT: Final = 20
"""Positive texts; with more, less than the bound's uncertainty is reckoned with."""
HIGHEST_PRIOR: Final = 0.9


class Tails(NamedTuple):
    """Shares of scores at or above each of ascending thresholds; the arrays are equally long."""

    thresholds: Floats
    positive: Floats
    """Of held-out positive texts: the recall."""
    unlabelled: Floats


class Expected(NamedTuple):
    """What a threshold is expected to give on texts like P and U together."""

    threshold: float
    precision: float
    recall: float
    f1: float


def tails(positive: Floats, unlabelled: Floats) -> Tails:
    """Count both samples above every score that occurs; both of at least one score, none used in training."""
    grid = np.unique(np.concatenate([positive, unlabelled]))
    above = [1.0 - np.searchsorted(np.sort(scores), grid) / len(scores) for scores in (positive, unlabelled)]
    return Tails(grid, above[0], above[1])


def class_prior(positive: Floats, unlabelled: Floats) -> float:
    """Estimate which share of the unlabelled texts is positive, 0 to 0.9.

    Above a threshold where nearly all is positive, U has its share of what P has: the ratio of the two
    shares bounds the prior from above. The threshold is where the bound, with the uncertainty of
    both counts, is lowest.

    Source: best bin estimation, Garg, Wu, Smola, Balakrishnan, Lipton 2021, *Mixture Proportion Estimation and PU
    Learning: A Modern Approach*, Algorithm 1, with δ = 0.1 and γ = 0.01. Departures: only scores of positive texts are
    tried as thresholds, and from 20 positive texts on the uncertainty shrinks with their number, not with
    its root: the bound holds for all thresholds at once, which is too careful for hundreds of texts.

    Args:
        positive: scores of positive texts that were held out in training, one or more.
        unlabelled: scores of unlabelled texts that were held out, one or more.
    """
    grid = np.unique(positive)
    p = 1.0 - np.searchsorted(np.sort(positive), grid) / len(positive)
    u = 1.0 - np.searchsorted(np.sort(unlabelled), grid) / len(unlabelled)
    doubt = sum(np.sqrt(np.log(4 / CONFIDENCE) / (2 * len(scores))) for scores in (positive, unlabelled))
    doubt *= min(1.0, np.sqrt(FULL_DOUBT / len(positive)))
    best = int(np.argmin(u / p + (1 + _SLACK) * doubt / p))
    return float(min(HIGHEST_PRIOR, u[best] / p[best]))


def best_threshold(positive: Floats, unlabelled: Floats, prior: float) -> Expected:
    """Give the threshold of the highest expected F1 on texts like P and U together.

    Recall is that of held-out positive texts; the positives found are recall times all positives (those
    in P and ``prior`` of U), never more than the texts above the threshold.
    """
    p, u = len(positive), len(unlabelled)
    grid, recall, share = tails(positive, unlabelled)
    called = recall * p + share * u
    positives = p + prior * u
    found = np.minimum(recall * positives, called)
    f1 = 2.0 * found / (positives + called)
    best = int(np.argmax(f1))
    below = grid[best - 1] if best else grid[best] - 1e-3
    return Expected(
        float((below + grid[best]) / 2),
        float(found[best] / max(called[best], 1.0)),
        float(found[best] / positives),
        float(f1[best]),
    )


def slope(positive: Floats, unlabelled: Floats, prior: float) -> float:
    """Give the slope of the log-odds by score, above 0: of two normal distributions of the same variance.

    The negatives are what remains of U without the ``prior`` of highest scores.
    """
    negatives = np.sort(unlabelled)[: max(2, round((1.0 - prior) * len(unlabelled)))]
    within = [scores for scores in (positive, negatives) if len(scores) > 1]
    variance = np.mean([np.var(scores) for scores in within]) if within else 1.0
    distance = float(np.mean(positive) - np.mean(negatives))
    return float(max(distance, 1e-3) / max(variance, 1e-6))
