"""Make a web for the simulator out of recorded answers: the pages, their links, their languages."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import AnchorJudge, RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import canonical_url, top_level_domain, url_hash
from crawler_project.core.values import Link, Page
from crawler_project.page.blocks import AS_IN_PAPER, Cut
from crawler_project.page.parse import parse_page
from crawler_project.simulator.text_recorder import TextRecorder
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble, one_language

MAX_REDIRECTS = 10


class Recording(NamedTuple):
    """An answer as it was recorded."""

    url: str
    body: bytes = b""
    content_type: str = ""
    location: str = ""
    """Where a redirect leads, as its header says; empty for a page."""
    language: str = ""
    """As the collection labels the page; empty: the judge says."""
    topic: str = ""
    """As the collection labels the page; empty: it does not."""


class WebRecorder:
    """Takes recordings one by one and keeps 9 bytes a link; http and https are one page.

    A page is judged by its label or by the judge, an anchor as in a live crawl: by its text, by a declared
    ``hreflang``, or as part of a framed page; ``page_language`` is the page's own language here, because
    the parent that a crawl will come by is not known yet.
    """

    def __init__(
        self,
        target: Target,
        judge: RelevanceJudge,
        anchor_judge: AnchorJudge,
        texts: TextRecorder | None = None,
        cut: Cut = AS_IN_PAPER,
    ) -> None:
        """Begin an empty web.

        Args:
            texts: keeps the texts of pages and links; ``None``: they are not kept.
            cut: how pages are cut into blocks whose texts are kept.

        Raises:
            ConfigurationError: more than one target language; the dataset format has room for one.
        """
        self._language = one_language(target)
        self._target = target
        self._judge = judge
        self._anchor_judge = anchor_judge
        self._rows: dict[int, int] = {}
        self._redirects: dict[int, int] = {}
        self._urls: list[str] = []
        self._hosts: list[str] = []
        self._langs: list[str] = []
        self._sizes: list[int] = []
        self._ends = array("q")
        self._anchors = bytearray()
        self._texts = texts
        self._cut = cut if texts else None

    def __len__(self) -> int:
        """Pages so far."""
        return len(self._urls)

    def add(self, recording: Recording) -> bool:
        """Take a recording; false when it is no page of its own: no http(s) address, known already, a redirect."""
        parts = canonical_url(recording.url)
        if parts is None or _key(parts.url) in self._rows:
            return False
        if recording.location:
            end = canonical_url(recording.location, parts.url)
            if end and _key(end.url) != _key(parts.url):
                self._redirects[_key(parts.url)] = _key(end.url)
            return False
        page = parse_page(recording.body, parts.url, content_type=recording.content_type, cut=self._cut)
        language = recording.language or self._judge.judge(page).label
        self._rows[_key(parts.url)] = len(self._urls)
        self._urls.append(parts.url)
        self._hosts.append(parts.host)
        self._langs.append(language)
        self._add_links(page, language, parts.host)
        if self._texts:
            self._texts.add(page, recording.topic)
        return True

    def build(self, seeds: Sequence[tuple[int, str]] = ()) -> Web:
        """Give the web of all pages so far; links to other pages are left out, links to redirects follow them.

        Args:
            seeds: (line, URL); none: of each host's target pages the one with the shortest address.

        Raises:
            ConfigurationError: no page, a seed that is no page, or no target page to start from.
        """
        if not self._urls:
            raise ConfigurationError("there is no page in the recording; nothing to make a web of")
        rows, is_kept = self._resolve_ends()
        sources = np.repeat(np.arange(len(self)), self._sizes)[is_kept]
        anchors = np.frombuffer(self._anchors, dtype=np.bool_)[is_kept]
        if self._texts:
            self._texts.finish(is_kept)
        pages = PageColumns(self._urls, self._hosts, self._langs)
        links = LinkColumns(sources, rows[is_kept], anchors)
        return assemble(self._target, pages, links, self._seed_rows(seeds))

    def _add_links(self, page: Page, language: str, host: str) -> None:
        self._sizes.append(len(page.links))
        self._ends.extend(_key(link.url) for link in page.links)
        tld = top_level_domain(host)
        self._anchors.extend(self._says_target(link, language, tld) for link in page.links)

    def _says_target(self, link: Link, language: str, tld: str) -> bool:
        languages = self._target.languages
        if link.kind in ("frame", "refresh") and language in languages:
            return True
        if link.declared_language in languages:
            return True
        return (
            bool(link.anchor_text)
            and self._anchor_judge.judge_anchor(link.anchor_text, language, tld).label in languages
        )

    def _resolve_ends(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Give the row that each link leads to, and which links lead to a row at all."""
        ends = array("q", [self._row_of(end) for end in self._ends])
        rows = np.frombuffer(ends, dtype=np.int64) if ends else np.zeros(0, dtype=np.int64)
        return rows, rows >= 0

    def _row_of(self, key: int) -> int:
        for _ in range(MAX_REDIRECTS):
            row = self._rows.get(key, -1)
            if row >= 0 or key not in self._redirects:
                return row
            key = self._redirects[key]
        return -1

    def _seed_rows(self, seeds: Iterable[tuple[int, str]]) -> list[int]:
        named = list(seeds)
        if not named:
            return self._front_pages()
        rows = [
            (line, url, self._row_of(_key(parts.url)) if (parts := canonical_url(url)) else -1) for line, url in named
        ]
        for line, url, row in rows:
            if row < 0:
                raise ConfigurationError(f"seeds row {line}: {url!r} is no page of the recording")
        return list(dict.fromkeys(row for _, _, row in rows))

    def _front_pages(self) -> list[int]:
        fronts: dict[str, int] = {}
        for row, (host, url, lang) in enumerate(zip(self._hosts, self._urls, self._langs, strict=True)):
            if lang == self._language and (host not in fronts or len(url) < len(self._urls[fronts[host]])):
                fronts[host] = row
        if not fronts:
            raise ConfigurationError(
                f"no page of the recording is in the target language {self._language!r}; name seeds"
            )
        return list(fronts.values())


def _key(url: str) -> int:
    """Hash a canonical URL without its scheme."""
    return url_hash(url[url.index("//") :])
