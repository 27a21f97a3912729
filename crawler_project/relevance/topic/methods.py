"""The methods by name: each learns from the same examples and gives linear views (T5, T6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from crawler_project.relevance.topic.examples import Examples, Matrix
from crawler_project.relevance.topic.one_dnf import LAMBDA, expected_negative_error, reliable_negatives
from crawler_project.relevance.topic.prior_svm import train_prior_svm
from crawler_project.relevance.topic.svm import train_one_class_svm, train_svm
from crawler_project.relevance.topic.trained import Trained, view_of
from crawler_project.relevance.topic.voting import Mode, train_vote
from crawler_project.relevance.topic.weights import idf_scales, weighted

DEFAULT_METHOD: Final = "prior_svm"
BIASED_C: Final = 0.1
"""Cost of an error of the biased SVM; 1 fits the unlabelled positives as negatives (F1 .85 → .87, .69 → .82)."""


def wvc_tfipndf(examples: Examples, mode: Mode = "both", balanced: bool = False) -> Trained:
    """1-DNFC, TFIPNDF, weighted voting: the paper's classifier (Section 4). Mode ``tfc`` is the literal one (T4)."""
    return _vote(examples, LAMBDA, ipndf=True, mode=mode, balanced=balanced)


def wvc_tfidf(examples: Examples, mode: Mode = "tfc", balanced: bool = False) -> Trained:
    """The same with tfc weights (eq. 3) for training too; ``mode`` makes no difference."""
    return _vote(examples, LAMBDA, ipndf=False, mode=mode, balanced=balanced)


def pebl(examples: Examples, mode: Mode = "tfc", balanced: bool = False) -> Trained:
    """1-DNF, then SVM after SVM; the last one decides (Yu et al., PEBL; T6). ``mode`` makes no difference."""
    return _vote(examples, 0.0, ipndf=False, mode=mode, balanced=balanced, last_only=True)


def one_class(examples: Examples, mode: Mode = "tfc", balanced: bool = False, nu: float = 0.5) -> Trained:
    """Learn from the positive texts alone (T6); ``mode`` and ``balanced`` make no difference."""
    scales = idf_scales(_all_texts(examples))
    plane = train_one_class_svm(weighted(examples.positive, scales), nu)
    return Trained([view_of(plane, scales)], summary={"nu": nu})


def one_class_01(examples: Examples, mode: Mode = "tfc", balanced: bool = False) -> Trained:
    """:func:`one_class` with ν = 0.1: hardly any positive text is left out."""
    return one_class(examples, nu=0.1)


def biased_svm(examples: Examples, mode: Mode = "tfc", balanced: bool = True) -> Trained:
    """One SVM of P against all of U, both weighing the same (T6); ``mode`` makes no difference."""
    texts = _all_texts(examples)
    scales = idf_scales(texts)
    is_positive = np.arange(texts.shape[0]) < examples.positive.shape[0]
    plane = train_svm(weighted(texts, scales), is_positive, c=BIASED_C, balanced=balanced)
    return Trained([view_of(plane, scales)])


def prior_svm(examples: Examples, mode: Mode = "tfc", balanced: bool = True) -> Trained:
    """Biased SVMs, the share of positives in U estimated, the likeliest of them relabelled; the default."""
    return train_prior_svm(examples)


Method = Callable[..., Trained]
METHODS: Final[Mapping[str, Method]] = {
    "prior_svm": prior_svm,
    "wvc_tfipndf": wvc_tfipndf,
    "wvc_tfidf": wvc_tfidf,
    "pebl": pebl,
    "one_class": one_class,
    "one_class_01": one_class_01,
    "biased_svm": biased_svm,
}


def _vote(
    examples: Examples, least_share: float, *, ipndf: bool, mode: Mode, balanced: bool, last_only: bool = False
) -> Trained:
    p, u = examples.positive, examples.unlabelled
    found = reliable_negatives(p, u, least_share)
    vote = train_vote(p, u, found.negatives, ipndf=ipndf, mode=mode, balanced=balanced)
    voters = [(vote.voters[-1], 1.0)] if last_only else list(zip(vote.voters, vote.shares, strict=True))
    views = [
        view_of(voter.plane, scales, share / len(voter.views)) for voter, share in voters for scales in voter.views
    ]
    summary = {
        "positive_features": int(found.features.sum()),
        "reliable_negatives": int(found.negatives.sum()),
        "expected_err_percent": round(expected_negative_error(p, u, least_share), 2),
        "rounds": len(vote.voters),
    }
    return Trained(views, summary=summary | ({"note": found.note} if found.note else {}))


def _all_texts(examples: Examples) -> Matrix:
    from scipy.sparse import vstack

    return vstack([examples.positive, examples.unlabelled], format="csr")
