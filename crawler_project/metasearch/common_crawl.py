"""Common Crawl's index of addresses, and other servers of that kind (pywb's CDXJ Server API).

It knows addresses only, no texts: a keyword set looks for addresses with one of its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from crawler_project.core.errors import ConfigurationError
from crawler_project.metasearch.provider import EVERYTHING, Answer, Hit, Reply, SearchRequest
from crawler_project.metasearch.reply_errors import check_status
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.web_archive import read_index

MOST_LINES: Final = 5000
"""Captures asked for at a time."""
EXAMPLE: Final = "commoncrawl=https://index.commoncrawl.org/CC-MAIN-2026-43-index?url=*.co.kr"


class CommonCrawl:
    """Ask an index server.

    Args:
        address: of one collection, with the pattern of addresses to look through (:data:`EXAMPLE`).

    Raises:
        ConfigurationError: no pattern in it.
    """

    name = "commoncrawl"
    is_named = True
    is_ranked = False

    def __init__(self, address: str) -> None:
        self.place = address
        parts = urlsplit(address)
        self._endpoint = parts._replace(query="", fragment="").geturl()
        self._given = parse_qsl(parts.query)
        if "url" not in dict(self._given):
            raise ConfigurationError(
                f"provider commoncrawl={address!r} has no pattern of addresses; write it like {EXAMPLE}"
            )

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return queries

    def ask(self, query: str, page: int) -> SearchRequest:
        values = [*self._given, ("output", "json"), ("fl", "url"), ("filter", "=status:200"), ("limit", MOST_LINES)]
        if query != EVERYTHING:
            values.append(("filter", f"~url:{pattern_of(query)}"))
        return SearchRequest(f"{self._endpoint}?{urlencode([*values, ('page', page)])}")

    def read(self, reply: Reply) -> Answer:
        if reply.status in (400, 404) and b"message" in reply.body[:1000]:
            return Answer(())  # no captures, or a page beyond the last
        check_status(reply)
        damage = Damage()
        lines = reply.body.decode("utf-8", "replace").splitlines()
        hits = [Hit(row.url) for row in read_index(lines, self.name, damage)]
        notes = [f"{count:,} lines: {reason}" for reason, count in damage.skipped.items()]
        return Answer(hits, has_more=bool(lines), notes=tuple(notes))


def pattern_of(query: str) -> str:
    """Give the regular expression for addresses with one of the words, plain or as UTF-8 in escapes."""
    forms = [form for word in query.split() for form in dict.fromkeys((word, quote(word)))]
    return f"(?i).*({'|'.join(re.escape(form) for form in forms)})"
