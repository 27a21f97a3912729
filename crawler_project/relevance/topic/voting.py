"""The weighted voting classifier of support vector machines (CBP-SLC, Algorithm 3; T3 to T5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from crawler_project.relevance.topic.examples import Floats, Mask, Matrix
from crawler_project.relevance.topic.svm import Plane, train_svm
from crawler_project.relevance.topic.weights import idf_scales, ipndf_scales, weighted

Mode = Literal["tfc", "both"]
"""How a text of unknown class is weighted where the training weights are TFIPNDF (T4)."""
MOST_ROUNDS: Final = 100


class Voter(NamedTuple):
    """One SVM of the vote."""

    plane: Plane
    views: tuple[Floats, ...]
    """Scales by term, for texts of unknown class; the decision is the mean over them."""
    found: float
    """p_k: the share of P that it finds."""

    def decide(self, counts: Matrix) -> Floats:
        """Its decision value about each text."""
        decisions = [self.plane.decide(weighted(counts, scales)) for scales in self.views]
        return np.asarray(np.mean(decisions, axis=0), float)


@dataclass(frozen=True, slots=True)
class Vote:
    """The trained voters and their shares p_k / Σp."""

    voters: Sequence[Voter]

    @property
    def shares(self) -> list[float]:
        """The share of each vote; equal shares where no voter finds any positive text."""
        total = sum(voter.found for voter in self.voters)
        return [voter.found / total if total else 1 / len(self.voters) for voter in self.voters]

    def decide(self, counts: Matrix, *, signs: bool = False) -> Floats:
        """Σ p_k/Σp · SVM_k of each text; by decision value, or by ``signs`` as Algorithm 3 reads literally."""
        total = np.zeros(counts.shape[0])
        for voter, share in zip(self.voters, self.shares, strict=True):
            decision = voter.decide(counts)
            total += share * (np.where(decision > 0, 1.0, -1.0) if signs else decision)
        return total


def train_vote(
    positive: Matrix,
    unlabelled: Matrix,
    negatives: Mask,
    *,
    ipndf: bool = True,
    mode: Mode = "tfc",
    balanced: bool = False,
) -> Vote:
    """Train SVM after SVM on P and all that its predecessors called negative.

    Args:
        positive: counts of P.
        unlabelled: counts of U.
        negatives: NEG_0 by text of U, from 1-DNF or 1-DNFC; at least one.
        ipndf: weigh training texts by TFIPNDF instead of tfc.
        mode: with TFIPNDF, how texts of unknown class are weighted: ``tfc`` (eq. 3, literal) or ``both``
            (the mean of the decisions as if it were positive and as if it were negative).
        balanced: weigh both classes equally (not in the paper; better).
    """
    known = negatives.copy()
    voters: list[Voter] = []
    while len(voters) < MOST_ROUNDS:
        voters.append(_train_voter(positive, unlabelled[known], ipndf, mode, balanced))
        rest = np.flatnonzero(~known)
        if not len(rest):
            break
        called_negative = rest[~(voters[-1].decide(unlabelled[rest]) > 0)]
        if not len(called_negative):
            break
        known[called_negative] = True
        if known.all():
            break
    return Vote(voters)


def _train_voter(positive: Matrix, negative: Matrix, ipndf: bool, mode: Mode, balanced: bool) -> Voter:
    from scipy.sparse import vstack

    idf = idf_scales(vstack([positive, negative], format="csr"))
    as_positive, as_negative = ipndf_scales(positive, negative) if ipndf else (idf, idf)
    texts = vstack([weighted(positive, as_positive), weighted(negative, as_negative)], format="csr")
    is_positive = np.arange(texts.shape[0]) < positive.shape[0]
    plane = train_svm(texts, is_positive, balanced=balanced)
    views = (as_positive, as_negative) if ipndf and mode == "both" else (idf,)
    voter = Voter(plane, views, 0.0)
    return voter._replace(found=float((voter.decide(positive) > 0).mean()))
