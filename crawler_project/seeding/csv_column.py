"""Addresses in a column of a table: Tranco and other ranked lists, Wikidata's answers, our own files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import UrlParts
from crawler_project.seeding.address_list import parse_address
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow, squeezed

ADDRESS_NAMES = (
    "url", "final_url", "website", "official website", "officialwebsite", "homepage", "home page", "domain", "host",
    "hostname", "site", "address", "link", "web", "uri", "loc", "rootdomain", "root domain", "origin",
)  # fmt: skip
"""Columns that are taken for addresses, best first, when none is named."""
_TEXTS = {
    "title": ("title", "name", "label", "itemlabel"),
    "description": ("description", "itemdescription", "notes", "note", "summary"),
    "topic": ("topic", "category", "categories", "folder", "tags"),
}
_DELIMITERS = ",\t;|"


class _Layout(NamedTuple):
    """Which cell of a row is what; -1: there is none."""

    address: int
    title: int = -1
    description: int = -1
    topic: int = -1


def read_csv_column(lines: Iterable[str], source: str, column: str | None, damage: Damage) -> Iterator[SeedRow]:
    """Read addresses from ``column``: a name (upper and lower case are one), or a number from 1.

    Without ``column``: the first that is called ``url``, ``website``, ``domain`` …; or, in a table without a header
    such as Tranco's (``1,example.org``), the first that holds an address. Columns called title, name, description,
    topic or category are taken along. Cells that are no address go to ``damage``.

    Raises:
        ConfigurationError: there is no such column; names those that there are.
    """
    lines = (line.replace("\0", "") for line in lines)
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    rows = _rows(chain((first + "\n",), (line + "\n" for line in lines)), delimiter, source, damage)
    header = next(rows, [])
    layout, has_header = _layout(header, column, source)
    for number, row in enumerate(rows if has_header else chain([header], rows), 2 if has_header else 1):
        if row:
            address = parse_address(_bare(row[layout.address])) if len(row) > layout.address else "the row is too short"
            if isinstance(address, UrlParts):
                title, description, topic = (_cell(row, at) for at in layout[1:])
                yield SeedRow(address.url, title, description, topic, source)
            elif any(row):
                damage.skip(source, f"row {number}", delimiter.join(row), address)


def is_table(lines: Sequence[str]) -> bool:
    """Whether the first lines of a text look like a table that has addresses, rather than a list of them."""
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("#"):
        return False
    for delimiter in _DELIMITERS:
        cells = list(map(_name, next(csv.reader([first], delimiter=delimiter), [])))
        if cells and any(name in cells for name in ADDRESS_NAMES):
            return True
        if len(cells) > 1 and _first_address(cells) is not None and "://" not in cells[0].partition(delimiter)[0]:
            return True
    return False


def _rows(lines: Iterable[str], delimiter: str, source: str, damage: Damage) -> Iterator[list[str]]:
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            damage.skip(source, f"line {reader.line_num}", "", f"no row of a CSV file: {error}")


def _layout(header: list[str], column: str | None, source: str) -> tuple[_Layout, bool]:
    names = list(map(_name, header))
    if column is not None and column.strip().lower() not in names:
        at = int(column) - 1 if column.isdigit() and int(column) > 0 else -1
        if not 0 <= at < len(header):
            raise ConfigurationError(
                f"{source!r} has no column {column!r}; it has {', '.join(map(repr, islice(header, 20))) or 'no columns'}"
            )
        return _with_texts(names, at), isinstance(parse_address(_bare(header[at])), str)
    wanted = [column.strip().lower()] if column is not None else ADDRESS_NAMES
    named = next((names.index(name) for name in wanted if name in names), None)
    if named is not None:
        return _with_texts(names, named), True
    at_first = _first_address(header)
    if at_first is None:
        raise ConfigurationError(
            f"{source!r} has no column of addresses that can be told by its name; name one of "
            f"{', '.join(map(repr, islice(header, 20)))} with --column"
        )
    return _Layout(at_first), False


def _with_texts(names: Sequence[str], address: int) -> _Layout:
    found = {
        text: next((names.index(name) for name in known if name in names and names.index(name) != address), -1)
        for text, known in _TEXTS.items()
    }
    return _Layout(address, **found)


def _first_address(cells: Sequence[str]) -> int | None:
    return next((at for at, cell in enumerate(cells) if isinstance(parse_address(_bare(cell)), UrlParts) and not _is_number(cell)), None)  # fmt: skip


def _name(cell: str) -> str:
    """SPARQL's TSV has ``?website``."""
    return cell.strip().lstrip("?").lower()


def _is_number(cell: str) -> bool:
    return cell.replace(".", "").replace(",", "").strip().isdigit()


def _bare(cell: str) -> str:
    """Wikidata's TSV has ``<http://example.org/>``."""
    cell = cell.strip()
    return cell[1:-1] if cell.startswith("<") and cell.endswith(">") else cell


def _cell(row: Sequence[str], at: int) -> str:
    return squeezed(row[at]) if 0 <= at < len(row) else ""
