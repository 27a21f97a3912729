"""Scrapy's aiohttp download handler with two guards at the moment of connecting.

Private, loopback and link-local addresses are refused when the socket is made, whatever led to
them: a literal address, a redirect, or a name whose answer changes (DNS rebinding). And with
``VIRTUAL_WEB=127.0.0.1:PORT`` every *name* is sent to that one address, https as plain http.
"""

from __future__ import annotations

import socket
from contextlib import _AsyncGeneratorContextManager
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from scrapy import Request
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler_project.core.addresses import is_public_address
from crawler_project.core.errors import RefusedAddressError

AddressInfo = tuple[Any, Any, int, str, tuple[Any, ...]]


def parse_virtual_web(value: str) -> tuple[str, int] | None:
    """Read ``127.0.0.1:8080``; ``None`` for an empty value.

    Raises:
        ValueError: anything but a loopback address and a port.
    """
    if not value:
        return None
    host, _, port = value.rpartition(":")
    if not host.startswith("127.") or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"VIRTUAL_WEB={value!r} must be a loopback address and a port, such as 127.0.0.1:8080")
    return host, int(port)


class VirtualResolver(AbstractResolver):
    """Answer every name with one loopback address *and port*."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=self._host,
                port=self._port,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Nothing to close."""


class GuardedDownloadHandler(AiohttpDownloadHandler):
    """Download over HTTP(S), connecting to public addresses only."""

    experimental = False  # Scrapy's warning about it is said once, in docs/architecture.md

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        try:
            self._virtual = parse_virtual_web(crawler.settings.get("VIRTUAL_WEB") or "")
        except ValueError as error:
            raise NotConfigured(str(error)) from error
        self._session._connector = aiohttp.TCPConnector(
            limit=self._pool_size_total,
            limit_per_host=self._pool_size_per_host,
            ttl_dns_cache=300,
            keepalive_timeout=30,
            resolver=VirtualResolver(*self._virtual) if self._virtual else None,
            socket_factory=self._make_socket,
            local_addr=self._bind_address,
        )

    def _make_socket(self, info: AddressInfo) -> socket.socket:
        family, kind, protocol, _, address = info
        if not is_public_address(address[0]) and tuple(address[:2]) != self._virtual:
            raise RefusedAddressError("address not public")  # the same words for all: they are then raised as one
        return socket.socket(family, kind, protocol)

    def _make_request(self, request: Request, timeout: float) -> _AsyncGeneratorContextManager[_ClientResponse]:
        if self._virtual and request.url.startswith("https:"):
            request = request.replace(url="http:" + request.url[6:])
        return super()._make_request(request, timeout)
