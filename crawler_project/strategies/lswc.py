"""Language specific web crawling, Somboonviwat's strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import KEEP_HOST, UNKNOWN, Counts, HostVerdict, Visit
from crawler_project.strategies.base import Strategy, distance_of_links
from crawler_project.strategies.parameters import Between

SAME_SERVER = 1.0
OTHER_SERVER = 2.0
OFF_TARGET = 3.0
"""From an irrelevant page, at distance 2; each further step of distance is one class more."""
RELEVANT_SERVER = HostVerdict(override=0.0)
IRRELEVANT_SERVER = HostVerdict(discard=True)
_ENGLISH = ("en", "english")


@dataclass(frozen=True)
class Lswc(Strategy):
    """Stay near relevant pages, and prefer servers that are known to hold some.

    Source: Somboonviwat, Tamura & Kitsuregawa 2006, Section 5; R9 to R15, A1, A5 to A10.

    1. URLs further than ``T`` links from the latest relevant page are discarded (R9, R10).
    2. Servers whose first ``S`` downloads held no target page are irrelevant: their URLs are neither
       queued nor downloaded (R14, R15). One target page makes a server relevant for ever (R13).
    3. Order: URLs of relevant servers (R12); of relevant parents, on the same server, then on others;
       of irrelevant parents by distance, one class better behind target → English (R11). Where English
       is itself the target that last rule has no case: it speaks of irrelevant parents.
    """

    name: ClassVar[str] = "lswc"
    unit: ClassVar[str] = "host"
    tracks_distance: ClassVar[bool] = True
    S: Annotated[int, Between(1)] = 3
    T: Annotated[int, Between(1)] = 5
    inherit: bool = True

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        if distance_of_links(visit) > self.T:
            return [None] * len(links)
        near, far = (SAME_SERVER, OTHER_SERVER) if visit.is_relevant else (_off_target_class(visit),) * 2
        return [
            None if self._is_irrelevant(link.counts) else near if link.same_host else far for link in links
        ]  # fmt: skip

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        if visit.is_relevant:
            return f"{'same' if link.same_host else 'other'}-server parent {visit.effective_language or UNKNOWN}"
        step_up = ", behind target and English" if _is_behind_target_and_english(visit) else ""
        return f"distance {distance_of_links(visit)}{step_up}"

    def judge_host(self, counts: Counts) -> HostVerdict:
        if counts.target_pages:
            return RELEVANT_SERVER
        return IRRELEVANT_SERVER if self._is_irrelevant(counts) else KEEP_HOST

    def _is_irrelevant(self, counts: Counts) -> bool:
        return counts.pages >= self.S and not counts.target_pages


def _off_target_class(visit: Visit) -> float:
    """The class of the links of an irrelevant page, whose distance is 2 or more (R11)."""
    return OFF_TARGET + distance_of_links(visit) - 2 - _is_behind_target_and_english(visit)


def _is_behind_target_and_english(visit: Visit) -> bool:
    """The page is English and its parent relevant: d(p) = 1 and no seed (R11, A8, A9)."""
    return visit.effective_language in _ENGLISH and visit.distance == 1 and not visit.is_seed
