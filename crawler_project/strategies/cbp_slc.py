"""CBP-SLC: the block, else the anchor, else the context of a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.topic_admission import Admission, TopicAdmission, of_anchor, of_block, of_context


@dataclass(frozen=True)
class CbpSlc(TopicAdmission):
    """Follow links of relevant blocks; of other blocks those whose anchor, else whose context, is relevant.

    Source: Algorithm 4 of CBP-SLC; rules T9 and T10. The priority is the score of the text that admits.
    """

    name: ClassVar[str] = "cbp_slc"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        return of_block(link) or of_anchor(link) or of_context(link)
