"""Texts to learn a topic from: folders of pages, JSON Lines, lists of addresses, the output of a crawl."""

from __future__ import annotations

import base64
import binascii
import csv
import gzip
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.page.charset import decode
from crawler_project.page.parse import parse_page
from crawler_project.relevance.topic.judge import page_text

MOST_BYTES: Final = 8 * 1024 * 1024
"""Of one page or text."""
MOST_ADDRESSES: Final = 300
"""Of the output of a crawl as unlabelled texts: they are fetched again, politely."""
_LISTS: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson")
_MARKUP: Final = re.compile(
    r"<(?:!doctype|html|head|body|title|meta|div|span|table|p|a|h[1-6]|br|frameset)\b", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_BINARY: Final = (
    b"%PDF",
    b"PK\x03\x04",
    b"\x7fELF",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

Fetch = Callable[[Sequence[str]], Mapping[str, str]]
"""Addresses to the texts of those that gave a page."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, and what it is called in messages."""

    text: str
    place: str
    is_relevant: bool | None = None
    """``None`` where nothing says so."""


@dataclass(slots=True)
class TextCollection:
    """What was found, and what could not be used."""

    texts: list[LabelledText] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    """To be fetched."""
    notes: list[str] = field(default_factory=list)
    """One line for each file, line or address that was left out."""


def read_texts(places: Sequence[str], fetch: Fetch) -> TextCollection:
    """Read every place: a folder, a page, a text, JSON Lines, a list of addresses (CSV or text), an address, a crawl.

    A line of JSON Lines has ``text``, ``html`` or ``body_b64``, and perhaps ``relevant`` (true or false) and ``url``. What cannot
    be used is left out with a note.

    Raises:
        ConfigurationError: a place does not exist.
    """
    found = TextCollection()
    for place in places:
        _read_place(place, found)
    if found.addresses:
        pages = fetch(found.addresses)
        missing = [address for address in found.addresses if address not in pages]
        found.texts.extend(LabelledText(text, address) for address, text in pages.items())
        found.notes.extend(f"{address}: no page" for address in missing[:20])
        if len(missing) > 20:
            found.notes.append(f"and {len(missing) - 20:,} more addresses without a page")
    return found


def text_of(body: bytes) -> str:
    """The text of a saved page or of plain text, in whatever charset."""
    body = body[:MOST_BYTES]
    decoded = decode(body)
    return page_text(parse_page(body, "")) if _MARKUP.search(decoded.text[:4096]) else decoded.text


def is_binary(body: bytes) -> bool:
    """Whether these bytes are no text: a known format, or control characters in the first 4 KB."""
    head = body[:4096]
    if head.startswith(_UTF_16):
        return False
    odd = sum(byte < 9 or 13 < byte < 27 for byte in head)
    return head.startswith(_BINARY) or b"\x00" in head or odd > len(head) // 50


def _read_place(place: str, found: TextCollection) -> None:
    if _ADDRESS.fullmatch(place):
        found.addresses.append(place)
        return
    path = Path(place)
    if path.is_dir():
        _read_folder(path, found)
    elif path.is_file():
        _read_file(path, found)
    else:
        raise ConfigurationError(f"{place!r} is no file, folder or address that begins with http(s)://")


def _read_folder(folder: Path, found: TextCollection) -> None:
    rows = sorted(folder.glob("crawled-*.csv"))
    if rows:
        addresses = [address for path in rows for address in _addresses(path)]
        step = max(1, -(-len(addresses) // MOST_ADDRESSES))
        found.addresses.extend(addresses[::step])
        if step > 1:
            found.notes.append(f"{folder}: {len(addresses[::step]):,} of {len(addresses):,} pages of the crawl")
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            _read_file(path, found)


def _read_file(path: Path, found: TextCollection) -> None:
    try:
        if path.name.lower().endswith(_LISTS):
            _read_lines(path, found)
            return
        with path.open("rb") as file:
            body = file.read(MOST_BYTES)
    except (OSError, EOFError, zstandard.ZstdError) as error:
        found.notes.append(f"{path}: {getattr(error, 'strerror', None) or error}")
        return
    if is_binary(body):
        found.notes.append(f"{path}: binary, not a page or a text")
    elif path.suffix.lower() in {".csv", ".tsv"} or _ADDRESS.match(
        body[:200].decode("latin-1").lstrip("\ufeffï»¿ \r\n")
    ):
        found.addresses.extend(_addresses(path))
    else:
        found.texts.append(LabelledText(text_of(body), str(path)))


def _addresses(path: Path) -> list[str]:
    """The first address of each line, each once: the column ``url`` of a table, or whatever column has one."""
    csv.field_size_limit(min(sys.maxsize, 1 << 30))
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        hits = (_ADDRESS.search(",".join(row)) for row in csv.reader(line.replace("\0", "") for line in file))
        return list(dict.fromkeys(hit[0].split(",")[0] for hit in hits if hit))


def _read_lines(path: Path, found: TextCollection) -> None:
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            text, label = _of_record(json.loads(line))
        except (ValueError, RecursionError, binascii.Error) as error:
            found.notes.append(f"{path}:{number}: {str(error)[:80]}")
            continue
        found.texts.append(LabelledText(text, f"{path.name}:{number}", label))


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        stream: Any = file
        if path.name.endswith(".gz"):
            stream = gzip.GzipFile(fileobj=file)
        elif path.name.endswith(".zst"):
            stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace") as text:
            yield from text


def _of_record(record: object) -> tuple[str, bool | None]:
    if not isinstance(record, dict):
        raise ValueError(f"not a JSON object but {type(record).__name__}")
    kinds = [kind for kind in ("text", "html", "body_b64") if isinstance(record.get(kind), str)]
    if not kinds:
        raise ValueError("has none of text, html and body_b64 as a string")
    value = record[kinds[0]]
    if kinds[0] == "html":
        value = page_text(parse_page(value.encode("utf-8", "replace"), "", content_type="text/html; charset=utf-8"))
    elif kinds[0] == "body_b64":
        value = text_of(base64.b64decode(value, validate=True))
    return value, _label(record)


def _label(record: Mapping[str, Any]) -> bool | None:
    value = record.get("relevant", record.get("label"))
    if value is None or isinstance(value, bool):
        return value
    if value in (0, 1):
        return bool(value)
    raise ValueError(f"relevant must be true or false, not {value!r:.20}")


def fetch_bytes(place: str) -> tuple[bytes, str]:
    """The bytes of a file or an address, and the Content-Type of the latter.

    Raises:
        ConfigurationError: no such file, or the address gives nothing.
    """
    if not _ADDRESS.fullmatch(place):
        path = Path(place)
        if not path.is_file():
            raise ConfigurationError(
                f"{place!r} is no file; name a saved page or an address that begins with http(s)://"
            )
        with path.open("rb") as file:
            body = file.read(MOST_BYTES)
        if is_binary(body):
            raise ConfigurationError(f"{place!r} is binary, not a page or a text")
        return body, ""
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    from crawler_project import __version__

    request = Request(place, headers={"User-Agent": f"crawler_project/{__version__}"})  # noqa: S310  http(s), see above
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            return answer.read(MOST_BYTES), answer.headers.get("Content-Type", "")
    except (URLError, OSError, ValueError) as error:
        raise ConfigurationError(f"{place} cannot be fetched: {error}") from error
