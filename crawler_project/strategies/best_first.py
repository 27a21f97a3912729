"""Best first: a link is as good as its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import Admission, TopicAdmission


@dataclass(frozen=True)
class BestFirst(TopicAdmission):
    """Follow links of relevant pages, those of the most relevant page first.

    Source: the crawler "Best-First" that Section 6 of CBP-SLC compares with; rule T11.
    """

    name: ClassVar[str] = "best_first"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        return Admission("page", visit.topic_score) if visit.topic_score > 0 else None
