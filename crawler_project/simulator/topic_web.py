"""A recorded web seen by a topic model: every text scored once, and the pages on the topic as its targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import UNKNOWN, LinkScores
from crawler_project.simulator.web import Bools, Web
from crawler_project.simulator.web_texts import WebTexts

OTHER = "other"
"""The label of pages off the topic."""
Scores = npt.NDArray[np.float64]


class TextsScorer(Protocol):
    """What is needed of a topic model (:class:`crawler_project.relevance.topic.link_scores.TopicLinkScorer`)."""

    def score_texts(self, texts: Sequence[str], /) -> Sequence[float]: ...


@dataclass(frozen=True, eq=False)
class TopicView:
    """The scores of a web's texts; a score above 0 is relevant."""

    texts: WebTexts
    scores: Scores
    """One a distinct text."""

    def page_score(self, page: int) -> float:
        return float(self.scores[self.texts.pages[page]])

    def link_scores(self, link: int) -> LinkScores:
        texts, scores = self.texts, self.scores
        return LinkScores(
            float(scores[texts.blocks[link]]), float(scores[texts.anchors[link]]), float(scores[texts.contexts[link]])
        )

    def links_on_topic(self) -> Bools:
        """Say for each link whether its block, anchor or context is relevant."""
        texts, is_relevant = self.texts, self.scores > 0
        found: Bools = is_relevant[texts.blocks] | is_relevant[texts.anchors] | is_relevant[texts.contexts]
        return found


def view_topic(texts: WebTexts, scorer: TextsScorer) -> TopicView:
    """Score every distinct text that a page or link has, once."""
    rows = np.unique(np.concatenate([texts.pages, texts.blocks, texts.anchors, texts.contexts]))
    scores = np.zeros(len(texts.texts))
    scores[rows] = scorer.score_texts([str(text) for text in texts.texts.take(rows).to_pylist()])
    return TopicView(texts, scores)


def topic_web(web: Web, view: TopicView, topic: str, *, label: str = "", within_language: bool = False) -> Web:
    """Make the pages on a topic the targets of a web, and let its links know their scores.

    As in a live topic crawl no top-level domain speaks for the target then, and a link does whose block, anchor
    or context is on the topic; within a language, domains and anchors go on to speak for the language.

    Args:
        topic: its name; takes the place of the target language.
        label: the pages that the collection labels so are the targets; empty: those that the model finds
            relevant (as the paper measures).
        within_language: only pages in the web's target language are.

    Raises:
        ConfigurationError: no page has the label.
    """
    on_topic: Bools = view.scores[view.texts.pages] > 0
    if label:
        labels = np.array(view.texts.labels.to_pylist(), dtype=object)
        on_topic = np.asarray(labels == label, dtype=bool)
        if not on_topic.any():
            known = ", ".join(sorted({str(name) for name in labels if name})[:20])
            raise ConfigurationError(f"topic={label!r}: no page has this label; labels: {known or 'none'}")
    if within_language:
        on_topic &= web.is_target
    langs = np.where(on_topic, 0, 1).astype(np.int16)
    seen = replace(
        web, target_lang=topic, lang_names=[topic, OTHER, UNKNOWN], langs=langs, topic=view, texts=view.texts
    )
    return seen if within_language else replace(seen, anchors=view.links_on_topic(), target_tlds=frozenset())
