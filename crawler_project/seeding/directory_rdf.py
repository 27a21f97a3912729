"""A web directory's dump in the form of DMOZ's ``content.rdf.u8``, as a stream.

The dump is 2 GB of XML with faults, so it is cut into its entries first and these are parsed, many at a
time: what is wrong with an entry stays with it, no parser ever holds more than a few hundred, and nothing
outside of the entries (a DOCTYPE, its entities) reaches a parser at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.clean_xml import mended
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow, squeezed

MOST_ENTRY = 1 << 20
"""Bytes of an entry or a comment; longer ones have lost their end."""
_BATCH = 256
"""Entries parsed together; twice or half as many were no faster."""
_DMOZ = "http://dmoz.org/rdf/"
_BEGIN = (
    b'<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">'
)
_END = b"</RDF>"
_MARK = re.compile(rb"<ExternalPage(?=[\s/>])|</ExternalPage\s*>|<!--|<!\[CDATA\[")
_CLOSED_BY = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}
_ABOUT = re.compile(rb"""\babout\s*=\s*["']?([^"'<>]{0,300})""")
_EMPTY = re.compile(rb"<ExternalPage\s[^<>]*/>")
_TITLE = "{http://purl.org/dc/elements/1.0/}Title"
_DESCRIPTION = "{http://purl.org/dc/elements/1.0/}Description"
_TOPIC = f"{{{_DMOZ}}}topic"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
_FAULTS = "control characters, bytes that are no UTF-8, or unescaped characters"
_NO_END = "its end is missing"


class _Piece(NamedTuple):
    """The bytes of one entry, and its number from 1."""

    number: int
    data: bytes
    wrong: str = ""
    """Why it cannot be parsed."""


def read_directory(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read the entries of a dump in UTF-8. Never raises: what cannot be read goes to ``damage``.

    Control characters, bytes that are no UTF-8 and unescaped ``&`` and ``<`` are put right and counted; an entry that
    is cut off, whose tags do not match, or that has no http(s) address is left out, counted and named.
    """
    pieces = _pieces(chunks, source, damage)
    while batch := list(islice(pieces, _BATCH)):
        for piece, entry in _parsed(batch, source, damage):
            row = _row(entry, source)
            if row is None:
                damage.skip(source, f"entry {piece.number}", _about(piece), "not an http or https address")
            else:
                yield row


def _parsed(batch: list[_Piece], source: str, damage: Damage) -> Iterator[tuple[_Piece, etree._Element]]:
    if not any(piece.wrong for piece in batch):
        entries = _elements(b"".join([_BEGIN, *(piece.data for piece in batch), _END]))
        if len(entries) == len(batch):
            yield from zip(batch, entries, strict=True)
            return
    for piece in batch:
        entry = None if piece.wrong else _parse_one(piece, source, damage)
        if entry is not None:
            yield piece, entry
        else:
            damage.skip(source, f"entry {piece.number}", _about(piece), piece.wrong or "its tags do not match")


def _parse_one(piece: _Piece, source: str, damage: Damage) -> etree._Element | None:
    entries = _elements(_BEGIN + piece.data + _END)
    if len(entries) == 1:
        return entries[0]
    entries = _elements(_BEGIN + mended(piece.data) + _END)
    if len(entries) != 1:
        return None
    damage.mend(source, f"entry {piece.number}", _about(piece), _FAULTS)
    return entries[0]


def _elements(document: bytes) -> list[etree._Element]:
    try:
        return list(etree.fromstring(document, _PARSER))
    except etree.XMLSyntaxError:
        return []


def _row(entry: etree._Element, source: str) -> SeedRow | None:
    address = (entry.get("about") or "").strip()
    parts = canonical_url(address)
    if parts is None or "\ufffd" in address:
        return None
    title = description = topic = ""
    for child in entry:
        tag = child.tag
        if tag == _TITLE:
            title = _text(child)
        elif tag == _DESCRIPTION:
            description = _text(child)
        elif tag == _TOPIC:
            topic = _text(child)
    return SeedRow(parts.url, title, description, topic, source)


def _text(element: etree._Element) -> str:
    return squeezed("".join(element.itertext()) if len(element) else element.text)


def _about(piece: _Piece) -> str:
    found = _ABOUT.search(piece.data[:2_000])
    return (found[1] if found else piece.data[:80]).decode("utf-8", "replace")


def _pieces(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[_Piece]:
    """Cut the dump into its entries, whatever stands between them."""
    buffer, number, tail = b"", 0, b""
    for chunk in chunks:
        tail = (tail + chunk[-64:])[-64:]
        buffer += chunk
        found, buffer = _cut(buffer)
        for data, wrong in found:
            number += 1
            yield _Piece(number, data, wrong)
    if buffer.startswith(b"<ExternalPage"):
        number += 1
        data, wrong = _without_end(buffer)
        yield _Piece(number, data, wrong and "cut off")
    if not number:
        damage.fault(source, "has no entry (no ExternalPage element); expected DMOZ's content.rdf.u8")
    elif b"RDF>" not in tail:
        damage.fault(source, "ends without </RDF>: it is cut off; the entries before are kept")


def _cut(buffer: bytes) -> tuple[list[tuple[bytes, str]], bytes]:
    """Give the whole entries in ``buffer``, each with what is wrong with it, and the bytes to look at again."""
    found: list[tuple[bytes, str]] = []
    begin, at = -1, 0
    while mark := _MARK.search(buffer, at):
        at = mark.end()
        if closing := _CLOSED_BY.get(mark[0]):
            end = buffer.find(closing, at)
            if end >= 0:
                at = end + len(closing)
            elif len(buffer) - at <= MOST_ENTRY:
                return found, buffer[mark.start() if begin < 0 else begin :]
        elif mark[0].startswith(b"</"):
            if begin >= 0:
                found.append((buffer[begin:at], ""))
            begin = -1
        else:
            if begin >= 0:
                found.append(_without_end(buffer[begin : mark.start()]))
            begin = mark.start()
    if begin < 0:
        return found, buffer[max(at, len(buffer) - 32) :]
    if len(buffer) - begin > MOST_ENTRY:
        found.append((buffer[begin : begin + 2_000], _NO_END))
        return found, buffer[-32:]
    return found, buffer[begin:]


def _without_end(data: bytes) -> tuple[bytes, str]:
    """An entry without a closing tag: either it is empty (``<ExternalPage about="…"/>``) or its end is missing."""
    empty = _EMPTY.match(data)
    return (empty[0], "") if empty else (data, _NO_END)
