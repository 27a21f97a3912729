"""The CSV files of a crawl as columns, also while the crawl is still writing them."""

from __future__ import annotations

import csv
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Literal, cast

import pyarrow as pa
import pyarrow.csv as pacsv

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import printable

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
_LONGEST = 1 << 28
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


def record_blocks(path: Path, size: int) -> Iterator[bytes]:
    """Give whole records, about ``size`` bytes at a time; the file is not kept open between two blocks.

    Raises:
        ConfigurationError: the file cannot be read, or a record in it has more than 256 MB.
    """
    try:
        end, offset, wanted = complete_size(path), 0, size
        while offset < end:
            with path.open("rb") as file:
                file.seek(offset)
                block = file.read(min(wanted, end - offset))
            cut = last_record_end(block, is_quoted=False) + 1
            if cut:
                yield block[:cut]
                offset, wanted = offset + cut, size
            elif wanted > _LONGEST:
                raise ConfigurationError(
                    f"{path} is damaged: its record at byte {offset} has more than {_LONGEST:,} bytes; is a quote missing?"
                )
            else:
                wanted *= 2
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error}); expected a CSV file of a crawl") from error


def read_batches(path: Path, types: Mapping[str, pa.DataType], damaged: list[str]) -> Iterator[pa.RecordBatch]:
    """Read some columns of one file, a few tens of thousands of rows at a time.

    Args:
        types: the columns wanted and their Arrow types; an empty number is null.
        damaged: rows with a wrong number of fields are left out, and added here in short.

    Raises:
        ConfigurationError: the file cannot be read, or a value has the wrong type.
    """

    def skip(row: pacsv.InvalidRow) -> Literal["skip"]:
        damaged.append(f"{path.name}: {row.actual_columns} fields instead of {row.expected_columns}")
        return "skip"

    parse = pacsv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip)
    convert = pacsv.ConvertOptions(column_types=dict(types), include_columns=list(types), null_values=[""])
    header: list[str] | None = None  # Arrow reads it in the first block
    for block in record_blocks(path, _BATCH):
        text = _as_arrow(block)
        read = pacsv.ReadOptions(use_threads=False, block_size=text.size, column_names=header)
        try:
            table = pacsv.read_csv(cast("IO[bytes]", pa.BufferReader(text)), read, parse, convert)
        except pa.ArrowException as error:
            reason = printable(" ".join(str(error).split())[:200])
            raise ConfigurationError(f"{path} is damaged or no CSV file of a crawl: {reason}") from error
        yield from table.to_batches()
        header = header or next(csv.reader([block[: block.index(b"\n")].decode("utf-8-sig", "replace")]))


def _as_arrow(block: bytes) -> pa.Buffer:
    """Copy a block to memory of Arrow's own, with U+FFFD for what is not UTF-8: Arrow cannot tell of a damaged row otherwise.

    A thread of Arrow's frees what it has read, at some time. If that is a Python object while Python shuts down,
    the process aborts (apache/arrow#34314); for the same reason nothing is read by Arrow's streaming reader.
    """
    stream = pa.BufferOutputStream()
    stream.write(block)
    copied = stream.getvalue()
    ends = pa.py_buffer(struct.pack("=ii", 0, len(block)))
    try:
        pa.StringArray.from_buffers(1, ends, copied).validate(full=True)  # six times as fast as to decode it
    except pa.ArrowInvalid:
        return _as_arrow(block.decode("utf-8", "replace").encode())
    return copied


def undefuse(text: str) -> str:
    """Take away the apostrophe that keeps a spreadsheet from reading ``=…`` as a formula."""
    return text[1:] if _DEFUSED.match(text) else text
