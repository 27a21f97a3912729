"""The one item of a crawl: a row about a crawled page."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(slots=True)
class PageItem:
    """A crawled page; the fields are the columns of the CSV files, in this order."""

    url: str
    """As queued, before redirects."""
    final_url: str
    status: int
    fetched_at: str
    """ISO 8601, UTC, milliseconds."""
    language: str
    language_score: float
    declared_language: str
    charset: str
    title: str
    bytes: int
    """Of the body, decompressed."""
    depth: int
    """Links from the seed."""
    distance: int
    """Links from the latest relevant page (R9)."""
    referrer: str
    anchor_text: str
    why: str
    """The rule that kept the link to this page."""
    digest: str
    """Of the visible text."""
    position: int
    """1 for the first page of the crawl."""
    host: str
    is_target: bool
    evidence: str
    """Of the language judge."""


COLUMNS = tuple(field.name for field in fields(PageItem))
