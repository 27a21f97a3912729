"""Bookmark files of browsers (the Netscape form), and other pages that are one list of links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import MAX_TEXT, SeedRow, squeezed

_TEXTS = frozenset({"a", "h3", "dd"})
_OWN_SCHEMES = ("javascript:", "place:", "chrome:", "about:", "data:", "file:", "feed:", "edge:")


def read_bookmarks(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read the bookmarks of a file in UTF-8; folders are the topic, parts separated by ``/``. Never raises."""
    target = _Bookmarks(source, damage)
    parser = etree.HTMLParser(target=target, encoding="utf-8", no_network=True, huge_tree=False)
    for chunk in chunks:
        parser.feed(chunk)
        yield from target.taken()
    try:
        parser.close()
    except etree.LxmlError:  # an empty file, or one that ends within a tag
        damage.fault(source, "is cut off; the bookmarks before are kept")
    target.finish()
    yield from target.taken()


class _Bookmarks:
    """What the parser calls for every tag and text."""

    def __init__(self, source: str, damage: Damage) -> None:
        self._source = source
        self._damage = damage
        self._rows: list[SeedRow] = []
        self._folders: list[str] = []
        self._folder = ""
        self._text: list[str] = []
        self._within = ""
        self._address: str | None = None
        self._title = ""
        self._number = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "dl":
            self._close()
            self._folders.append(self._folder)
            self._folder = ""
        elif tag in ("dt", "p"):
            self._close()
        elif tag in _TEXTS:
            if tag != "dd":
                self._close()
            self._within, self._text = tag, []
            if tag == "a":
                self._number += 1
                self._address = next((value for name, value in attributes.items() if name.lower() == "href"), "")

    def data(self, text: str) -> None:
        if self._within and sum(map(len, self._text)) < MAX_TEXT:
            self._text.append(text)

    def end(self, tag: str) -> None:
        if tag == "a":
            self._title, self._within = squeezed("".join(self._text)), ""
        elif tag == "h3":
            self._folder, self._within = squeezed("".join(self._text)).replace("/", "_"), ""
        elif tag == "dl":
            self._close()
            if self._folders:
                self._folders.pop()

    def close(self) -> None:
        """Called by the parser; :meth:`finish` does the work."""

    def finish(self) -> None:
        self._close()

    def taken(self) -> list[SeedRow]:
        rows, self._rows = self._rows, []
        return rows

    def _close(self) -> None:
        """The bookmark that was open is whole."""
        description = squeezed("".join(self._text)) if self._within == "dd" else ""
        address, self._address, self._within = self._address, None, ""
        if address is None or address.startswith(_OWN_SCHEMES):
            return
        if parts := canonical_url(address):
            topic = "/".join(filter(None, self._folders))
            self._rows.append(SeedRow(parts.url, self._title, description, topic, self._source))
        else:
            self._damage.skip(self._source, f"bookmark {self._number}", address, "not an http or https address")
