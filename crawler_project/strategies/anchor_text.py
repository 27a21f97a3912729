"""Anchor texts alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import Admission, TopicAdmission, of_anchor


@dataclass(frozen=True)
class AnchorText(TopicAdmission):
    """Follow links whose anchor text is relevant.

    Source: the crawler "Anchor text only" that Section 6 of CBP-SLC compares with; rule T11.
    """

    name: ClassVar[str] = "anchor_text"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        return of_anchor(link)
