"""The links between crawled pages, from whatever holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.seed_jobs.files import read_lines
from crawler_project.seeding.byte_source import open_chunks, text_lines
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.rank_pages import LinkGraph

EXPECTED = (
    "a web (`scrapy web record` makes one of a recorded collection or of WARC files), a crawl's output folder, "
    "or a CSV file with the columns source,target"
)


def read_link_graph(path: Path) -> LinkGraph:
    """Read a web of the simulator, a crawl's output (then only the links by which pages were found), or a table of links.

    Raises:
        ConfigurationError: it is none of these.
    """
    if path.is_dir() and any(path.glob("crawled-*.csv")):
        return _graph(_links_of_crawl(path))
    if path.is_dir() or path.suffix == ".json":
        from crawler_project.simulator.read_web import read_web
        from crawler_project.simulator.web import texts

        web = read_web(path)
        return LinkGraph(texts(web.urls), web.sources().astype(np.int64), web.targets.astype(np.int64))
    if not path.is_file():
        raise ConfigurationError(f"links={str(path)!r} does not exist; give {EXPECTED}")
    return _graph(_links_of_table(path))


def _links_of_crawl(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("crawled-*.csv")):
        table = read_lines(path)
        url, referrer = table.column("url"), table.column("referrer")
        yield from ((row[referrer] or row[url], row[url]) for row in table.rows)


def _links_of_table(path: Path) -> Iterator[tuple[str, str]]:
    import csv

    lines = text_lines(open_chunks(str(path), Damage()))
    reader = csv.DictReader(line + "\n" for line in lines)
    if not {"source", "target"} <= set(reader.fieldnames or ()):
        raise ConfigurationError(f"links={str(path)!r} has no columns source and target; give {EXPECTED}")
    for row in reader:
        yield row["source"] or "", row["target"] or ""


def _graph(links: Iterable[tuple[str, str]]) -> LinkGraph:
    """Number the pages in the order in which they are met."""
    numbers: dict[str, int] = {}
    sources: list[int] = []
    targets: list[int] = []
    for source, target in links:
        ends = canonical_url(source), canonical_url(target)
        if ends[0] is not None and ends[1] is not None:
            sources.append(numbers.setdefault(ends[0].url, len(numbers)))
            targets.append(numbers.setdefault(ends[1].url, len(numbers)))
    return LinkGraph(list(numbers), np.array(sources, dtype=np.int64), np.array(targets, dtype=np.int64))
