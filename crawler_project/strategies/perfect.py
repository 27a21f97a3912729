"""The crawl that knows the whole web in advance: an upper bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Strategy


class Perfect(Strategy):
    """Follow only links that lead to target pages, first discovered first.

    Source: Somboonviwat 2006, Section 6.1 "Perfect" (determined in advance by breadth-first
    crawling); Chan & Yamana 2010, Section 2.2; R19, A12. The links of the simulator know the answer
    as ``leads_to_target``; a link that does not know leads nowhere.
    """

    name: ClassVar[str] = "perfect"
    needs_whole_web: ClassVar[bool] = True

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [0.0 if getattr(link, "leads_to_target", False) else None for link in links]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return "leads-to-target"
