"""Where a step of ``scrapy seeds`` writes, and how it goes on after it was killed."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.seed_table import Row, read_table, write_table

Produce = Callable[[int], tuple[Sequence[str], Iterable[Sequence[str]]]]
"""Give the header and the rows after the first ``n`` of them."""


def write_step(
    output: str,
    produce: Produce,
    identity: Mapping[str, object] | None = None,
    on_row: Callable[[Row], None] | None = None,
) -> int:
    """Write what a step produces to ``output``; ``-`` is standard output. Gives the number of rows.

    A file appears under its name when it is whole; until then it is ``NAME.part``. With ``identity`` (whatever decides what
    is written), a part that an earlier run of the same identity left is continued: its rows are kept, and ``produce``
    is asked for those after them. ``on_row`` is called for every row, kept ones included.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    if output == "-":
        header, rows = produce(0)
        return write_table(header, _seen(rows, on_row), sys.stdout)
    path = Path(output)
    try:
        return _write_file(path, produce, identity, on_row)
    except OSError as error:
        raise ConfigurationError(f"output={output!r} cannot be written: {error.strerror or error}") from error


def _write_file(
    path: Path, produce: Produce, identity: Mapping[str, object] | None, on_row: Callable[[Row], None] | None
) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    part, mark = path.with_name(path.name + ".part"), path.with_name(path.name + ".part.json")
    written = json.dumps(identity, sort_keys=True, default=str)
    kept = _kept_rows(part, mark, written, on_row) if identity is not None else 0
    header, rows = produce(kept)
    with part.open("a" if kept else "w", encoding="utf-8", errors="replace", newline="") as file:
        mark.write_text(written, "utf-8")
        if kept:
            csv.writer(file, lineterminator="\n").writerows(new := _Counted(_seen(rows, on_row)))
            count = kept + new.count
        else:
            count = write_table(header, _seen(rows, on_row), file)
    part.replace(path)
    mark.unlink(missing_ok=True)
    return count


def _kept_rows(part: Path, mark: Path, identity: str, on_row: Callable[[Row], None] | None) -> int:
    """Cut a part back to its whole rows, less the last, which may be half written; gives their number."""
    try:
        if mark.read_text("utf-8") != identity:
            return 0
        rewritten = part.with_name(part.name + ".new")
        with part.open(encoding="utf-8", newline="") as old, rewritten.open("w", encoding="utf-8", newline="") as new:
            table = read_table(old, str(part))
            count = write_table(table.header, _seen(_without_last(table.rows), on_row), new)
        rewritten.replace(part)
    except (OSError, ConfigurationError, UnicodeDecodeError):
        return 0
    return count


class _Counted:
    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.count += 1
            yield row


def _seen(rows: Iterable[Sequence[str]], on_row: Callable[[Row], None] | None) -> Iterator[Row]:
    for row in rows:
        if on_row is not None:
            on_row(list(row))
        yield row  # type: ignore[misc]


def _without_last(rows: Iterable[Row]) -> Iterator[Row]:
    last: Row | None = None
    for row in rows:
        if last is not None:
            yield last
        last = row
