"""One address of a directory, as every reader gives it."""

from __future__ import annotations

from typing import NamedTuple

COLUMNS = ("url", "title", "description", "topic", "source")
"""The columns of ``scrapy seeds extract``, which all later steps keep."""
MAX_TEXT = 2_000
"""Characters of a title, description or topic that are kept: more than any directory's editors write."""


class SeedRow(NamedTuple):
    """An address and what its source says of it; a text that the source does not give is empty."""

    url: str
    """Canonical (:func:`crawler_project.core.urls.canonical_url`)."""
    title: str = ""
    description: str = ""
    topic: str = ""
    """Path of the category, parts separated by ``/``: ``Top/World/Korean/뉴스``."""
    source: str = ""
    """Name of the file that it was read from; ``-`` is standard input."""


def squeezed(text: str | None) -> str:
    """Give ``text`` in one line with single spaces, at most ``MAX_TEXT`` characters; ``""`` for ``None``."""
    return " ".join(text.split())[:MAX_TEXT] if text else ""
