"""Breadth-first crawling: Chan & Yamana's control group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Strategy


class Control(Strategy):
    """Follow every link, first discovered first.

    Source: Chan & Yamana 2010, Section 4, Figure 3 (Nutch's own order); R16 "BFS".
    """

    name: ClassVar[str] = "control"

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [0.0] * len(links)

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return "link"
