"""A server of a collection beside other code, for tests and measurements."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from crawler_project.serving.server import LOOPBACK, Latency, RequestRecord, start
from crawler_project.serving.virtual_web import VirtualWeb, make_virtual_web


@dataclass
class ThreadedServer:
    """What a test needs to know of a running server."""

    port: int
    requests: list[RequestRecord] = field(default_factory=list)
    """All requests that have been answered so far."""

    @property
    def virtual_web(self) -> str:
        """The value of the setting ``VIRTUAL_WEB`` that leads a crawl here."""
        return f"{LOOPBACK}:{self.port}"

    def requests_by_host(self) -> dict[str, list[RequestRecord]]:
        """Give the requests of each host in the order of their arrival."""
        by_host: dict[str, list[RequestRecord]] = {}
        for record in sorted(self.requests, key=lambda record: record.start):
            by_host.setdefault(record.host, []).append(record)
        return by_host


@contextmanager
def serve_in_thread(
    collection: VirtualWeb | Iterable[Mapping[str, Any]], latency: Latency = 0.0, port: int = 0
) -> Iterator[ThreadedServer]:
    """Serve a collection, or records of one, on loopback from a thread of its own.

    ``latency`` is called in that thread when it is a function. The server is down when the
    block is left.

    Raises:
        OSError: the port is taken.
        ValueError: a record is no page.
    """
    web = collection if isinstance(collection, VirtualWeb) else make_virtual_web(collection)
    requests: list[RequestRecord] = []
    with asyncio.Runner() as runner:
        server = runner.run(start(web, LOOPBACK, port, latency=latency, on_request=requests.append))
        loop = runner.get_loop()
        thread = threading.Thread(target=loop.run_forever, name="virtual-web", daemon=True)
        thread.start()
        try:
            yield ThreadedServer(server.port, requests)
        finally:
            asyncio.run_coroutine_threadsafe(server.close(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
