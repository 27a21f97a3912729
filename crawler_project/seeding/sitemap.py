"""Sitemaps and sitemap indexes (sitemaps.org, protocol 0.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.byte_source import open_chunks, recoded, split_head
from crawler_project.seeding.clean_xml import clean_xml, declared_encoding, is_known_encoding
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow, squeezed

MOST_SITEMAPS = 50_000
"""Files that one index may lead to, as the protocol has it."""
_NESTED = 8
"""Indexes within indexes; the protocol allows none, sites do it."""


def read_sitemap(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read a sitemap, or the sitemaps that an index names, as far as they lie beside it.

    Nothing is fetched: a sitemap of the index is looked for under its file's name (``…/sitemap-1.xml.gz``) in the
    folder of the index; one that is not there is named in ``damage``, and so is one that was read already, so that an
    index that includes itself ends. Never raises for what the files hold.
    """
    yield from _SitemapReader(source, damage).read(chunks, source, 0)


class _SitemapReader:
    def __init__(self, source: str, damage: Damage) -> None:
        self._folder = None if source == "-" else Path(source).parent
        self._seen = set() if source == "-" else {Path(source).name}
        self._damage = damage

    def read(self, chunks: Iterable[bytes], source: str, nested: int) -> Iterator[SeedRow]:
        for number, (kind, address) in enumerate(_locations(chunks, source, self._damage), 1):
            if kind == "sitemap":
                yield from self._included(address, source, nested)
            elif parts := canonical_url(address):
                yield SeedRow(parts.url, source=source)
            else:
                self._damage.skip(source, f"entry {number}", address, "not an http or https address")

    def _included(self, address: str, source: str, nested: int) -> Iterator[SeedRow]:
        name = Path(unquote(urlsplit(address).path)).name
        wrong = self._refusal(name, nested)
        if wrong or self._folder is None:
            self._damage.skip(
                source, "index", address, wrong or "sitemaps of an index need a folder to be looked for in"
            )
            return
        self._seen.add(name)
        path = str(self._folder / name)
        head, chunks = split_head(open_chunks(path, self._damage))
        yield from self.read(utf8_chunks(head, chunks), path, nested + 1)

    def _refusal(self, name: str, nested: int) -> str:
        if name in self._seen:
            return "read already (an index that includes itself, or the same sitemap twice)"
        if nested >= _NESTED or len(self._seen) > MOST_SITEMAPS:
            return f"indexes nested more than {_NESTED} deep, or more than {MOST_SITEMAPS:,} sitemaps"
        if not name or self._folder is None or not (self._folder / name).is_file():
            return "this sitemap is not beside its index; fetch it and put it there, or give it as a file of its own"
        return ""


def utf8_chunks(head: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Give a document in UTF-8, whatever encoding its beginning (``head``) declares."""
    encoding = declared_encoding(head)
    return chunks if encoding in ("utf-8", "utf8") or not is_known_encoding(encoding) else recoded(chunks, encoding)


def _locations(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[tuple[str, str]]:
    """Walk over ``loc`` elements: ``url`` or ``sitemap``, and the address."""
    events = parse_events(chunks, ("end",), source, damage)
    for _, element in events:
        name = local_name(element)
        if name in ("url", "sitemap"):
            address = next((squeezed(child.text) for child in element if local_name(child) == "loc"), "")
            yield name, address
            clear(element)


def parse_events(
    chunks: Iterable[bytes], events: tuple[str, ...], source: str, damage: Damage
) -> Iterator[tuple[str, etree._Element]]:
    """Parse a UTF-8 document as a stream, as far as it can be understood; entities are never expanded."""
    parser = etree.XMLPullParser(
        events, recover=True, huge_tree=False, resolve_entities=False, no_network=True, load_dtd=False, encoding="utf-8"
    )
    try:
        for chunk in clean_xml(iter(chunks)):
            parser.feed(chunk)
            yield from parser.read_events()
        parser.close()
    except etree.XMLSyntaxError as error:
        damage.fault(source, f"XML is damaged: {error.msg}; what came before is kept")
        return
    if any(True for _ in parser.read_events()):  # what only the end of the file closes is not whole
        damage.fault(source, "XML is cut off; what came before is kept")
    elif len(parser.feed_error_log):
        first = parser.feed_error_log[0]
        damage.fault(source, f"XML is damaged in line {first.line}: {first.message[:100]}; what could be read is kept")


def local_name(element: etree._Element) -> str:
    """Give the name of ``element`` without namespace, in lower case; empty for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def clear(element: etree._Element) -> None:
    """Free an element and those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
