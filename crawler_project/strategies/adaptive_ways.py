"""What pages that are off target lead to: the worth of a link beyond the page behind it."""

from __future__ import annotations

import json
from math import exp, isfinite, log

from crawler_project.strategies.adaptive_features import WAYS

DOUBT = 5.0
"""Pages without a find that a way is thought to have had before its first one."""
MOST_PAGES = 400.0
"""Pages of a way are halved beyond it, so that it follows what it is like now."""
LEAST = 0.002


class Ways:
    """Target pages found through pages off target, by the kind of those pages.

    Source: Rennie & McCallum 1999 ("Using reinforcement learning to spider the Web efficiently"): a link is worth
    what it leads to later, not only the page behind it. Departs from it: a table instead of a text classifier, and
    no discount, since the downloads that the later pages cost are counted instead: a page that is on target with
    chance p, and through which f target pages are found at a download each, gives (p + f (1 - p)) target pages for
    1 + f (1 - p) downloads, whose odds are p / (1 - p) + f.
    """

    __slots__ = ("finds", "pages", "worth")

    def __init__(self) -> None:
        self.pages = [0.0] * WAYS
        """Downloads off target."""
        self.finds = [0.0] * WAYS
        """Target pages that were found through them and on no target page; and shares of what is further on."""
        self.worth = [0.0] * WAYS

    def add_page(self, way: int) -> None:
        """Count a download that was off target."""
        if self.pages[way] >= MOST_PAGES:
            self.pages[way] /= 2
            self.finds[way] /= 2
        self.pages[way] += 1
        self._set_worth(way)

    def add_find(self, way: int, share: float) -> None:
        """Count what was found through a page of this way: 1 for a target page."""
        self.finds[way] += share
        self._set_worth(way)

    def share(self, way: int) -> float:
        """Give the target pages a download that a page of this way, itself off target, leads to."""
        return self.worth[way] / (1 + self.worth[way])

    def lift(self, score: float, way: int) -> float:
        """Add what a page may lead to, should it be off target, to the log-odds that it is on target."""
        worth = self.worth[way]
        return log(exp(min(score, 30.0)) + worth) if worth > LEAST else score

    def to_json(self) -> str:
        """Write everything, to the last digit."""
        return json.dumps([self.pages, self.finds])

    @classmethod
    def from_json(cls, text: str) -> Ways:
        """Read what :meth:`to_json` wrote; ``ValueError`` when it is damaged."""
        ways, stored = cls(), json.loads(text)
        if not isinstance(stored, list) or [len(row) for row in stored if isinstance(row, list)] != [WAYS] * 2:
            raise ValueError("the learned ways are damaged")
        if not all(
            isinstance(value, int | float) and isfinite(value) and value >= 0 for row in stored for value in row
        ):
            raise ValueError("the learned ways are damaged")
        ways.pages, ways.finds = stored
        for way in range(WAYS):
            ways._set_worth(way)
        return ways

    def _set_worth(self, way: int) -> None:
        self.worth[way] = self.finds[way] / (self.pages[way] + DOUBT)
