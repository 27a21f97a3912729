"""A topic model as a judge of pages."""

from __future__ import annotations

from typing import Final

from crawler_project.core.values import UNKNOWN, Page, Relevance
from crawler_project.relevance.topic.topic_model import TopicModel

OFF_TOPIC: Final = "other"
"""The label of a page that is on another topic."""


class TopicJudge:
    """Judge pages by their title and all their visible text, as the paper does (Algorithm 4, line 6).

    Relevant is a page whose score is above 0. The label is the topic's name, ``other``, or ``und`` where
    the page has no term that the model knows; the score is the probability of that label.
    """

    def __init__(self, model: TopicModel) -> None:
        self.model = model

    def judge(self, page: Page) -> Relevance:
        """Score title and text of ``page``."""
        text = page_text(page)
        if not self.model.knows(text):
            return Relevance(False, 0.0, UNKNOWN, "no known term")
        score = self.model.score_text(text)
        probability = self.model.probability(score)
        evidence = f"topic {self.model.name} {score:+.2f}"
        if score > 0:
            return Relevance(True, probability, self.model.name, evidence)
        return Relevance(False, 1.0 - probability, OFF_TOPIC, evidence)


def page_text(page: Page) -> str:
    """What of a page is read, in training as in judging: the title and the visible text."""
    return f"{page.title}\n{page.text}" if page.title else page.text
