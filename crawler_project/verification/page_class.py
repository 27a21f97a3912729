"""The pages of a site that have one AbstractURL, and what they promise (V11, V12)."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Final

DIGITS: Final = 9
"""Decimals of H: means that are equal on paper are a tie here."""


@dataclass(slots=True)
class PageClass:
    """A_k = E_k ∪ Q_k."""

    abstract_url: str
    number: int
    """0 for the oldest class of the site."""
    parent_score: float = 0.0
    """F of the page that its first page was found on; 0 for the class of p0."""
    scores: list[float] = field(default_factory=list)
    """F of the pages of E_k."""
    queue: deque[int] = field(default_factory=deque)
    """Q_k: numbers of pages, the oldest first."""

    def heuristic(self, new_class: str, mean: float) -> float:
        """Give H: the mean F of the expanded pages, or what ``new_class`` says of a class without any.

        Source: section 3.2.3; for E_k = ∅ the paper is silent.

        Args:
            mean: of F over all pages of the site so far.
        """
        if self.scores:
            return round(math.fsum(self.scores) / len(self.scores), DIGITS)
        size = len(self.queue)
        by_name = {"zero": 0.0, "one": 1.0, "mean": mean, "parent": self.parent_score, "size": size / (size + 2)}
        return round(by_name[new_class], DIGITS)
