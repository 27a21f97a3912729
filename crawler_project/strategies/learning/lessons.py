"""What came of one download, told to the other workers of a crawl in some hundred bytes."""

from __future__ import annotations

from typing import NamedTuple

from crawler_project.core.urls import canonical_url
from crawler_project.core.values import LONGEST_LESSON
from crawler_project.strategies.learning.features import MOST_IN_LINKS
from crawler_project.strategies.learning.lookup import unpack
from crawler_project.strategies.learning.memory import InLinks

VERSION = "2"
"""A lesson of another one is passed over."""
_ZERO = 48
_LINKS_AT = 2


class Lesson(NamedTuple):
    """A download as its worker saw it: enough to learn from it as if one had made it oneself."""

    url: str
    host: str
    is_target: bool
    evidence: str
    """Of the link that was followed, as :func:`~crawler_project.strategies.learning.lookup.pack` writes it; empty for a seed."""
    in_links: InLinks
    """That the worker had found before."""
    is_gone: bool = False
    """There was no page."""


def pack_lesson(lesson: Lesson) -> str:
    """Write a lesson: version, what it gave (0: a page, 1: a target page, 2: none), four counts of links, evidence, a space, URL; empty when it is too long."""
    counts = "".join([chr(_ZERO + count) for count in lesson.in_links])
    gave = 2 if lesson.is_gone else int(lesson.is_target)
    text = f"{VERSION}{gave}{counts}{lesson.evidence} {lesson.url}"
    return text if len(text) <= LONGEST_LESSON else ""


def unpack_lesson(text: str) -> Lesson | None:
    """Read what :func:`pack_lesson` wrote; ``None`` for anything else, also of another version."""
    head, space, url = text[: LONGEST_LESSON + 1].partition(" ")
    evidence_at = _LINKS_AT + len(InLinks._fields)
    if len(text) > LONGEST_LESSON or not space or len(head) < evidence_at or head[0] != VERSION or head[1] not in "012":
        return None
    counts = [ord(character) - _ZERO for character in head[_LINKS_AT:evidence_at]]
    evidence = head[evidence_at:]
    parts = canonical_url(url)
    if min(counts) < 0 or max(counts) > MOST_IN_LINKS or (evidence and unpack(evidence) is None):
        return None
    if parts is None or parts.url != url:
        return None
    return Lesson(url, parts.host, head[1] == "1", evidence, InLinks(*counts), head[1] == "2")
