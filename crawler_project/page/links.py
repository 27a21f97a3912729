"""The links of a parsed page, with what the page says about each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from crawler_project.core.urls import BaseUrl, UrlParts, canonical_url
from crawler_project.core.values import Link
from crawler_project.page.declarations import LinkHeader, primary_language, refresh_target
from crawler_project.page.text import SEPARATOR, squeeze

MAX_ANCHOR: Final = 500
"""Characters of an anchor text; an unclosed ``<a>`` would take in the rest of its page."""

_ANCHOR_BUDGET: Final = 2_000_000
"""Characters that all anchors of a page may have together; links nested in links would be read again and again."""
_NODES_FOR_ALT: Final = 50

Attributes = Mapping[str, str | None]


class LinkReader:
    """Make links of elements; URLs that repeat on the page are resolved once.

    A link to the page itself is no link; a page often has dozens of them (``#top``).
    """

    def __init__(self, page_url: str, base: str) -> None:
        self.page_url = page_url
        self._base = BaseUrl(base)
        self._resolved: dict[str, UrlParts | None] = {}
        self._budget = _ANCHOR_BUDGET

    def read_all(self, elements: Iterable[tuple[str, LexborNode]]) -> Iterator[Link]:
        """Turn elements (with their tag names) into links; those that cannot be requested are left out."""
        for tag, node in elements:
            link = _READERS[tag](self, node, node.attributes)
            if link is not None:
                yield link

    def from_header(self, values: Iterable[LinkHeader]) -> list[Link]:
        """Turn the values of a ``Link`` header into links."""
        links = (self._related(value.target, value.rel, value.hreflang, "") for value in values)
        return [link for link in links if link is not None]

    def _anchor(self, node: LexborNode, attributes: Attributes) -> Link | None:
        url = self.resolve(attributes.get("href") or attributes.get("xlink:href"))
        if not url:
            return None
        text = self._text(node) or _alt_of(node) or _label(attributes)
        return Link(url, text, primary_language(attributes.get("hreflang")), "a", _is_nofollow(attributes.get("rel")))

    def _area(self, _node: LexborNode, attributes: Attributes) -> Link | None:
        url = self.resolve(attributes.get("href"))
        text = _squeeze(attributes.get("alt")) or _label(attributes)
        language = primary_language(attributes.get("hreflang"))
        return Link(url, text, language, "area", _is_nofollow(attributes.get("rel"))) if url else None

    def _frame(self, _node: LexborNode, attributes: Attributes) -> Link | None:
        url = self.resolve(attributes.get("src"))
        return Link(url, _label(attributes), kind="frame") if url else None

    def _meta(self, _node: LexborNode, attributes: Attributes) -> Link | None:
        if (attributes.get("http-equiv") or "").strip().lower() != "refresh":
            return None
        url = self.resolve(refresh_target(attributes.get("content") or ""))
        return Link(url, kind="refresh") if url else None

    def _link(self, _node: LexborNode, attributes: Attributes) -> Link | None:
        rel, hreflang = attributes.get("rel") or "", attributes.get("hreflang") or ""
        return self._related(attributes.get("href"), rel, hreflang, _squeeze(attributes.get("title")))

    def _related(self, target: str | None, rel: str, hreflang: str, title: str) -> Link | None:
        kinds = rel.lower().split()
        if "canonical" in kinds:
            url = self.resolve(target)
            return Link(url, title, primary_language(hreflang), "canonical") if url else None
        # Without a language, an alternate is a feed, a style or the page for another device.
        if "alternate" in kinds and hreflang and "stylesheet" not in kinds:
            url = self.resolve(target)
            return Link(url, title, primary_language(hreflang), "alternate") if url else None
        return None

    def resolve(self, target: str | None) -> str:
        """Give the URL of an ``href``; empty for what cannot be requested and for links to the page itself."""
        if not target or target[0] == "#":
            return ""
        if target not in self._resolved:
            self._resolved[target] = canonical_url(target, self._base)
        parts = self._resolved[target]
        return "" if parts is None or parts.url == self.page_url else parts.url

    def _text(self, node: LexborNode) -> str:
        if self._budget <= 0:
            return ""
        text = node.text(separator=SEPARATOR)
        self._budget -= len(text)
        # The common case without a call: 60 anchors a page.
        return " ".join(text.split()) if len(text) <= MAX_ANCHOR else _squeeze(text)


_READERS: Mapping[str, Callable[[LinkReader, LexborNode, Attributes], Link | None]] = {
    "a": LinkReader._anchor,
    "area": LinkReader._area,
    "frame": LinkReader._frame,
    "iframe": LinkReader._frame,
    "meta": LinkReader._meta,
    "link": LinkReader._link,
}


def _squeeze(text: str | None) -> str:
    return squeeze(text, MAX_ANCHOR) if text else ""


def _label(attributes: Attributes) -> str:
    return _squeeze(attributes.get("title")) or _squeeze(attributes.get("aria-label"))


def _alt_of(node: LexborNode) -> str:
    """The alternative text of the first images within a link."""
    for inner in islice(node.traverse(), _NODES_FOR_ALT):
        if inner.tag == "img" and (alt := _squeeze(inner.attributes.get("alt"))):
            return alt
    return ""


def _is_nofollow(rel: str | None) -> bool:
    return rel is not None and "nofollow" in rel.lower().split()
