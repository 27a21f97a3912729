"""The language of seeds without fetching them: by what a directory says of them, or by their addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from crawler_project.core.seams import AnchorJudge, RelevanceJudge
from crawler_project.core.urls import UrlParts, canonical_url, top_level_domain
from crawler_project.core.values import UNKNOWN, Page, Relevance
from crawler_project.seeding.address_language import identify_address
from crawler_project.seeding.seed_table import Row, SeedTable, widened

ADDED: Final = ("language", "confidence", "evidence")
Identify = Callable[[str, str, str], Relevance]
"""Of address, title and description."""


class TextIdentifier:
    """Tell the language of a title and a description, which are often two words.

    Letters of a script that few languages have decide first, as they do for anchor texts: titles are full of names and
    terms in Latin letters. Other texts are judged like a page's.
    """

    def __init__(self, judge: RelevanceJudge, anchors: AnchorJudge) -> None:
        self._judge = judge
        self._anchors = anchors

    def __call__(self, url: str, title: str, description: str) -> Relevance:
        """Give language, confidence and evidence; ``und`` for no text, or one that says nothing."""
        text = f"{title} {description}".strip()
        if not text:
            return Relevance(False, 0.0, UNKNOWN, "no title and no description")
        if not text.isascii():
            found = self._anchors.judge_anchor(text, "", _tld(url))
            if found.label != UNKNOWN and found.evidence.startswith(("script", "Han", "name")):
                return found
        return self._judge.judge(Page(url, text=text))


def identify_rows(table: SeedTable, identify: Identify, skip: int = 0) -> tuple[list[str], Iterator[Row]]:
    """Add ``language``, ``confidence`` and ``evidence`` to rows; gives the header and the rows.

    ``skip``: rows at the beginning that are done already and are not given again.
    """
    url = table.column("url")
    header, places = table.with_columns(ADDED)
    return header, _identified(table, identify, url, places, skip)


def _identified(table: SeedTable, identify: Identify, url: int, places: list[int], skip: int) -> Iterator[Row]:
    title, description = table.get("title"), table.get("description")
    size = max(len(table.header), *(place + 1 for place in places))
    for row in islice(table.rows, skip, None):
        found = identify(row[url], "" if title is None else row[title], "" if description is None else row[description])
        row = widened(row, size)
        for place, value in zip(places, (found.label, f"{found.score:.2f}", found.evidence), strict=True):
            row[place] = value
        yield row


def by_address(anchors: AnchorJudge) -> Identify:
    """Give :func:`~crawler_project.seeding.address_language.identify_address` in the shape of the others."""
    return lambda url, title, description: identify_address(url, anchors)


def by_text_or_address(text: Identify, anchors: AnchorJudge) -> Identify:
    """Ask the text, and the address where the text says nothing or is English, which titles are in any language's pages."""

    def identify(url: str, title: str, description: str) -> Relevance:
        found = text(url, title, description)
        if found.label not in (UNKNOWN, "en"):
            return found
        second = identify_address(url, anchors)
        return second if second.score >= 0.5 else found

    return identify


def _tld(url: str) -> str:
    return top_level_domain((canonical_url(url) or UrlParts("", "")).host)
