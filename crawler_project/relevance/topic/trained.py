"""What a method of learning gives: linear views, a threshold, and what it found out on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crawler_project.relevance.topic.examples import Floats, Matrix
from crawler_project.relevance.topic.svm import Plane
from crawler_project.relevance.topic.topic_model import LinearView
from crawler_project.relevance.topic.weights import weighted


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier over the vocabulary of its examples."""

    views: Sequence[LinearView]
    threshold: float = 0.0
    log_counts: bool = False
    slope: float = 1.0
    summary: dict[str, Any] = field(default_factory=dict)

    def decide(self, counts: Matrix) -> Floats:
        """The score of each row of counts: what the model's ``score_text`` gives for the same text."""
        total = np.full(counts.shape[0], -self.threshold)
        for view in self.views:
            texts = weighted(counts, np.asarray(view.scales), log_counts=self.log_counts)
            total += view.share * Plane(np.asarray(view.weights), view.bias).decide(texts)
        return total


def view_of(plane: Plane, scales: Floats, share: float = 1.0) -> LinearView:
    """The plane as a view that weighs terms by ``scales``."""
    return LinearView(share, plane.bias, scales.tolist(), plane.weights.tolist())
