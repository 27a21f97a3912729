"""The report of ``scrapy seeds make``: what each step kept, Figure 2 and Table 1."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

MOST_ROWS = 20
"""Rows of a table in the report; the CSV beside it has all."""


class StepRecord(NamedTuple):
    """One step of a chain."""

    name: str
    read: int
    written: int
    notes: Sequence[str]


def write_report(folder: Path, steps: Sequence[StepRecord], languages: Sequence[str]) -> Path:
    """Write ``report.md`` into the folder of a chain; gives its path."""
    path = folder / "report.md"
    path.write_text("\n".join(_lines(folder, steps, languages)) + "\n", "utf-8")
    return path


def _lines(folder: Path, steps: Sequence[StepRecord], languages: Sequence[str]) -> Iterator[str]:
    yield f"# Seeds for {', '.join(languages)}"
    yield "\n| step | read | kept |\n|---|---:|---:|"
    for step in steps:
        yield f"| {step.name} | {step.read:,} | {step.written:,} |"
    yield from _table(folder, "figure-2", "Addresses by top-level domain (Figure 2 of Chan & Yamana 2010)")
    yield from _table(folder, "table-1", "Languages by top-level domain (their Table 1)")
    for step in steps:
        if step.notes:
            yield f"\n## What {step.name} said\n"
            yield from (f"- {_text(note)}" for note in step.notes)


def _table(folder: Path, name: str, title: str) -> Iterator[str]:
    path = folder / f"{name}.csv"
    if not path.exists():
        return
    yield f"\n## {title}\n\n![{title}]({name}.png)\n"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    columns = [0, *range(1, min(len(rows[0]) - 1, 9)), len(rows[0]) - 1]
    shown = [rows[0], *rows[1:-1][:MOST_ROWS], rows[-1]]
    for number, row in enumerate(shown):
        yield f"| {' | '.join(_text(row[column]) for column in columns)} |"
        if not number:
            yield "|---" + "|---:" * (len(columns) - 1) + "|"
    if len(rows) > len(shown):
        yield f"\n{len(rows) - len(shown):,} more rows are in `{name}.csv`."


def _text(text: str) -> str:
    """Text from a directory may hold anything that Markdown knows."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[").replace("`", "'")
