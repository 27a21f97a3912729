"""The CSV files of a crawl as columns, also while the crawl is still writing them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Literal, cast

import pyarrow as pa
import pyarrow.csv as pacsv

from crawler_project.core.errors import ConfigurationError

PATTERN = "crawled-*.csv"
COLUMNS = (
    "url", "final_url", "status", "fetched_at", "language", "language_score", "declared_language", "charset",
    "title", "bytes", "depth", "distance", "referrer", "anchor_text", "why", "digest", "position", "host",
    "is_target", "evidence",
)  # fmt: skip
"""The columns that a crawl writes (docs/output.md); more are allowed, and any order."""

_EXPECTED = f"the output directory of `scrapy crawl lang_focused -a output=DIR`, with files {PATTERN}"
_BLOCK = 1 << 20
_BATCH = 1 << 22
_DEFUSED = re.compile(r"'(?=[=+\-@\t\r])")


def find_files(directory: Path) -> list[Path]:
    """List the CSV files of a crawl that have at least a header, by name.

    Raises:
        ConfigurationError: no such directory, no such file in it, or a header that is not ours.
    """
    try:
        if not directory.is_dir():
            kind = "is a file" if directory.exists() else "does not exist"
            raise ConfigurationError(f"{directory} {kind}; expected {_EXPECTED}")
        files = sorted(directory.glob(PATTERN))
    except OSError as error:
        raise ConfigurationError(f"{directory} cannot be read ({error}); expected {_EXPECTED}") from error
    if not files:
        raise ConfigurationError(f"{directory} holds no {PATTERN}; expected {_EXPECTED}")
    return [path for path in files if _has_header(path)]


def _has_header(path: Path) -> bool:
    """Whether the header is there yet; a wrong one raises."""
    try:
        with path.open("rb") as file:
            line = file.readline(65536).decode("utf-8-sig", "replace")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error}); expected a CSV file of a crawl") from error
    if not line.endswith("\n") and len(line) < 65536:
        return False
    found = next(csv.reader([line]), [])
    missing = [column for column in COLUMNS if column not in found]
    if missing:
        raise ConfigurationError(
            f"{path} lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}; "
            f"expected a header with {','.join(COLUMNS)}, found {','.join(found)[:200]!r}"
        )
    return True


def complete_size(path: Path) -> int:
    """Count the bytes up to the end of the last complete record; what a writer has half-written is left out.

    A line feed ends a record when an even number of quotes stands before it (RFC 4180, rules 6 and 7).
    """
    end = offset = 0
    is_quoted = False
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            newline = last_record_end(block, is_quoted)
            if newline >= 0:
                end = offset + newline + 1
            is_quoted ^= block.count(b'"') % 2 == 1
            offset += len(block)
    return end


def last_record_end(block: bytes, is_quoted: bool) -> int:
    """Find the line feed that ends the last whole record of a block; -1: none does. ``is_quoted`` at its start."""
    newline = block.rfind(b"\n")
    while newline >= 0 and is_quoted ^ (block.count(b'"', 0, newline) % 2 == 1):
        # Inside quotes: nothing before their opening quote can be inside the same ones.
        newline = block.rfind(b"\n", 0, max(block.rfind(b'"', 0, newline), 0))
    return newline


class _Prefix(io.RawIOBase):
    """The first ``size`` bytes of a file, whatever is appended meanwhile."""

    def __init__(self, path: Path, size: int) -> None:
        self._file = path.open("rb")
        self._left = size

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        data = self._file.read(wanted)
        self._left -= len(data)
        return data

    def close(self) -> None:
        self._file.close()
        super().close()


def read_batches(path: Path, types: Mapping[str, pa.DataType], damaged: list[str]) -> Iterator[pa.RecordBatch]:
    """Read some columns of one file, a few tens of thousands of rows at a time.

    Args:
        types: the columns wanted and their Arrow types; an empty number is null.
        damaged: rows with a wrong number of fields are left out, and added here in short.

    Raises:
        ConfigurationError: the file cannot be read, is not UTF-8, or a value has the wrong type.
    """

    def skip(row: pacsv.InvalidRow) -> Literal["skip"]:
        damaged.append(f"{path.name}: {row.actual_columns} fields instead of {row.expected_columns}")
        return "skip"

    try:
        with _Prefix(path, complete_size(path)) as file:
            yield from pacsv.open_csv(
                cast("IO[bytes]", file),
                read_options=pacsv.ReadOptions(block_size=_BATCH),
                parse_options=pacsv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
                convert_options=pacsv.ConvertOptions(
                    column_types=dict(types), include_columns=list(types), null_values=[""]
                ),
            )
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
        raise ConfigurationError(f"{path} is damaged or no CSV file of a crawl: {reason}") from error


def undefuse(text: str) -> str:
    """Take away the apostrophe that keeps a spreadsheet from reading ``=…`` as a formula."""
    return text[1:] if _DEFUSED.match(text) else text
