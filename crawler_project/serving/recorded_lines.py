"""The lines of a collection, compressed or not."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import zstandard

EXPECTED = "JSON Lines with the fields url and html, plain, .gz or .zst"
_LARGEST_WINDOW = 1 << 31
"""Bytes; collections for repositories are made with large windows."""


def recorded_lines(path: Path) -> Iterator[str]:
    """Read a text file line by line; ``.gz`` and ``.zst`` are decompressed.

    Bytes that are not UTF-8 become surrogates, so that one damaged line does not take the file with it.

    Raises:
        OSError, EOFError, zlib.error, zstandard.ZstdError: the file cannot be read (further).
    """
    with path.open("rb") as file:
        stream: IO[bytes] | gzip.GzipFile = file
        if path.suffix == ".gz":
            stream = gzip.GzipFile(fileobj=file)
        elif path.suffix == ".zst":
            decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
            stream = decompressor.stream_reader(file, read_across_frames=True, closefd=False)
        with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as text:
            yield from text
