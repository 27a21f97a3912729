"""A directory on disk, searched by its titles and descriptions; lists without texts are taken whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from crawler_project.core.errors import ConfigurationError
from crawler_project.metasearch.provider import EVERYTHING, Answer, Hit, ProviderError, Reply
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_entries
from crawler_project.seeding.seed_row import SeedRow
from crawler_project.verification.site import site_of


class DirectoryFile:
    """Look keyword sets up in a file of any form that ``scrapy seeds`` reads.

    An entry with a title, description or topic is found by a keyword set when all words of that are in these or in its
    address; one without is found by ``*``. One address a site is given, the first.

    Args:
        path: of the file; read once, at the first question.
        queries: all that will be asked.
        name: what tables call it.
    """

    is_named = True
    is_ranked = False

    def __init__(self, path: str, queries: Sequence[str], name: str = "file") -> None:
        self.name = name
        self.place = path
        self._queries = list(queries)
        self._found: dict[str, dict[str, Hit]] | None = None
        self._damage = Damage()

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return [*queries, EVERYTHING]

    def ask(self, query: str, page: int) -> Answer:
        if self._found is None:
            self._found = self._read()
            return Answer(self._hits(query), notes=tuple(self._notes()))
        return Answer(self._hits(query))

    def read(self, reply: Reply) -> Answer:
        raise NotImplementedError("nobody is asked")

    def _hits(self, query: str) -> list[Hit]:
        return list((self._found or {}).get(query, {}).values())

    def _read(self) -> dict[str, dict[str, Hit]]:
        words = {query: _plain(query).split() for query in self._queries}
        found: dict[str, dict[str, Hit]] = {}
        try:
            for row in read_entries([self.place], self._damage):
                for query in _answers(row, words):
                    found.setdefault(query, {}).setdefault(site_of(row.url), Hit(row.url, row.title))
        except ConfigurationError as error:
            raise ProviderError("nonsense", str(error), is_final=True) from error
        if not found and self._damage.faults:
            raise ProviderError("nonsense", self._damage.faults[0], is_final=True)
        return found

    def _notes(self) -> Iterator[str]:
        yield from self._damage.faults
        yield from (f"{count:,} entries left out: {reason}" for reason, count in self._damage.skipped.items())


def _answers(row: SeedRow, words: dict[str, list[str]]) -> Iterator[str]:
    if not (row.title or row.description or row.topic):
        yield EVERYTHING
        return
    text = _plain(f"{row.title} {row.description} {row.topic} {unquote(row.url, errors='replace')}")
    yield from (query for query, its in words.items() if all(word in text for word in its))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
