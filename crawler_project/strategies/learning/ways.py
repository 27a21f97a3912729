"""What pages that are off target lead to: the worth of a link beyond the page behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from crawler_project.strategies.learning.features import WAYS
from crawler_project.strategies.learning.stored import are_numbers

DOUBT = 5.0
"""Pages without a find that a way is thought to have had before its first one."""
MOST_PAGES = 400.0
"""Pages of a way are halved beyond it, so that it follows what it is like now."""
MOST_FINDS = 100.0
"""A page of what was told, or begun with, that it may have led to: finds may be told without their pages."""
LEAST = 0.002
SURE_PAGES = 20.0
"""Pages of a way that a start from another crawl may have: the crawl's own soon outweigh them."""


class WayCounts(NamedTuple):
    """Downloads off target, and what was found through them, by way."""

    pages: list[float]
    finds: list[float]


def no_ways() -> WayCounts:
    """Counts of nothing."""
    return WayCounts([0.0] * WAYS, [0.0] * WAYS)


class Ways:
    """Target pages found through pages off target, by the kind of those pages.

    Source: Rennie & McCallum 1999 ("Using reinforcement learning to spider the Web efficiently"): a link is worth
    what it leads to later, not only the page behind it. Departs from it: a table instead of a text classifier, and
    no discount, since the downloads that the later pages cost are counted instead: a page that is on target with
    chance p, and through which f target pages are found at a download each, gives (p + f (1 - p)) target pages for
    1 + f (1 - p) downloads, whose odds are p / (1 - p) + f.

    What this worker counted itself, what other workers told, and what the crawl began with are kept apart, and are added up
    where worth is reckoned: each worker tells what it counted itself, as it stands, so nothing is counted twice
    however often it is told (Shapiro et al. 2011, "Conflict-free replicated data types", the grow-only counter).
    Departs from it: counts are halved as they grow. A find may be counted by another worker than its page was, so without
    telling, one worker's finds would stand beside too few pages.
    """

    __slots__ = ("finds", "given", "pages", "told", "worth")

    def __init__(self) -> None:
        self.pages = [0.0] * WAYS
        """Downloads off target."""
        self.finds = [0.0] * WAYS
        """Target pages that were found through them and on no target page; and shares of what is further on."""
        self.worth = [0.0] * WAYS
        self.given = no_ways()
        """Of the crawl that this one was started from."""
        self.told = no_ways()
        """Of the other workers, all together: what they told, and lessons heard since then."""

    def add_page(self, way: int, *, is_own: bool = True) -> None:
        """Count a download that was off target; of another worker, until that worker tells all that it counted."""
        pages, finds = (self.pages, self.finds) if is_own else self.told
        if pages[way] >= MOST_PAGES:
            pages[way] /= 2
            finds[way] /= 2
        pages[way] += 1
        self._set_worth(way)

    def add_find(self, way: int, share: float, *, is_own: bool = True) -> None:
        """Count what was found through a page of this way: 1 for a target page."""
        finds = self.finds if is_own else self.told.finds
        finds[way] += share
        self._set_worth(way)

    def begin_with(self, counts: WayCounts) -> None:
        """Think of ways what another crawl found, as if from few pages (``SURE_PAGES``)."""
        shrunk = [min(1.0, SURE_PAGES / pages) if pages else 1.0 for pages in counts.pages]
        self.given = _scaled(counts, shrunk)
        self._set_all()

    def resume(self, counts: WayCounts) -> None:
        """Take over what this worker itself counted in an earlier run."""
        self.pages, self.finds = list(counts.pages), list(counts.finds)
        self._set_all()

    def mix(self, others: Sequence[WayCounts]) -> None:
        """Add what the other workers counted, in place of what they told before.

        All together they count as ``MOST_PAGES`` at most: a worker that is gone is heard, but not louder than what this
        one sees itself.
        """
        pages = [sum(column) for column in zip(*(counts.pages for counts in others), strict=True)]
        if not pages:
            self.told = no_ways()
        else:
            finds = [sum(column) for column in zip(*(counts.finds for counts in others), strict=True)]
            shrunk = [min(1.0, MOST_PAGES / count) if count else 1.0 for count in pages]
            self.told = _scaled(WayCounts(pages, finds), shrunk)
        self._set_all()

    def own(self) -> WayCounts:
        """Give what this worker counted itself: what it tells the others."""
        return WayCounts(list(self.pages), list(self.finds))

    def known(self) -> WayCounts:
        """Give all that worth is reckoned from."""
        parts = (self.own(), self.told, self.given)
        return WayCounts(
            [sum(column) for column in zip(*(part.pages for part in parts), strict=True)],
            [sum(column) for column in zip(*(part.finds for part in parts), strict=True)],
        )

    def to_json(self) -> str:
        """Write everything, to the last digit."""
        return json.dumps([self.pages, self.finds, *self.told, *self.given])

    @classmethod
    def from_json(cls, text: str) -> Ways:
        """Read what :meth:`to_json` wrote; ``ValueError`` when it is damaged."""
        ways, stored = cls(), json.loads(text)
        if not isinstance(stored, list) or len(stored) != 6 or not all(map(_are_counts, stored)):
            raise ValueError("the learned ways are damaged")
        ways.pages, ways.finds = stored[:2]
        ways.told, ways.given = WayCounts(*stored[2:4]), WayCounts(*stored[4:])
        ways._set_all()
        return ways

    def _set_all(self) -> None:
        for way in range(WAYS):
            self._set_worth(way)

    def _set_worth(self, way: int) -> None:
        told, given = self.told, self.given
        finds = self.finds[way] + told.finds[way] + given.finds[way]
        self.worth[way] = finds / (self.pages[way] + told.pages[way] + given.pages[way] + DOUBT)


def share(worth: float) -> float:
    """Turn the target pages that a page leads to into target pages a download, it being off target itself."""
    return worth / (1 + worth)


def lift(score: float, worth: float) -> float:
    """Add what a page may lead to, should it be off target, to the log-odds that it is on target."""
    return log(exp(min(score, 30.0)) + worth) if worth > LEAST else score


class LeadingWay(NamedTuple):
    """A kind of page that is off target and leads to target pages."""

    way: int
    worth: float
    """Target pages a download that such a page leads to."""
    pages: float
    """That were downloaded, latest ones."""
    finds: float


def leading_ways(counts: WayCounts) -> list[LeadingWay]:
    """Give the ways that lead to something, the best first."""
    found = [
        LeadingWay(way, finds / (pages + DOUBT), pages, finds)
        for way, (pages, finds) in enumerate(zip(*counts, strict=True))
    ]
    return sorted((way for way in found if way.worth > LEAST), key=lambda way: -way.worth)


def ways_of(stored: object) -> WayCounts | None:
    """Read counts from what a JSON file holds, ``{"pages": […], "finds": […]}``; ``None``: they are damaged."""
    if not isinstance(stored, Mapping):
        return None
    pages, finds = stored.get("pages"), stored.get("finds")
    return WayCounts(pages, finds) if _are_counts(pages) and _are_counts(finds) else None  # type: ignore[arg-type]


def _are_counts(row: object) -> bool:
    return are_numbers(row, WAYS, 0, 1e12)


def _scaled(counts: WayCounts, factors: Sequence[float]) -> WayCounts:
    pages = [value * factor for value, factor in zip(counts.pages, factors, strict=True)]
    finds = [value * factor for value, factor in zip(counts.finds, factors, strict=True)]
    return WayCounts(pages, [min(found, MOST_FINDS * (1 + seen)) for found, seen in zip(finds, pages, strict=True)])
