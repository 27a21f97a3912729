"""An HTTP server of a recorded collection: many hosts on one port, told apart by the Host header."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from aiohttp import web
from multidict import CIMultiDict

from crawler_project.serving.virtual_web import RecordedPage, VirtualWeb

LOOPBACK = "127.0.0.1"
_METHODS = frozenset({"GET", "HEAD"})
_METHOD_NOT_ALLOWED = RecordedPage(405, (("Allow", "GET, HEAD"),), b"")
_SHUTDOWN = 1.0
"""Seconds that a running answer is given when the server stops."""


class RequestRecord(NamedTuple):
    """A request as the server saw it."""

    host: str
    """The Host header, lower case."""
    path: str
    """Path and query as they were asked for."""
    start: float
    """When its head had arrived; seconds of ``time.monotonic``."""
    end: float
    """When the last byte of the answer was handed to the system."""


Latency = float | Callable[[str, str], float]
"""Seconds before each answer, or a function of host and path that says how many."""
OnRequest = Callable[[RequestRecord], None]


class RunningServer:
    """A server that answers until it is closed."""

    def __init__(self, runner: web.ServerRunner, site: web.TCPSite) -> None:
        self._runner = runner
        self.port = site.port

    async def close(self) -> None:
        """Stop listening and close all connections."""
        await self._runner.cleanup()


async def start(
    collection: VirtualWeb,
    host: str = LOOPBACK,
    port: int = 0,
    *,
    latency: Latency = 0.0,
    on_request: OnRequest | None = None,
) -> RunningServer:
    """Serve ``collection`` in the running event loop; port 0 takes a free one.

    ``on_request`` is called after each answer, in the event loop.

    Raises:
        OSError: the address cannot be listened on.
    """
    server = web.Server(make_handler(collection, latency, on_request), access_log=None)
    runner = web.ServerRunner(server, shutdown_timeout=_SHUTDOWN)
    await runner.setup()
    site = web.TCPSite(runner, host, port, backlog=1024)
    try:
        await site.start()
    except OSError:
        await runner.cleanup()
        raise
    return RunningServer(runner, site)


def make_handler(
    collection: VirtualWeb, latency: Latency = 0.0, on_request: OnRequest | None = None
) -> Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]:
    """Make the function that answers a request."""

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        begin = time.monotonic()
        host, path = request.headers.get("Host", "").lower(), request.raw_path
        seconds = latency(host, path) if callable(latency) else latency
        if seconds:
            await asyncio.sleep(seconds)
        page = collection.find(host, path) if request.method in _METHODS else _METHOD_NOT_ALLOWED
        response = web.Response(body=page.body, status=page.status, headers=CIMultiDict(page.headers))
        if on_request is not None:
            await response.prepare(request)
            await response.write_eof()
            on_request(RequestRecord(host, path, begin, time.monotonic()))
        return response

    return handle
