"""Selective link contexts alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import Admission, TopicAdmission, of_anchor, of_context


@dataclass(frozen=True)
class Slc(TopicAdmission):
    """Follow links whose anchor, else whose context, is relevant.

    Source: the crawler "SLC" that Section 6 of CBP-SLC compares with; rule T11.
    """

    name: ClassVar[str] = "slc"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        return of_anchor(link) or of_context(link)
