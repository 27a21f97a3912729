"""Breadth first, as topic crawls are compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import TopicAdmission


@dataclass(frozen=True)
class BreadthFirst(TopicAdmission):
    """Follow every link, first discovered first; ``refused`` has no effect, because none is.

    Source: the crawler "Breadth-First" that Section 6 of CBP-SLC compares with; rule T11. The order is
    that of ``control``.
    """

    name: ClassVar[str] = "breadth_first"

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [0.0] * len(links)

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return "link"
