"""Requests of anybody's spider as entries of a frontier, and back: JSON, never pickle."""

from __future__ import annotations

import hashlib
import inspect
import logging
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.request import RequestFingerprinter
from w3lib.url import canonicalize_url

from crawler_project.core.errors import StateError
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, Lease
from crawler_project.own_spiders.plain_data import dump_plain, load_plain

logger = logging.getLogger(__name__)

LEASE_MARK = "_lease"
"""Key of ``Request.meta`` by which a redirect or a new try is known to come from a leased request; never stored."""
MOST_BYTES = 65_000
"""Of a stored request, about what an entry can hold."""
_DEFAULTS: dict[str, Any] = {
    "method": "GET", "body": b"", "cookies": {}, "meta": {}, "encoding": "utf-8", "priority": 0, "dont_filter": False,
    "flags": [], "cb_kwargs": {}, "callback": None, "errback": None, "headers": {},
}  # fmt: skip


class StoredRequests:
    """Write requests of one spider as entries and read them again.

    Two requests are one when they have the same method, URL (as ``w3lib.url.canonicalize_url`` has it) and
    body, as scrapy-redis has it; or the same fingerprint, where the project has a fingerprinter of its own.
    One with ``dont_filter`` is never the same as another.

    Args:
        repeats: never take two requests for one (somebody else has filtered them).
    """

    def __init__(self, crawler: Crawler, spider: Spider, *, repeats: bool = False) -> None:
        self._spider = spider
        self._repeats = repeats
        fingerprinter = crawler.request_fingerprinter
        self._fingerprinter = None if type(fingerprinter) is RequestFingerprinter else fingerprinter

    def entry_of(self, request: Request) -> Entry:
        """Write a request.

        Raises:
            ValueError: it is not plain data, or it is too large; says why.
        """
        fields = request.to_dict(spider=self._spider)
        fields["meta"] = {key: value for key, value in request.meta.items() if key != LEASE_MARK}
        depth, referrer = _take_depth(fields), _take_referrer(fields)
        url = self._identity(request)
        if url == fields["url"]:
            del fields["url"]
        kept = {key: value for key, value in fields.items() if key not in _DEFAULTS or value != _DEFAULTS[key]}
        payload = dump_plain(kept) if kept else ""
        size = len(payload.encode("utf-8", "surrogatepass"))
        if size > MOST_BYTES:
            raise ValueError(f"it takes {size:,} bytes, and {MOST_BYTES:,} is the most")
        return Entry(
            url=url,
            host=_host_of(request.url),
            priority=-float(request.priority),
            depth=depth,
            referrer=referrer,
            why=f"request {fields['callback'] or 'parse'}",
            evidence=payload,
        )

    def request_of(self, lease: Lease) -> Request:
        """Read a request.

        Raises:
            StateError: what is stored is no request of this spider's.
        """
        entry = lease.entry
        try:
            fields = load_plain(entry.evidence) if entry.evidence else {}
            if not isinstance(fields, dict):
                raise ValueError(f"{fields!r:.80}")
            return self._request(entry, fields)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            raise StateError(f"the stored request {entry.url!r:.200} cannot be read ({error})") from error

    def _request(self, entry: Entry, fields: dict[str, Any]) -> Request:
        kind = _class_of(fields.pop("_class", None))
        headers = dict(fields.pop("headers", {}))
        if entry.referrer:
            headers.setdefault(b"Referer", [entry.referrer.encode("latin-1", "replace")])
        meta = dict(fields.pop("meta", {}))
        if entry.depth:
            meta.setdefault("depth", entry.depth)
        for name in ("callback", "errback"):
            if fields.get(name) is not None:
                fields[name] = self._method(fields[name])
        url = fields.pop("url", entry.url)
        return kind(
            url, headers=headers, meta=meta, **{name: fields[name] for name in fields if name in kind.attributes}
        )

    def _method(self, name: object) -> Any:
        """A method of the spider's; no other attribute of it, so that data cannot call what is no callback."""
        method = getattr(self._spider, name, None) if isinstance(name, str) and not name.startswith("__") else None
        if not inspect.ismethod(method):
            raise ValueError(f"{name!r:.80} is no method of spider {self._spider.name!r}")
        return method

    def _identity(self, request: Request) -> str:
        if request.dont_filter or self._repeats:
            return f"{request.url.partition('#')[0]}#again-{secrets.token_hex(8)}"
        if self._fingerprinter is not None:
            parts = urlsplit(request.url)
            return f"{parts.scheme}://{parts.netloc}/#{self._fingerprinter.fingerprint(request).hex()}"
        url = str(canonicalize_url(request.url))
        if request.method == "GET" and not request.body:
            return url
        return f"{url}#{request.method}-{hashlib.sha1(request.body, usedforsecurity=False).hexdigest()}"


def _take_depth(fields: dict[str, Any]) -> int:
    """Take the depth out of the meta data where the entry can hold it: it is the same for all links of a page."""
    depth = fields["meta"].get("depth")
    if type(depth) is not int or not 0 < depth < 1 << 31:
        return 0
    del fields["meta"]["depth"]
    return depth


def _take_referrer(fields: dict[str, Any]) -> str:
    """Take the referrer out of the headers, for the same reason."""
    values = fields["headers"].get(b"Referer")
    if not isinstance(values, list) or len(values) != 1 or not values[0]:
        return ""
    del fields["headers"][b"Referer"]
    referrer: str = values[0].decode("latin-1")
    return referrer


def _host_of(url: str) -> str:
    """The host as the frontier counts it; for what is not fetched by HTTP, the scheme."""
    parts = canonical_url(url)
    if parts is not None:
        return parts.host
    split = urlsplit(url)
    return split.netloc.rpartition("@")[2].lower() or f"{split.scheme}:"


def _class_of(name: object) -> type[Request]:
    """A class of requests by its name, of those that this process has loaded already: data loads no code."""
    if name is None:
        return Request
    for kind in _request_classes(Request):
        if f"{kind.__module__}.{kind.__name__}" == name:
            return kind
    raise ValueError(f"{name!r:.80} is no class of requests that this spider has loaded")


def _request_classes(kind: type[Request]) -> Iterator[type[Request]]:
    yield kind
    for subclass in kind.__subclasses__():
        yield from _request_classes(subclass)
