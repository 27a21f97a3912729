"""Soft focused crawling: links of relevant pages first, the others after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import UNKNOWN, Visit
from crawler_project.strategies.base import Strategy

FROM_RELEVANT = 0.0
FROM_OTHERS = 1.0


@dataclass(frozen=True)
class SoftFocused(Strategy):
    """Follow every link: class 0 when a relevant page has it, else class 1.

    Source: Somboonviwat 2006, Section 2 (after Chakrabarti 1999) and 6.1; Tamura 2006 in Chan &
    Yamana 2010, Section 2.2, steps 7 and 8; R16 "Soft focused". Chakrabarti orders by the parent's
    score; a language judgement is yes or no, hence two classes.
    """

    name: ClassVar[str] = "soft_focused"
    inherit: bool = True

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [soft_class(visit)] * len(links)

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return explain_soft_class(visit)


def soft_class(visit: Visit) -> float:
    """Give the class that all links of a page take (R16)."""
    return FROM_RELEVANT if visit.is_relevant else FROM_OTHERS


def explain_soft_class(visit: Visit) -> str:
    """Name the class and the language that it comes from."""
    return f"{'parent' if visit.is_relevant else 'low-parent'} {visit.effective_language or UNKNOWN}"
