"""URLs in one canonical form, and the parts of them that crawling is about.

A URL parser of the WHATWG standard (can-ada, 0.6 µs a URL) does the work: what browsers and
sites agree on. Query order is kept, because servers may care; fragments are dropped.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import can_ada
import tldextract
import xxhash

MAX_URL_LENGTH = 2000
"""Characters; longer ones are nearly always traps, and no browser bar shows them."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WHITE_SPACE = "\t\n\r\f "
_LINE_BREAKS = str.maketrans("", "", "\t\n\r")
_SLASHES = frozenset({"/", "\\"})
_NOWHERE = frozenset({"", "#"})
_HTTP = ("http://", "https://")
_extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


class UrlParts(NamedTuple):
    """A canonical URL and the host that it is on."""

    url: str
    host: str
    """Host in ASCII form, with the port when it is not the scheme's default (RFC 6454 without scheme)."""


class BaseUrl:
    """An absolute URL that others are joined with, cut into its parts once: a page has many links."""

    __slots__ = ("_directory", "_document", "_origin", "_scheme", "_url")

    def __init__(self, url: str) -> None:
        self._url = url.partition("#")[0]
        self._document = self._url.partition("?")[0]
        authority = self._document.find("://") + 3
        self._scheme = url[: authority - 2]
        root = self._document.find("/", authority)
        self._origin = self._document if root < 0 else self._document[:root]
        self._directory = self._origin + "/" if root < 0 else self._document[: self._document.rfind("/") + 1]

    def join(self, target: str) -> str:
        """Join as far as a URL parser cannot: it takes ``..``, ``.`` and ``\\`` out itself.

        An empty target, or a fragment alone, gives the base.
        """
        target = target.strip(_WHITE_SPACE)
        if "\n" in target or "\t" in target or "\r" in target:
            target = target.translate(_LINE_BREAKS)
        if target[:1] in _SLASHES:
            return (self._scheme if target[1:2] in _SLASHES else self._origin) + target
        if target[:1] == "?":
            return self._document + target
        if target[:1] in _NOWHERE:
            return self._url
        return target if _SCHEME.match(target) else self._directory + target


def canonical_url(url: str, base: str | BaseUrl | None = None) -> UrlParts | None:
    """Resolve ``url`` against ``base``; ``None`` when it is no http(s) URL or too long. Never raises.

    Fragment, user and password are dropped, an empty query (``/a?``) is dropped, the host is
    lower-cased and in ASCII (IDNA) form without a trailing dot.
    """
    if base:
        url = (base if isinstance(base, BaseUrl) else BaseUrl(base)).join(url)
    try:
        parsed = can_ada.parse(url)
        if "@" in parsed.href and parsed.has_credentials():
            parsed.username = parsed.password = ""
        host: str = parsed.host
        if host.endswith(".") or ".:" in host:
            parsed.hostname = parsed.hostname.rstrip(".")
            host = parsed.host
        href = parsed.href.partition("#")[0].removesuffix("?")
    except (ValueError, TypeError):  # TypeError: a lone surrogate
        return None
    if not host or len(href) > MAX_URL_LENGTH or not href.startswith(_HTTP):
        return None
    return UrlParts(href, host)


def url_hash(url: str) -> int:
    """64-bit hash of a canonical URL as a signed integer: exact for practical purposes
    (0.03 expected collisions among 10⁹ URLs)."""
    value = xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >= 1 << 63 else value


@lru_cache(maxsize=65536)
def top_level_domain(host: str) -> str:
    """Last label of the host as users read it (``kr``, ``한국``); empty for an IP address."""
    label = host.partition(":")[0].rpartition(".")[2].lower()
    if host.startswith("[") or label.isdigit():
        return ""
    if label.startswith("xn--"):
        try:
            return label.encode("ascii").decode("idna")
        except UnicodeError:
            return label
    return label


@lru_cache(maxsize=65536)
def registered_domain(host: str) -> str:
    """``example.co.kr`` of ``www.example.co.kr:8080``; the host itself where there is none."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    return _extract(name).top_domain_under_public_suffix or name


def is_known_host(text: str) -> bool:
    """Whether a text is a name under a public suffix, as in ``example.co.kr:8080``: not ``list.txt``, nor ``kr``."""
    name = text.rpartition(":")[0] if text.rpartition(":")[2].isdigit() else text
    return bool(_extract(name).top_domain_under_public_suffix)


@lru_cache(maxsize=65536)
def hosting_domain(host: str) -> str:
    """As :func:`registered_domain`, but of the company that hosts: ``blogspot.com`` of ``a.blogspot.com``."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    return _extract(name, include_psl_private_domains=False).top_domain_under_public_suffix or name


def directory_of(url: str, host: str) -> str:
    """Host and path up to its last ``/`` (*directory* of the strategies): ``example.org/a/``."""
    start = url.find("/", url.find("//") + 2)
    path = url[start:].partition("?")[0] if start >= 0 else "/"
    return host + path[: path.rfind("/") + 1]
