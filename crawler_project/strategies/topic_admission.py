"""What the strategies of topic crawls have in common: a link is admitted by one of its texts, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Strategy

REFUSED = 2.0
"""Priority of links that no text admits; those of admitted ones are between 0 and 1."""
Refused = Literal["soft", "hard"]


class Admission(NamedTuple):
    """Why a link is followed."""

    rule: str
    """``block``, ``anchor``, ``context`` or ``page``: the text that is relevant."""
    score: float
    """Of that text, above 0."""


@dataclass(frozen=True)
class TopicAdmission(Strategy):
    """Follow the links whose text is relevant, the most relevant first.

    Source: rules T9 and T10 of CBP-SLC: Algorithm 4 with a priority queue, as Section 5 has it (the
    algorithm prints a queue), ties first discovered first. Refused links are thrown away in print
    (``refused=hard``), which soon leaves nothing to fetch; ``soft`` keeps them behind all others.
    """

    inherit: ClassVar[bool] = False  # type: ignore[misc]
    refused: Refused = "soft"

    def admit(self, visit: Visit, link: ScorableLink) -> Admission | None:
        """Say by which text the link is admitted; ``None``: by none."""
        raise NotImplementedError

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        refused = REFUSED if self.refused == "soft" else None
        return [
            refused if (admission := self.admit(visit, link)) is None else priority_of(admission.score)
            for link in links
        ]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        admission = self.admit(visit, link)
        return "refused" if admission is None else f"{admission.rule} {admission.score:.2f}"


def priority_of(score: float) -> float:
    """Turn a score above 0 into a priority between 0 and 1, falling with the score."""
    return 1.0 / (1.0 + score)


def of_block(link: ScorableLink) -> Admission | None:
    """Admit by the content block."""
    return Admission("block", link.scores.block) if link.scores.block > 0 else None


def of_anchor(link: ScorableLink) -> Admission | None:
    """Admit by the anchor text alone."""
    return Admission("anchor", link.scores.anchor) if link.scores.anchor > 0 else None


def of_context(link: ScorableLink) -> Admission | None:
    """Admit by the link context."""
    return Admission("context", link.scores.context) if link.scores.context > 0 else None
