"""Entries as the Lua scripts take them, and back.

A page's links share most of what an entry holds (referrer, depth, distance, language): that is written
once, as a header. What is left of a link is its path, its anchor text, and why it was kept. Scripts read
nothing of a record but the three numbers in front, and of a header its distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from crawler_project.core.errors import StateError
from crawler_project.core.urls import url_hash
from crawler_project.core.values import Entry
from crawler_project.frontier.redis_entry_text import decode_why, encode_anchor, encode_why

MOST_ENTRIES = 250
"""Of one script call: hosts, priorities and headers are numbered by one byte."""
_HTTPS, _HTTP, _WHOLE_URL = 0, 1, 2
_WIDE_ANCHOR, _IN_FOLDER, _HAS_EVIDENCE = 4, 8, 16
_LONGEST_EVIDENCE = 65_535
_PREFIXES = ("https://", "http://", "")

_BINARY = tuple(format(number, "012b")[::-1] for number in range(4096))
"""The lowest bit first: the names of the seen-set's buckets."""

Argument = str | bytes | int | float


def distinct_entries(entries: Iterable[Entry], compare_distance: bool) -> dict[int, Entry]:
    """Entries by URL hash, in order; of several for one URL the best, in the place of the first."""
    batch: dict[int, Entry] = {}
    for entry in entries:
        if entry.priority != entry.priority:  # NaN sorts nowhere; last is where it does no harm
            entry = entry._replace(priority=inf)
        if not entry.host.isascii():  # never so in canonical form
            entry = entry._replace(url=_clean(entry.url), host=_clean(entry.host))
        key = url_hash(entry.url)
        first = batch.setdefault(key, entry)
        if first is not entry and _rank(entry, compare_distance) < _rank(first, compare_distance):
            batch[key] = entry
    return batch


def in_chunks(batch: dict[int, Entry]) -> Iterator[dict[int, Entry]]:
    """Cut a batch into what one script call takes; at least one, perhaps empty."""
    if len(batch) <= MOST_ENTRIES:
        yield batch
        return
    items = list(batch.items())
    for start in range(0, len(items), MOST_ENTRIES):
        yield dict(items[start : start + MOST_ENTRIES])


class EntryWriter:
    """Turn batches into arguments.

    Args:
        best_priority: no link will get a better one, so that an entry that has it need not be found again.
        compare_distance: a smaller distance improves a queued URL of equal priority (R5).
        max_anchor: characters that are kept of an anchor text.
    """

    def __init__(self, best_priority: float, compare_distance: bool, max_anchor: int) -> None:
        self._best = format(best_priority, ".17g")
        self._compare = int(compare_distance)
        self._max_anchor = max_anchor

    def arguments(self, batch: dict[int, Entry]) -> list[Argument]:
        """The arguments of ``add_entries`` in discovery.lua; the batch has at most 250 entries."""
        hosts: dict[str, int] = {}
        priorities: dict[float, int] = {}
        headers: dict[bytes, int] = {}
        records: list[Argument] = []
        numbers = bytearray()
        digits: list[str] = []
        context: tuple[object, ...] | None = None
        header, folder = 0, ("", "")
        for key, entry in batch.items():
            own = entry[3:7] + entry[9:11]
            if own != context:
                context = own
                header = headers.setdefault(encode_header(entry), len(headers) + 1)
                folder = folder_of(entry.referrer)
            numbers.append(hosts.setdefault(entry.host, len(hosts) + 1))
            numbers.append(priorities.setdefault(entry.priority, len(priorities) + 1))
            numbers.append(header)
            bits = abs(key) % 1_000_000_000
            digits.append(_BINARY[bits & 0xFFF])
            digits.append(_BINARY[bits >> 12 & 0xFFF])
            records.append(b"%d" % key)  # the client takes bytes as they are
            records.append(self._record(entry, folder))
        counts = (len(hosts), len(priorities), len(headers), len(batch))
        texts = [format(priority + 0.0, ".17g") for priority in priorities]
        places = (bytes(numbers), "".join(digits))
        return [self._best, self._compare, *counts, *places, *hosts, *texts, *headers, *records]

    def _record(self, entry: Entry, folder: tuple[str, str]) -> bytes:
        url, host = entry.url, entry.host
        if url.startswith(host, 8) and url.startswith("https://") and url.startswith("/", 8 + len(host)):
            flags, path = _HTTPS, url[8 + len(host) :]
        elif url.startswith(host, 7) and url.startswith("http://") and url.startswith("/", 7 + len(host)):
            flags, path = _HTTP, url[7 + len(host) :]
        else:
            flags, path = _WHOLE_URL, url
        if folder[0] == host and flags != _WHOLE_URL and path.startswith(folder[1]):
            flags |= _IN_FOLDER
            path = path[len(folder[1]) :]
        anchor, is_wide = encode_anchor(entry.anchor_text[: self._max_anchor])
        if is_wide:
            flags |= _WIDE_ANCHOR
        text = path.encode("ascii") if path.isascii() else path.encode("utf-8", "surrogatepass")
        evidence = b""
        if entry.evidence:
            flags |= _HAS_EVIDENCE
            known = entry.evidence.encode("utf-8", "surrogatepass")[:_LONGEST_EVIDENCE]
            evidence = _size(len(known)) + known
        return b"%c%b%b%b%b%b" % (flags, encode_why(entry.why), _size(len(anchor)), anchor, evidence, text)


def encode_header(entry: Entry) -> bytes:
    """Write what the links of one page have in common."""
    language = entry.parent_language.encode("utf-8", "surrogatepass")
    origin = entry.origin.encode("utf-8", "surrogatepass")
    referrer = entry.referrer.encode("utf-8", "surrogatepass")
    numbers = b"%d %d %d %d %d " % (entry.distance, entry.depth, entry.redirects, len(language), len(origin))
    return numbers + language + origin + referrer


def decode_entry(host: str, priority: float, header: bytes, record: bytes) -> Entry:
    """Read an entry.

    Raises:
        StateError: header or record are not what :class:`EntryWriter` writes.
    """
    try:
        return _decode(host, priority, header, record)
    except (ValueError, IndexError) as error:
        raise StateError(f"the stored entry of a URL on {host!r} is damaged ({error})") from error


def _decode(host: str, priority: float, header: bytes, record: bytes) -> Entry:
    distance, depth, redirects, language_size, origin_size, rest = header.split(b" ", 5)
    start = int(language_size)
    end = start + int(origin_size)
    referrer = rest[end:].decode("utf-8", "surrogatepass")
    flags = record[0]
    why, at = decode_why(record, 1)
    size, at = _read_size(record, at)
    anchor = record[at : at + size].decode("utf-16-le" if flags & _WIDE_ANCHOR else "utf-8", "surrogatepass")
    at += size
    evidence = ""
    if flags & _HAS_EVIDENCE:
        size, at = _read_size(record, at)
        evidence = record[at : at + size].decode("utf-8", "surrogatepass")
        at += size
    path = record[at:].decode("utf-8", "surrogatepass")
    if flags & _IN_FOLDER:
        path = folder_of(referrer)[1] + path
    scheme = flags & 3
    return Entry(
        url=path if scheme == _WHOLE_URL else f"{_PREFIXES[scheme]}{host}{path}",
        host=host,
        priority=priority,
        distance=int(distance),
        depth=int(depth),
        parent_language=rest[:start].decode("utf-8", "surrogatepass"),
        referrer=referrer,
        anchor_text=anchor,
        why=why,
        redirects=int(redirects),
        origin=rest[start:end].decode("utf-8", "surrogatepass"),
        evidence=evidence,
    )


def folder_of(url: str) -> tuple[str, str]:
    """Host and path up to the last ``/`` of a page, which many of its links begin with."""
    start = url.find("//") + 2
    slash = url.find("/", start)
    if start < 2 or slash < 0:
        return "", ""
    query = url.find("?", slash)
    end = url.rfind("/", slash, query if query >= 0 else len(url))
    return url[start:slash], url[slash : end + 1]


def _rank(entry: Entry, compare_distance: bool) -> tuple[float, int]:
    return (entry.priority, entry.distance if compare_distance else 0)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _size(length: int) -> bytes:
    return bytes((length,)) if length < 255 else b"\xff%c%c" % (length >> 8 & 255, length & 255)


def _read_size(record: bytes, at: int) -> tuple[int, int]:
    size = record[at]
    if size < 255:
        return size, at + 1
    return record[at + 1] << 8 | record[at + 2], at + 3
