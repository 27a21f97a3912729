"""Make a web of a finished crawl that kept no pages: only the links by which pages were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import AnchorJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import canonical_url, top_level_domain
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble, one_language


class CrawledPage(NamedTuple):
    """A row of a crawl's output."""

    position: int
    url: str
    """As queued."""
    final_url: str
    language: str
    depth: int
    """0: a seed."""
    referrer: str
    """Final URL of the page with the link that led here."""
    anchor_text: str


class _Edge(NamedTuple):
    source: int
    end: int
    is_target: bool


def crawled_web(rows: Iterable[CrawledPage], target: Target, anchor_judge: AnchorJudge) -> Web:
    """Make a web of one link for each page that was not a seed: a tree, or several.

    Every order of a simulation on it is possible, none is complete: links that the crawl knew already
    or dropped are not in its output. Links stand in the order in which their pages were downloaded.

    Raises:
        ConfigurationError: no page, no seed, or more than one target language.
    """
    one_language(target)
    pages = _pages(rows)
    row_of = {url: row for row, page in reversed(list(enumerate(pages))) for url in (page.url, page.final_url)}
    edges = sorted(_edges(pages, row_of, target, anchor_judge), key=lambda edge: edge.source)
    seeds = [row for row, page in enumerate(pages) if page.depth == 0]
    if not seeds:
        raise ConfigurationError("the crawl's output has no seed (depth 0); nothing could start from")
    hosts = [parts.host if (parts := canonical_url(page.url)) else "" for page in pages]
    sources, ends, says = (list(column) for column in zip(*edges, strict=True)) if edges else ([], [], [])
    columns = PageColumns([page.url for page in pages], hosts, [page.language for page in pages])
    links = LinkColumns(np.array(sources, np.int64), np.array(ends, np.int64), np.array(says, bool))
    return assemble(target, columns, links, seeds)


def _pages(rows: Iterable[CrawledPage]) -> list[CrawledPage]:
    """Order by position and drop what has no address or was there before."""
    pages = {page.url: page for page in sorted(rows, reverse=True) if canonical_url(page.url)}
    if not pages:
        raise ConfigurationError("the crawl's output has no page; nothing to make a web of")
    return sorted(pages.values())


def _edges(
    pages: Sequence[CrawledPage], row_of: dict[str, int], target: Target, anchor_judge: AnchorJudge
) -> Iterable[_Edge]:
    for row, page in enumerate(pages):
        source = row_of.get(page.referrer)
        if source is None or page.depth == 0:
            continue
        parts = canonical_url(pages[source].url)
        tld = top_level_domain(parts.host) if parts else ""
        judged = anchor_judge.judge_anchor(page.anchor_text, pages[source].language, tld)
        yield _Edge(source, row, bool(page.anchor_text) and judged.label in target.languages)
