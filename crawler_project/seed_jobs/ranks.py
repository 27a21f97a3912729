"""``scrapy seeds rank``: seeds in the order of what their pages are worth in a crawled web."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.seed_jobs.files import Counted, open_table
from crawler_project.seed_jobs.links import read_link_graph
from crawler_project.seeding.rank_pages import LinkGraph, Ranking, rank_pages
from crawler_project.seeding.seed_table import Row, widened
from crawler_project.seeding.step_output import write_step

ADDED = ("rank", "hub", "authority", "pagerank", "community")


def rank(source: str, output: str, *, links: str, by: str = "hits", n: int = 0, random_state: int = 0) -> Counted:
    """Order rows by the rank of their pages; without a ``source``, rank all pages of the graph.

    Rows whose page is not in the graph come last, without numbers. ``n``: how many rows are given; 0: all.

    Raises:
        ConfigurationError: no links, or ``by`` is no score.
    """
    if not links:
        raise ConfigurationError("rank needs --links PATH, the pages and links of a crawl")
    graph = read_link_graph(Path(links))
    ranking = rank_pages(graph, by, random_state)
    most = n or None
    if not source:
        header, rows = ["url", *ADDED], _pages(graph, ranking)
        written = write_step(output, lambda skip: (header, islice(rows, most)))
        return Counted(len(graph.urls), written, notes=_notes(ranking, len(graph.sources)))
    table = open_table(source)
    url = table.column("url")
    header, places = table.with_columns(ADDED)
    ranked = {page[0]: page[1:] for page in _pages(graph, ranking)}
    found: list[Row] = []
    for row in table.rows:
        parts = canonical_url(row[url])
        row = widened(row, len(header))
        for place, value in zip(places, ranked.get(parts.url if parts else "", [""] * len(ADDED)), strict=True):
            row[place] = value
        found.append(row)
    found.sort(key=lambda row: (not row[places[0]], int(row[places[0]] or 0)))
    written = write_step(output, lambda skip: (header, islice(found, most)))
    missing = sum(not row[places[0]] for row in found)
    notes = [*_notes(ranking, len(graph.sources)), f"{missing:,} of {len(found):,} addresses are not in the graph"]
    return Counted(len(found), written, notes=notes)


def _pages(graph: LinkGraph, ranking: Ranking) -> Iterator[Row]:
    """Give address and numbers of all pages, best first."""
    for place, page in enumerate(ranking.order.tolist(), 1):
        yield [
            graph.urls[page],
            str(place),
            f"{ranking.hub[page]:.9f}",
            f"{ranking.authority[page]:.9f}",
            f"{ranking.pagerank[page]:.9f}",
            str(ranking.community[page]),
        ]


def _notes(ranking: Ranking, links: int) -> list[str]:
    pages, communities = len(ranking.order), int(ranking.community.max()) + 1
    return [f"{pages:,} pages, {links:,} links, {communities:,} communities"]
