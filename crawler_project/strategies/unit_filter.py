"""What Tamura's two filters have in common: a test on the downloads of a unit of the web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Counts, Visit
from crawler_project.strategies.base import Strategy
from crawler_project.strategies.parameters import Between
from crawler_project.strategies.soft_focused import explain_soft_class, soft_class

NewUnit = Literal["aggressive", "conservative", "tld"]


@dataclass(frozen=True)
class UnitFilter(Strategy):
    """Soft focused crawling that drops links into units (servers, directories) poor in target pages.

    Source: Tamura 2006 in Chan & Yamana 2010, Section 2.2 (Nr and Na, steps 1 to 8); R17, A11.
    Tamura gives no thresholds: a unit passes while fewer than ``m`` of its pages are downloaded, and
    later as long as at least ``theta`` of them are target pages. ``new`` says which units without
    any download are entered: all (``aggressive``), those that a relevant page links to
    (``conservative``), or those in the target's top-level domains (``tld``, the paper's step 5).
    With ``recheck`` the test is made again when a URL is selected.
    """

    new: NewUnit = "aggressive"
    m: Annotated[int, Between(0)] = 5
    theta: Annotated[float, Between(0, 1)] = 0.1
    recheck: bool = False
    inherit: bool = True

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        priority = soft_class(visit)
        return [priority if self._keeps(visit, link) else None for link in links]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        pages, target_pages = link.counts
        found = f"{target_pages} of {pages}" if pages else f"new ({self.new})"
        return f"{explain_soft_class(visit)}, {self.unit} {found}"

    def admits(self, counts: Counts) -> bool:
        return not self.recheck or not counts.pages or self._is_rich(counts)

    def _keeps(self, visit: Visit, link: ScorableLink) -> bool:
        if link.counts.pages:
            return self._is_rich(link.counts)
        if self.new == "conservative":
            return visit.is_relevant
        return link.tld_is_target if self.new == "tld" else True

    def _is_rich(self, counts: Counts) -> bool:
        return counts.pages < self.m or counts.target_pages >= self.theta * counts.pages
