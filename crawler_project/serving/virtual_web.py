"""A recorded collection of pages as a web that can be looked up by host and path."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.serving.page_bytes import content_type, encode_html
from crawler_project.serving.recorded_lines import EXPECTED, recorded_lines

_NOT_OURS = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "date"})
"""Recorded headers that are about the recorded transfer, not about the page."""


class RecordedPage(NamedTuple):
    """An answer as it goes over the wire."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class BadLine(NamedTuple):
    """A line of a collection that is no page."""

    number: int
    """Of the line in the file, from 1."""
    reason: str


def _error_page(status: int, title: str) -> RecordedPage:
    body = f"<!DOCTYPE html><title>{status} {title}</title><h1>{title}</h1>".encode()
    return RecordedPage(status, (("Content-Type", "text/html; charset=utf-8"),), body)


NO_SUCH_PAGE = _error_page(404, "No such page in this collection")
NO_SUCH_HOST = _error_page(421, "No such host in this collection")
"""421 Misdirected Request (RFC 9110, 15.5.20): this server does not speak for that host."""


@dataclass
class VirtualWeb:
    """Pages by host and path; http and https are the same page."""

    hosts: set[str] = field(default_factory=set)
    bad_lines: list[BadLine] = field(default_factory=list)
    _pages: dict[str, RecordedPage] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, host: str, target: str) -> RecordedPage:
        """Give the answer to a request for ``target`` (path and query, or a whole URL) of ``host``.

        Percent-encoding, case of the host and dots in the path are put into canonical form
        first. A page that is not there is ``NO_SUCH_PAGE``, on an unknown host ``NO_SUCH_HOST``.
        """
        parts = canonical_url(f"http://{host}{target}" if target.startswith("/") else target)
        if parts is None:
            return NO_SUCH_PAGE if host.lower() in self.hosts else NO_SUCH_HOST
        page = self._pages.get(_without_scheme(parts.url))
        if page is not None:
            return page
        return NO_SUCH_PAGE if parts.host in self.hosts else NO_SUCH_HOST

    def add(self, record: Mapping[str, Any]) -> None:
        """Add one record; a later record of the same page replaces the earlier one.

        A redirect to the same page on the other scheme is left out: it would never end here.

        Raises:
            ValueError: the record is no page; the message says why.
        """
        url = record.get("url")
        parts = canonical_url(url) if isinstance(url, str) else None
        if parts is None:
            raise ValueError(f"url is no http(s) address: {_short(url)}")
        page = _recorded_page(record, parts.url)
        self.hosts.add(parts.host)
        location = next((value for name, value in page.headers if name.lower() == "location"), "")
        target = canonical_url(urljoin(parts.url, location)) if location else None
        key = _without_scheme(parts.url)
        if target is None or _without_scheme(target.url) != key:
            self._pages[key] = page


def make_virtual_web(records: Iterable[Mapping[str, Any]]) -> VirtualWeb:
    """Make a web of records with the fields ``url``, ``html``, ``charset`` and so on.

    Raises:
        ValueError: a record is no page.
    """
    web = VirtualWeb()
    for record in records:
        web.add(record)
    return web


def load_virtual_web(path: Path) -> VirtualWeb:
    """Read a collection, one JSON object a line, plain, ``.gz`` or ``.zst``.

    A line that is no page is skipped and named in ``bad_lines``; so is the place from which on
    the file is damaged.

    Raises:
        ConfigurationError: the file cannot be read, or no line of it is a page.
    """
    web = VirtualWeb()
    number = 0
    try:
        for number, line in enumerate(recorded_lines(path), 1):
            _add_line(web, number, line)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        if not len(web):
            reason = getattr(error, "strerror", None) or error
            raise ConfigurationError(f"{path} cannot be read ({reason}); expected {EXPECTED}") from error
        web.bad_lines.append(BadLine(number + 1, f"the file is damaged from here on ({error})"))
    if not len(web):
        first = f"line {web.bad_lines[0].number}: {web.bad_lines[0].reason}" if web.bad_lines else "it is empty"
        raise ConfigurationError(f"{path} has no page ({first}); expected {EXPECTED}")
    return web


def _add_line(web: VirtualWeb, number: int, line: str) -> None:
    if not line.strip():
        return
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            raise ValueError("no JSON object")
        web.add(record)
    except (ValueError, RecursionError) as error:
        web.bad_lines.append(BadLine(number, f"{error}" or type(error).__name__))


def _recorded_page(record: Mapping[str, Any], url: str) -> RecordedPage:
    location = record.get("location") or ""
    status = record.get("status", 302 if location else 200)
    html = record.get("html", None if status == 200 else "")
    charset = record.get("charset") or "utf-8"
    if not isinstance(status, int) or not 200 <= status <= 599:
        raise ValueError(f"status is no number from 200 to 599: {_short(status)}")
    for name, value in (("html", html), ("charset", charset), ("location", location)):
        if not isinstance(value, str):
            raise ValueError(f"{name} is no text: {_short(value)}")
    body = encode_html(html, charset)
    headers = _headers(record.get("headers") or {})
    if location:
        headers = [*(pair for pair in headers if pair[0].lower() != "location"), ("Location", _one_line(location))]
    if not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", content_type(url, body, charset)))
    return RecordedPage(status, tuple(headers), body)


def _headers(recorded: Any) -> list[tuple[str, str]]:
    pairs = recorded.items() if isinstance(recorded, Mapping) else recorded
    try:
        found = [(_one_line(name), _one_line(value)) for name, value in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError(f"headers must be names with values: {_short(recorded)}") from error
    return [pair for pair in found if pair[0].lower() not in _NOT_OURS]


def _one_line(text: str) -> str:
    if not isinstance(text, str) or any(character in text for character in "\r\n\0"):
        raise ValueError(f"no text of one line: {_short(text)}")
    return text.encode("utf-8", "replace").decode("utf-8")


def _without_scheme(url: str) -> str:
    return url[url.index("//") + 2 :]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
