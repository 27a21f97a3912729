"""What pages and headers declare about themselves: robots directives, languages, refreshes, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LANGUAGE = re.compile(r"\s*([^\W_]{1,16})")
# Directives of X-Robots-Tag whose value follows a colon; before any other colon stands a crawler's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
# HTML Standard, "shared declarative refresh steps": time, separator, optional ``url=``, optional quote.
_REFRESH = re.compile(r"\s*(?:[\d.]+\s*(?:[;,]\s*|\s|$))?\s*(?:url\s*=\s*)?([\"']?)(.*)", re.IGNORECASE | re.DOTALL)
_DELAY_ONLY = re.compile(r"\s*[\d.]*\s*[;,]?\s*$")
_LINK_VALUE = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s;,\"]+))?)*)")
_LINK_PARAMETER = re.compile(r";\s*([\w*-]+)\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))")
_MOST_HEADER = 20_000


class Robots(NamedTuple):
    """What may be done with a page."""

    noindex: bool = False
    nofollow: bool = False

    def __or__(self, other: object) -> Robots:
        """Join with what another place says: the stricter holds."""
        if not isinstance(other, Robots):
            return NotImplemented
        return Robots(self.noindex or other.noindex, self.nofollow or other.nofollow)


class LinkHeader(NamedTuple):
    """One value of a ``Link`` header (RFC 8288)."""

    target: str
    rel: str
    hreflang: str


def parse_robots(value: str) -> Robots:
    """Read a robots meta tag or an X-Robots-Tag header; directives for other, named crawlers are left out."""
    found: set[str] = set()
    for line in value[:_MOST_HEADER].lower().splitlines():
        for_all = True
        for directive in line.split(","):
            name, colon, rest = directive.strip().partition(":")
            if colon and name.strip() not in _WITH_VALUE:
                for_all, name = name.strip() == "*", rest
            if for_all:
                found.update(name.split())
    none = "none" in found
    return Robots(none or "noindex" in found, none or "nofollow" in found)


def primary_language(tag: str | None) -> str:
    """Take the primary part of a language tag, lower case: ``zh-Hant`` → ``zh``; empty for ``x-default`` and none.

    The first of several (``ko, en``) counts. Nonsense such as ``kr`` stays as it was stated.
    """
    match = _LANGUAGE.match(tag) if tag else None
    language = match.group(1).lower() if match else ""
    return "" if language == "x" else language


def refresh_target(content: str) -> str:
    """Find the URL in the content of a refresh (``5; url=/next``); empty when the page only reloads itself."""
    if _DELAY_ONLY.match(content):
        return ""
    match = _REFRESH.match(content)
    if match is None:
        return ""
    quote, target = match.groups()
    return (target.partition(quote)[0] if quote else target).strip()


def parse_link_header(value: str) -> Iterator[LinkHeader]:
    """Read a ``Link`` header: ``<https://example.org/>; rel="canonical"``."""
    for match in _LINK_VALUE.finditer(value[:_MOST_HEADER]):
        parameters = {name.lower(): quoted or token for name, quoted, token in _LINK_PARAMETER.findall(match.group(2))}
        yield LinkHeader(match.group(1).strip(), parameters.get("rel", ""), parameters.get("hreflang", ""))
