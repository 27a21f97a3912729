"""Counts in two dimensions: languages by top-level domain, or top-level domains alone."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REST = "others"


@dataclass
class CountTable:
    """How many addresses there are of each row and column; filled as they pass."""

    row_title: str
    column_title: str = ""
    """Empty: one column of counts."""
    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By row and column."""

    def add(self, row: str, column: str = "urls") -> None:
        self.cells[row, column] += 1

    @property
    def total(self) -> int:
        return self.cells.total()

    def rows(self) -> dict[str, int]:
        """Sum up each row, largest first, those of equal size by name."""
        return _sums(self.cells, 0)

    def columns(self) -> dict[str, int]:
        """Sum up each column, largest first."""
        return _sums(self.cells, 1)

    def narrowed(self, rows: int, columns: int) -> CountTable:
        """Give the table with the largest ``rows`` and ``columns``; all others together are ``others``."""
        kept_rows, kept_columns = set(list(self.rows())[:rows]), set(list(self.columns())[:columns])
        table = CountTable(self.row_title, self.column_title)
        for (row, column), count in self.cells.items():
            table.cells[row if row in kept_rows else REST, column if column in kept_columns else REST] += count
        return table

    def grouped(self, groups: Mapping[str, str]) -> CountTable:
        """Give the table with rows put together: ``{"com": "com & net", …}``; rows that are not named stay."""
        table = CountTable(self.row_title, self.column_title)
        for (row, column), count in self.cells.items():
            table.cells[groups.get(row, row), column] += count
        return table

    def lines(self) -> Iterator[Sequence[str | int]]:
        """Give a header, rows and a last row of totals."""
        columns = _with_rest_last(list(self.columns()))
        yield [self.row_title, *columns, *(["total"] if len(columns) > 1 else ["share"])]
        for row, total in _rest_last(self.rows()):
            numbers = [self.cells[row, column] for column in columns]
            yield [row, *numbers, total if len(columns) > 1 else f"{total / self.total:.2%}"]
        last = [sum(self.cells[row, column] for row in self.rows()) for column in columns]
        yield ["total", *last, self.total if len(columns) > 1 else "100.00%"]


def write_count_table(table: CountTable, path: Path) -> None:
    """Write all rows and columns as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table.lines())


def print_lines(table: CountTable, rows: int = 15, columns: int = 8) -> Iterator[str]:
    """Give the largest rows and columns as lines of text, columns aligned."""
    cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in line] for line in table.narrowed(rows, columns).lines()]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *numbers]).rstrip()


def _sums(cells: Mapping[tuple[str, str], int], side: int) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for key, count in cells.items():
        sums[key[side]] += count
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


def _rest_last(sums: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(sums.items(), key=lambda item: item[0] == REST)


def _with_rest_last(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: name == REST)
