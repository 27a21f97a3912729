"""Files that a simulation writes piece by piece, cut to what its saved state knows of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path


def cut_order(path: Path, downloaded: Iterable[int]) -> None:
    """Cut an order before the first page that is not in ``downloaded``: it was written, but no state was saved after it.

    Raises:
        OSError: the file cannot be read or cut.
    """
    known = {f"{page}\n".encode() for page in downloaded}
    _cut(path, known.__contains__)


def cut_trace(path: Path, header: str, downloads: int) -> None:
    """Cut a trace before the first row of more than so many downloads.

    Raises:
        OSError: the file cannot be read or cut.
    """

    def is_known(line: bytes) -> bool:
        pages = line[:20].partition(b",")[0]
        return line == f"{header}\n".encode() or (pages.isdigit() and int(pages) <= downloads)

    _cut(path, is_known)


def _cut(path: Path, is_known: Callable[[bytes], bool]) -> None:
    """Keep the lines before the first that is not known, or not whole."""
    if not path.is_file():
        return
    end = 0
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") or not is_known(line):
                break
            end += len(line)
    if end < path.stat().st_size:
        with path.open("r+b") as file:
            file.truncate(end)
