"""What a verification ends with, and the evidence for it (V14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

ENOUGH_PAGES: Final = "enough pages"
LIMIT: Final = "limit"
EXHAUSTED: Final = "exhausted"
EARLY_NO: Final = "early no"
REASONS: Final = (ENOUGH_PAGES, LIMIT, EXHAUSTED, EARLY_NO)


class ScoredPage(NamedTuple):
    """A page that was fetched, and its F (0 for a failed fetch)."""

    url: str
    score: float


class ClassEvidence(NamedTuple):
    """A class of pages at the time of the verdict."""

    abstract_url: str
    heuristic: float
    """H."""
    expanded: int
    """|E|."""
    queued: int
    """|Q|."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a site is one of the line of business, and why it is thought so."""

    site: str
    is_relevant: bool
    reason: str
    """``enough pages``, ``limit``, ``exhausted`` or (beyond the paper) ``early no``."""
    pages: tuple[ScoredPage, ...]
    """All pages fetched, in order."""
    good_pages: tuple[ScoredPage, ...]
    """Those with F ≥ PageThreshold, in order."""
    classes: tuple[ClassEvidence, ...]
    """Oldest first."""

    @property
    def relevance(self) -> float:
        """Give the mean F of the pages fetched, 0 to 1."""
        return sum(page.score for page in self.pages) / len(self.pages) if self.pages else 0.0
