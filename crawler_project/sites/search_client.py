"""Questions to search providers over HTTP: bounded in time and size, and to the own network only where the user named it."""

from __future__ import annotations

import asyncio
import socket
from types import TracebackType
from typing import Any, Final, Self

import aiohttp

from crawler_project.core.addresses import is_public_address
from crawler_project.core.errors import RefusedAddressError
from crawler_project.crawling.download_handler import VirtualResolver
from crawler_project.metasearch.provider import ProviderError, Reply, SearchRequest

MOST_BYTES: Final = 16 << 20
"""Of an answer, decompressed."""
_CHUNK: Final = 1 << 16


class SearchClient:
    """Send GET requests; redirects are answers, so that a key goes nowhere but to whom it belongs.

    Args:
        timeout: seconds for a whole answer.
        virtual: where every name that the user has not named himself is sent (``VIRTUAL_WEB``).
    """

    def __init__(self, user_agent: str, timeout: float, virtual: tuple[str, int] | None = None) -> None:
        self._user_agent = user_agent
        self._timeout = timeout
        self._virtual = virtual

    async def __aenter__(self) -> Self:
        guarded = aiohttp.TCPConnector(
            resolver=VirtualResolver(*self._virtual) if self._virtual else None, socket_factory=self._public_socket
        )
        self._public, self._named = self._session(guarded), self._session(aiohttp.TCPConnector())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._public.close()
        await self._named.close()

    async def fetch(self, request: SearchRequest, is_named: bool) -> Reply:
        """Fetch an answer, whatever its status is.

        Args:
            is_named: the user has named the address, so it may be private.

        Raises:
            ProviderError: no answer, or too large a one.
        """
        session, url = (self._named, request.url) if is_named else (self._public, self._reachable(request.url))
        try:
            async with session.get(url, headers=request.headers, allow_redirects=False) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Reply(response.status, headers, await _body(response))
        except TimeoutError as error:
            raise ProviderError("time-out", f"no answer within {self._timeout:g} s") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ProviderError("no connection", _reason(error)) from error

    def _session(self, connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=self._timeout),
            headers={"User-Agent": self._user_agent},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    def _reachable(self, url: str) -> str:
        return "http:" + url[6:] if self._virtual and url.startswith("https:") else url

    def _public_socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        if not is_public_address(address[0]) and tuple(address[:2]) != self._virtual:
            raise RefusedAddressError("address not public")
        return socket.socket(family, kind, protocol)


async def _body(response: aiohttp.ClientResponse) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_chunked(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise ProviderError("nonsense", f"the answer is larger than {MOST_BYTES >> 20} MiB")
    return b"".join(parts)


def _reason(error: Exception) -> str:
    """Say in one line why there is no connection."""
    if isinstance(error, aiohttp.ClientConnectorError):
        error = error.os_error
    if isinstance(error, RefusedAddressError | asyncio.IncompleteReadError):
        return str(error)
    return " ".join((getattr(error, "strerror", None) or str(error) or type(error).__name__).split())[:200]
