"""Addresses in the order of their top-level and registered domains, however many there are."""

from __future__ import annotations

import csv
import heapq
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import UrlParts, canonical_url, registered_domain, top_level_domain
from crawler_project.seeding.count_table import CountTable
from crawler_project.seeding.seed_table import Row, SeedTable, widened

ORDERS: Final = {"tld": "top-level domain", "domain": "registered domain"}
_RUN = 50_000
"""Rows sorted in memory at a time (about 60 MB); more are merged from temporary files."""
_ADDED = ("tld", "domain")


def sort_addresses(
    table: SeedTable, by: str = "tld", keep: Collection[str] = (), unique: bool = False
) -> tuple[list[str], Iterator[Row], CountTable]:
    """Sort by top-level domain, then registered domain, then address (Chan & Yamana 2010, Section 3).

    Args:
        by: one of :data:`ORDERS`; ``domain`` leaves the top-level domain out of the order.
        keep: the only top-level domains that are given on; empty: all.
        unique: give each address once, its first row.

    Returns:
        The header with ``tld`` and ``domain``, the rows, and counts by ``by`` of everything that came in, before ``keep``;
        they are complete when the first row is given.

    Raises:
        ConfigurationError: an unknown order, or no column ``url``.
    """
    if by not in ORDERS:
        raise ConfigurationError(f"by={by!r} is no order; choose one of {', '.join(ORDERS)}")
    url = table.column("url")
    header, places = table.with_columns(_ADDED)
    counts = CountTable(by)
    kept = {tld.strip().lower().lstrip(".") for tld in keep} - {""}

    def keyed() -> Iterator[Row]:
        """Rows with their place in the order before them: two cells, which :func:`_merged` takes off again."""
        for row in table.rows:
            host = (canonical_url(row[url]) or UrlParts("", "")).host
            tld, domain = top_level_domain(host), registered_domain(host)
            counts.add((tld if by == "tld" else domain) or "(none)")
            if not kept or tld in kept:
                row = widened(row, len(header))
                row[places[0]], row[places[1]] = tld, domain
                yield [f"{tld}\x01{domain}" if by == "tld" else domain, row[url], *row]

    return header, _unique(_merged(keyed()), url) if unique else _merged(keyed()), counts


def _merged(rows: Iterator[Row]) -> Iterator[Row]:
    """Sort by the first two cells; stable, so that rows of one address stay in their order."""
    first = sorted(islice(rows, _RUN), key=_key)
    second = sorted(islice(rows, _RUN), key=_key)
    if not second:
        yield from (row[2:] for row in first)
        return
    with tempfile.TemporaryDirectory(prefix="seeds-sort-") as folder, ExitStack() as stack:
        runs = [_spilled(first, Path(folder) / "0"), _spilled(second, Path(folder) / "1")]
        first, second = [], []
        while run := sorted(islice(rows, _RUN), key=_key):
            runs.append(_spilled(run, Path(folder) / str(len(runs))))
        files = [stack.enter_context(path.open(encoding="utf-8", newline="")) for path in runs]
        yield from (row[2:] for row in heapq.merge(*map(csv.reader, files), key=_key))


def _key(row: Row) -> tuple[str, str]:
    return row[0], row[1]


def _spilled(rows: Iterable[Row], path: Path) -> Path:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def _unique(rows: Iterable[Row], url: int) -> Iterator[Row]:
    last = ""
    for row in rows:
        if row[url] != last:
            yield row
        last = row[url]
