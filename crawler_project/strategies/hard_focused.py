"""Hard focused crawling: only relevant pages are worth their links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import UNKNOWN, Visit
from crawler_project.strategies.base import Strategy


@dataclass(frozen=True)
class HardFocused(Strategy):
    """Follow all links of relevant pages and none of other pages, first discovered first.

    Source: Somboonviwat 2006, Section 2 (after Chakrabarti 1999) and 6.1; Tamura 2006 in Chan &
    Yamana 2010, Section 2.2; R16 "Hard focused". A page of unknown language is judged as its parent
    (Somboonviwat 4.1) unless ``inherit`` is false.
    """

    name: ClassVar[str] = "hard_focused"
    inherit: bool = True

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [0.0 if visit.is_relevant else None] * len(links)

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return f"parent {visit.effective_language or UNKNOWN}"
