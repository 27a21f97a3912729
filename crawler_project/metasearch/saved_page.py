"""A page of search results (or any list of links) that somebody saved with a browser: its outgoing links."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from crawler_project.core.urls import canonical_url, registered_domain
from crawler_project.core.values import Page
from crawler_project.metasearch.provider import EVERYTHING, Answer, Hit, ProviderError, Reply
from crawler_project.page.parse import parse_page

_UNKNOWN: Final = "http://search.invalid/"
"""Stands for the address of a page that does not say where it was saved from."""
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")
_LARGEST: Final = 32 << 20
_IN_PATH = re.compile(r"/RU=([^/]+)")
_DOCUMENTS: Final = frozenset({"a", "area"})


class SavedPage:
    """Give the links of a saved page that lead away from where it was saved, in their order.

    Links by way of the search engine (``/url?q=http…``, ``/l/?uddg=…``, ``/ck/a?u=a1…``, ``/RU=http…/``) lead to where they name.
    """

    name = "page"
    is_named = True
    is_ranked = True

    def __init__(self, path: str) -> None:
        self.place = path

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return [EVERYTHING]

    def ask(self, query: str, page: int) -> Answer:
        try:
            with Path(self.place).open("rb") as file:
                body = file.read(_LARGEST)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ProviderError("refused", f"{self.place!r} cannot be read: {reason}", is_final=True) from error
        hits = list(outgoing_links(body))
        if not hits:
            raise ProviderError("nonsense", f"{self.place!r} has no links to other sites", is_final=True)
        return Answer(hits)

    def read(self, reply: Reply) -> Answer:
        raise NotImplementedError("nobody is asked")


def outgoing_links(body: bytes) -> Iterator[Hit]:
    """Give the links of a saved page to other domains than its own, each once."""
    page = parse_page(body, origin_of(body))
    own = {registered_domain(host) for host in (_host(_UNKNOWN), _host(_own_address(page))) if host}
    seen: set[str] = set()
    for link in page.links:
        if link.kind not in _DOCUMENTS:
            continue
        target = link.url if registered_domain(_host(link.url)) not in own else named_target(link.url)
        if target and registered_domain(_host(target)) not in own and target not in seen:
            seen.add(target)
            yield Hit(target, link.anchor_text)


def origin_of(body: bytes) -> str:
    """Give the address that a page says it was saved from, or one that stands for it."""
    found = _SAVED_FROM.search(body[:4096])
    parts = canonical_url(found[1].decode("utf-8", "replace")) if found else None
    return parts.url if parts else _UNKNOWN


def named_target(url: str) -> str:
    """Give the address that an engine's own link leads on to; empty when it names none."""
    parts = urlsplit(url)
    in_path = _IN_PATH.search(parts.path)
    values = [value for _, value in parse_qsl(parts.query)] + ([unquote(in_path[1])] if in_path else [])
    for value in values:
        target = canonical_url(_decoded(value))
        if target is not None:
            return target.url
    return ""


def _decoded(value: str) -> str:
    """Read Bing's form: ``a1`` and the address in URL-safe base64."""
    if not value.startswith("a1"):
        return value
    try:
        text = value[2:]
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return value


def _own_address(page: Page) -> str:
    canonical = next((link.url for link in page.links if link.kind == "canonical"), "")
    return canonical if page.url == _UNKNOWN and canonical else page.url


def _host(url: str) -> str:
    parts = canonical_url(url)
    return parts.host if parts else ""
