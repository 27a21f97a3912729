"""Seed lists: addresses, one a line, with comments."""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import MAX_URL_LENGTH, UrlParts, canonical_url

EXPECTED = "one address a line, # starts a comment; plain text, .gz, .zst, or - for standard input"
_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside an address is its fragment."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(?:/|$))")
"""``example.kr:8080`` is a host and a port, not an address of the scheme ``example.kr``."""
_LARGEST_WINDOW = 1 << 31
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class SeedList:
    """What a seed list says."""

    urls: list[UrlParts] = field(default_factory=list)
    """Canonical, in the order of the list, each once."""
    bad: list[tuple[int, str, str]] = field(default_factory=list)
    """Lines that are no address: number from 1, the line, why."""


def read_seeds(source: str) -> SeedList:
    """Read a seed list, or several with commas between their names.

    An address without a scheme gets ``http://``. A line that is no address is skipped and
    listed in ``bad``; of several lists, its line begins with the name of its file.

    Raises:
        ConfigurationError: a file is missing, cannot be read or is no text; or no line of all
            lists is an address.
    """
    names = [source] if source == "-" or Path(source).exists() else [name for name in source.split(",") if name]
    seeds = SeedList()
    seen: set[str] = set()
    for name in names:
        found = parse_seeds(_read_text(name))
        shown = f"{name}: " if len(names) > 1 else ""
        seeds.bad.extend((number, shown + line, reason) for number, line, reason in found.bad)
        seeds.urls.extend(parts for parts in found.urls if parts.url not in seen)
        seen.update(parts.url for parts in found.urls)
    if not seeds.urls:
        raise ConfigurationError(f"seeds={source!r} has no address{_first_bad(seeds)}; expected {EXPECTED}")
    return seeds


def parse_seeds(text: str) -> SeedList:
    """Read the lines of a seed list; an empty text gives an empty list."""
    seeds = SeedList()
    seen: set[str] = set()
    for number, line in _lines(text):
        parts = canonical_url(line if _SCHEME.match(line) else f"http://{line}")
        reason = _reason(line, parts)
        if parts is None or reason:
            seeds.bad.append((number, line[:200], reason))
        elif parts.url not in seen:
            seen.add(parts.url)
            seeds.urls.append(parts)
    return seeds


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(io.StringIO(text.removeprefix("\ufeff"), newline=None), 1):
        address = _COMMENT.sub("", line).strip()
        if address:
            yield number, address


def _reason(line: str, parts: UrlParts | None) -> str:
    if len(line) > MAX_URL_LENGTH:
        return f"longer than {MAX_URL_LENGTH} characters"
    if re.search(r"\s", line):
        return "white space inside the address"
    if parts is None:
        return "not an http or https address"
    return "" if "." in parts.host or parts.host.startswith(("localhost", "[")) else "a host needs a dot"


def _read_text(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        data = _decompressed(data)
    except FileNotFoundError as error:
        raise ConfigurationError(f"seeds={name!r} does not exist; give a file with {EXPECTED}") from error
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"seeds={name!r} cannot be read: {reason}; expected {EXPECTED}") from error
    return _decoded(name, data)


def _decompressed(data: bytes) -> bytes:
    """Decompress by what the bytes are, so that standard input may be compressed too."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data)
    return _decompressed_frames(data) if data.startswith(b"\x28\xb5\x2f\xfd") else data


def _decompressed_frames(data: bytes) -> bytes:
    """Decompress zstd frames to the last byte; the library's reader takes a cut-off frame for a whole one."""
    parts = []
    while data:
        frame = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).decompressobj()
        parts.append(frame.decompress(data))
        if not frame.eof:
            raise EOFError("the file is cut off")
        data = frame.unused_data
    return b"".join(parts)


def _decoded(name: str, data: bytes) -> str:
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"seeds={name!r} is no UTF-8 text; expected {EXPECTED}") from error
    if _CONTROLS.search(text[:4096].encode()):
        raise ConfigurationError(f"seeds={name!r} is no text; expected {EXPECTED}")
    return text


def _first_bad(seeds: SeedList) -> str:
    if not seeds.bad:
        return ""
    number, line, reason = seeds.bad[0]
    return f" (line {number}: {line[:80]!r}: {reason})"
