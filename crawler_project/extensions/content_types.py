"""Break off downloads that are no pages as soon as their headers are here."""

from __future__ import annotations

from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers

NOT_WANTED = "download_stopped"
"""The flag that Scrapy gives to a response that was broken off."""
ANY_TYPE = "any_type"
"""Key of ``Request.meta`` that lets everything pass: robots.txt comes under many types."""
WANTED = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""})
"""XML because XHTML is served as such; an absent type is looked at by its bytes."""


class ContentTypes:
    """Break off every answer whose Content-Type is not one of :data:`WANTED`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.headers_received, signal=signals.headers_received)
        return extension

    def headers_received(self, headers: Headers, request: Request) -> None:
        if not request.meta.get(ANY_TYPE) and _media_type(headers) not in WANTED:
            raise StopDownload(fail=False)


def is_wanted_type(headers: Headers, body: bytes) -> bool:
    """Whether an answer is text; without a declared type its first bytes decide."""
    media_type = _media_type(headers)
    return media_type in WANTED and (media_type != "" or not _looks_binary(body[:1024]))


def _media_type(headers: Headers) -> str:
    value = headers.get("Content-Type") or b""
    return value.partition(b";")[0].strip().lower().decode("latin-1")


def _looks_binary(start: bytes) -> bool:
    """NUL bytes, but not those of UTF-16 or UTF-32 text."""
    return b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
