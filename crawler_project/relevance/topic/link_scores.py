"""All texts of a page scored in one go: the page, its blocks, and the anchors and contexts of its links."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Protocol

from crawler_project.core.values import BlockLink, LinkScores, Page, PageScores
from crawler_project.relevance.topic.judge import page_text


class TextScorer(Protocol):
    """What is needed of a topic model."""

    def score_texts(self, texts: Iterable[str], /) -> Sequence[float]: ...


class TopicLinkScorer:
    """Score pages by a topic model. Pure: equal pages, equal scores.

    A link of ``Page.links`` is matched with the link to the same address in ``Page.blocks``, the first with the
    first. A link in no block (a frame, an area of a map, a redirect of a page) stands in the page as a whole.
    A text without any known term says nothing, so it is never relevant, whatever the constant of the model.
    """

    def __init__(self, model: TextScorer) -> None:
        self._model = model
        self._silent = model.score_texts([""])[0]

    def score_page(self, page: Page) -> PageScores:
        """Score ``page``, parsed with its blocks, and each of its links."""
        found = link_places(page)
        whole = page_text(page)
        texts = {whole: 0.0}
        for block, link in found:
            texts[whole if block is None else block] = texts[link.anchor_text] = texts[link.context] = 0.0
        scores = dict(zip(texts, self.score_texts(list(texts)), strict=True))
        links = [
            LinkScores(scores[whole if block is None else block], scores[link.anchor_text], scores[link.context])
            for block, link in found
        ]
        return PageScores(scores[whole], links, [link.context for _, link in found])

    def score_texts(self, texts: Sequence[str]) -> list[float]:
        """Score each text; one that the model knows no term of is not relevant."""
        nothing = min(self._silent, 0.0)
        return [nothing if score == self._silent else score for score in self._model.score_texts(texts)]


def link_places(page: Page) -> list[tuple[str | None, BlockLink]]:
    """Give for each link of a page the text of its block (``None``: it is in none), and the link there."""
    in_blocks: dict[str, deque[tuple[str, BlockLink]]] = defaultdict(deque)
    for text, links in page.blocks:
        for link in links:
            in_blocks[link.url].append((text, link))
    found: list[tuple[str | None, BlockLink]] = []
    for wanted in page.links:
        places = in_blocks.get(wanted.url) if wanted.kind == "a" else None
        if places:
            found.append(places.popleft() if len(places) > 1 else places[0])
        else:
            found.append((None, BlockLink(wanted.url, wanted.anchor_text, wanted.anchor_text)))
    return found
