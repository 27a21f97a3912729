"""Content block partition alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import Admission, TopicAdmission, of_block


@dataclass(frozen=True)
class Cbp(TopicAdmission):
    """Follow links of relevant blocks.

    Source: the crawler "CBP" that Section 6 of CBP-SLC compares with; rule T11.
    """

    name: ClassVar[str] = "cbp"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        return of_block(link)
