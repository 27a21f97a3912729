"""Files, pipes and counts of the steps of ``scrapy seeds``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.byte_source import open_chunks, recoded, split_head, text_lines
from crawler_project.seeding.clean_xml import declared_encoding, is_known_encoding
from crawler_project.seeding.count_figure import check_picture, draw_counts
from crawler_project.seeding.count_table import CountTable, write_count_table
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_form, tell_form
from crawler_project.seeding.seed_row import COLUMNS
from crawler_project.seeding.seed_table import SeedTable, read_table

T = TypeVar("T")


@dataclass(frozen=True)
class Counted:
    """What a step did: rows in and out, and its tables."""

    read: int
    written: int
    table: CountTable | None = None
    notes: list[str] = field(default_factory=list)
    """Lines for whoever ran it."""


def open_table(source: str) -> SeedTable:
    """Open what a step wrote, or any other form of seeds (which then has the columns of ``extract``)."""
    damage = Damage()
    head, chunks = split_head(open_chunks(source, damage))
    encoding = declared_encoding(head)
    if encoding not in ("utf-8", "utf8") and is_known_encoding(encoding):
        head, chunks = split_head(recoded(chunks, encoding))
    form, wrong = tell_form(head, source)
    if wrong:
        raise ConfigurationError(f"{source!r} {wrong}")
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].strip().split(b",")
    if form == "csv" and b"url" in first:
        return read_table((line + "\n" for line in text_lines(chunks)), source)
    return SeedTable(COLUMNS, (list(entry) for entry in read_form(head, chunks, source, damage)))


def read_lines(path: Path) -> SeedTable:
    """Read a table from a file that this project wrote."""
    return read_table((line + "\n" for line in text_lines(open_chunks(str(path), Damage()))), str(path))


def check_tables(picture: str) -> None:
    if picture:
        check_picture(Path(picture))


def save_counts(counts: CountTable, table: str, picture: str, title: str) -> None:
    """Write the counts as CSV and as a picture, where names are given."""
    try:
        if table:
            write_count_table(counts, Path(table))
        if picture:
            draw_counts(counts, Path(picture), title)
    except OSError as error:
        raise ConfigurationError(f"{table or picture!r} cannot be written: {error.strerror or error}") from error


def progressing(table: SeedTable, step: str) -> SeedTable:
    return SeedTable(table.header, progress(table.rows, step))


def progress(rows: Iterable[T], step: str) -> Iterator[T]:
    """Show on standard error how many rows passed, when that is a terminal."""
    return iter(tqdm(rows, desc=step, unit=" urls", unit_scale=True, file=sys.stderr, disable=None, mininterval=0.5))


def file_states(files: Sequence[str]) -> list[Any]:
    """What tells that files are still the same; standard input never is."""
    states: list[Any] = []
    for name in files:
        path = Path(name)
        known = name != "-" and path.exists()
        states.append(
            [str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns] if known else [name, id(states)]
        )
    return states
