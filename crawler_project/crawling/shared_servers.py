"""Which server a host is on, for the second limit of politeness (``FRONTIER_LIMIT_BY``)."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import hosting_domain
from crawler_project.crawling.download_handler import parse_virtual_web

LIMITS = ("", "domain", "ip")
"""Of ``FRONTIER_LIMIT_BY``; empty: every host has a budget of its own, and nothing else."""
KNOWN_FOR = 600.0
"""Seconds that an address is taken as known."""
_MOST_KNOWN = 50_000


def limit_of(settings: BaseSettings) -> str:
    """What hosts share a budget by.

    Raises:
        ConfigurationError: FRONTIER_LIMIT_BY is something else.
    """
    limit = str(settings.get("FRONTIER_LIMIT_BY") or "")
    if limit not in LIMITS:
        raise ConfigurationError(f"FRONTIER_LIMIT_BY={limit!r} is unknown; choose domain or ip, or leave it out")
    return limit


class SharedServers:
    """Name the server of each host: its registered domain, or its IP address.

    Addresses are looked up in the background. Of several the smallest is taken, so that a name whose addresses come
    in another order each time stays one server. A host without an address is a server of its own: its fetch will fail.

    Args:
        limit: ``domain`` or ``ip``.
        virtual: the address of all names (``VIRTUAL_WEB``).
        on_known: called when an address has been found.
    """

    def __init__(
        self, limit: str, virtual: str, on_known: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._by_address = limit == "ip"
        self._virtual = virtual
        self._on_known = on_known
        self._clock = clock
        self._known: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._lookups: dict[str, asyncio.Task[None]] = {}

    @classmethod
    def from_settings(cls, settings: BaseSettings, on_known: Callable[[], None]) -> SharedServers | None:
        """``None`` where there is no second limit."""
        limit = limit_of(settings)
        virtual = parse_virtual_web(settings.get("VIRTUAL_WEB") or "")
        return cls(limit, virtual[0] if virtual else "", on_known) if limit else None

    def of(self, host: str) -> str | None:
        """The server of a host (port and all); ``None``: it is being looked up, ask again after ``on_known``."""
        if not self._by_address:
            return hosting_domain(host)
        if self._virtual:
            return self._virtual
        address, end = self._known.get(host, ("", 0.0))
        if address and self._clock() < end:
            return address
        if host not in self._lookups:
            self._lookups[host] = asyncio.ensure_future(self._look_up(host))
        return None

    def close(self) -> None:
        """Give up the look-ups that are under way."""
        for task in self._lookups.values():
            task.cancel()

    async def _look_up(self, host: str) -> None:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        try:
            found = await asyncio.get_running_loop().getaddrinfo(name.strip("[]"), None, type=socket.SOCK_STREAM)
            address = min(str(info[4][0]) for info in found)
        except (OSError, UnicodeError, ValueError):
            address = host
        del self._lookups[host]
        self._known[host] = (address, self._clock() + KNOWN_FOR)
        self._known.move_to_end(host)
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        self._on_known()
