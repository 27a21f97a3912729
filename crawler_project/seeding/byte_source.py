"""Bytes of a file or of standard input, decompressed as they come, in bounded memory."""

from __future__ import annotations

import codecs
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.damage import Damage

CHUNK = 1 << 18
"""Bytes read at a time: larger ones were no faster."""
MOST_FROM_CHUNK = 1 << 22
"""Decompressed bytes handed on at a time, whatever a compression bomb holds."""
MAX_LINE = 1 << 16
"""Characters of a line that are looked at."""
HEAD = 1 << 16
"""Bytes by which the form of a file is told."""
_SCHEMES = ("http://", "https://", "ftp://")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ZSTD_PIECE = 1 << 10
"""Compressed bytes decompressed at a time: the worst bomb makes 32 MB of them."""
_LARGEST_WINDOW = 1 << 27
"""Bytes of memory that a zstd file may ask for: what ``zstd`` itself allows without ``--long``."""


def open_chunks(name: str, damage: Damage) -> Iterator[bytes]:
    """Open ``name`` (``-`` is standard input) and give its decompressed bytes in pieces, none empty.

    gzip (of several members, too) and zstd are told by what the bytes are. A file that is cut off or damaged
    inside gives what could be read, and the fault goes to ``damage``.

    Raises:
        ConfigurationError: the file is missing or cannot be opened, or ``name`` is an address of the web.
    """
    if name.lower().startswith(_SCHEMES):
        raise ConfigurationError(
            f"{name!r} is an address, and nothing is fetched here; save it as a file and name that "
            "(the sitemaps of an index into the same folder)"
        )
    try:
        file = sys.stdin.buffer if name == "-" else Path(name).open("rb")  # noqa: SIM115
    except OSError as error:
        raise ConfigurationError(f"{name!r} cannot be read: {error.strerror or error}") from error
    return _chunks(file, name, damage)


def _chunks(file: BinaryIO, name: str, damage: Damage) -> Iterator[bytes]:
    try:
        start = file.read(CHUNK)
        if start.startswith(_GZIP):
            yield from _gunzipped(file, start)
        elif start.startswith(_ZSTD):
            yield from _unzstd(file, start)
        else:
            yield from _plain(file, start)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        damage.fault(name, f"{error}; what came before is kept")
    finally:
        if name != "-":
            file.close()


def _plain(file: BinaryIO, start: bytes) -> Iterator[bytes]:
    while start:
        yield start
        start = file.read(CHUNK)


def _gunzipped(file: BinaryIO, data: bytes) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    while True:
        while data:
            if member.eof:
                if not data.startswith(_GZIP[: len(data)]):
                    return  # padding after the last member, as tapes and some tools leave it
                member = zlib.decompressobj(wbits=31)
            piece = member.decompress(data, MOST_FROM_CHUNK)
            if piece:
                yield piece
            data = member.unconsumed_tail or member.unused_data
        data = file.read(CHUNK)
        if not data:
            if not member.eof:
                raise EOFError("the file is cut off")
            return


def _unzstd(file: BinaryIO, data: bytes) -> Iterator[bytes]:
    """Decompress frame by frame; the library's reader takes a cut-off frame for a whole one."""
    frame = _new_frame()
    while True:
        while data:
            if frame.eof:
                frame = _new_frame()
            for at in range(0, len(data), _ZSTD_PIECE):
                piece = frame.decompress(data[at : at + _ZSTD_PIECE])
                if piece:
                    yield piece
                if frame.eof:
                    data = frame.unused_data + data[at + _ZSTD_PIECE :]
                    break
            else:
                data = b""
        data = file.read(CHUNK)
        if not data:
            if not frame.eof:
                raise EOFError("the file is cut off")
            return


def _new_frame() -> zstandard.ZstdDecompressionObj:
    return zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj()


class ChunkFile(io.RawIOBase):
    """The pieces of :func:`open_chunks` as a file that libraries can read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = memoryview(b"")
        self._position = 0

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Answer where the file stands, which libraries find out by seeking nowhere; there is no other place to go."""
        if (whence == io.SEEK_CUR and offset == 0) or (whence == io.SEEK_SET and offset == self._position):
            return self._position
        raise io.UnsupportedOperation(f"seek({offset}, {whence})")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._left:
            self._left = memoryview(next(self._chunks, b""))
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        self._position += count
        return count


def split_head(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Give the first ``HEAD`` bytes, and all bytes from the beginning again."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size >= HEAD:
            break
    return b"".join(parts)[:HEAD], _rejoined(parts, chunks)


def _rejoined(parts: list[bytes], chunks: Iterator[bytes]) -> Iterator[bytes]:
    while parts:
        yield parts.pop(0)
    yield from chunks


def recoded(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Give the same text in UTF-8; what cannot be decoded becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def text_lines(chunks: Iterator[bytes]) -> Iterator[str]:
    """Give the lines of a UTF-8 text with any system's line ends, without them.

    What cannot be decoded becomes U+FFFD; of a line longer than ``MAX_LINE`` characters only those are given.
    """
    file = io.TextIOWrapper(io.BufferedReader(ChunkFile(chunks), CHUNK), "utf-8-sig", errors="replace")
    while line := file.readline(MAX_LINE):
        while len(line) == MAX_LINE and not line.endswith("\n") and (more := file.readline(MAX_LINE)):
            if more.endswith("\n") or len(more) < MAX_LINE:
                break
        yield line.rstrip("\n")
