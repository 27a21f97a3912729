"""Judges of judges: a page of the language *and* of the topic."""

from __future__ import annotations

from collections.abc import Sequence

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import RelevanceJudge
from crawler_project.core.values import Page, Relevance


class AllOf:
    """Relevant where all judges say so; the label is the first judge's, the score the least."""

    def __init__(self, judges: Sequence[RelevanceJudge]) -> None:
        if not judges:
            raise ConfigurationError("all_of needs one judge or more")
        self.judges = tuple(judges)

    def judge(self, page: Page) -> Relevance:
        """Ask the judges in turn, and stop at the first that says no."""
        answers: list[Relevance] = []
        for judge in self.judges:
            answers.append(judge.judge(page))
            if not answers[-1].is_relevant:
                break
        return Relevance(
            answers[-1].is_relevant,
            min(answer.score for answer in answers),
            answers[0].label,
            "; ".join(answer.evidence for answer in answers),
        )


def all_of(judges: Sequence[RelevanceJudge]) -> AllOf:
    """Combine ``judges`` so that all must agree that a page is relevant.

    Raises:
        ConfigurationError: no judges.
    """
    return AllOf(judges)
