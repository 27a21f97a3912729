"""The CSV that every step of ``scrapy seeds`` reads and writes: a header, ``url`` first, one address a row."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from crawler_project.core.errors import ConfigurationError

Row = list[str]


class TextSink(Protocol):
    """Where text is written."""

    def write(self, text: str, /) -> object: ...


@dataclass(frozen=True)
class SeedTable:
    """A header and the rows below it, each as long as the header; the rows can be walked over once."""

    header: Sequence[str]
    rows: Iterator[Row]

    def column(self, name: str) -> int:
        """Give the place of a column; raises :class:`ConfigurationError` that names the step which makes it."""
        if name in self.header:
            return self.header.index(name)
        step = _MADE_BY.get(name, "extract")
        raise ConfigurationError(
            f"there is no column {name!r}; `scrapy seeds {step}` makes it (columns here: {', '.join(self.header)})"
        )

    def get(self, name: str) -> int | None:
        """Give the place of a column, ``None`` without it."""
        return self.header.index(name) if name in self.header else None

    def with_columns(self, names: Sequence[str]) -> tuple[list[str], list[int]]:
        """Give the header with the columns ``names`` at its end where they are missing, and the place of each."""
        header = [*self.header, *(name for name in names if name not in self.header)]
        return header, [header.index(name) for name in names]


_MADE_BY: Mapping[str, str] = {
    "language": "identify", "confidence": "identify", "status": "identify", "evidence": "identify",
    "tld": "sort", "domain": "sort",
}  # fmt: skip


def read_table(lines: Iterable[str], name: str) -> SeedTable:
    """Read what a step wrote.

    Raises:
        ConfigurationError: ``name`` is empty or has no column ``url``.
    """
    reader = csv.reader(line.replace("\0", "") for line in lines)
    header = next(reader, [])
    if header:
        header[0] = header[0].removeprefix("\ufeff")
    if "url" not in header:
        raise ConfigurationError(
            f"{name!r} has no column 'url'; the steps after `scrapy seeds extract` read what it writes "
            f"(columns here: {', '.join(header) or 'none'})"
        )
    return SeedTable(header, _whole_rows(reader, len(header)))


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]], sink: TextSink) -> int:
    """Write a header and rows; gives the number of rows."""
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(header)
    count = 0
    for row in rows:
        writer.writerow(row)
        count += 1
    return count


def widened(row: Row, size: int) -> Row:
    """Give ``row`` with empty cells up to ``size``."""
    return row + [""] * (size - len(row))


def _whole_rows(reader: Iterator[list[str]], size: int) -> Iterator[Row]:
    """Leave out empty rows, and what a killed step left half written."""
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            continue
        if len(row) == size:
            yield row
