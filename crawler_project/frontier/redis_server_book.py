"""The second limit, as :class:`ServerBook`, for all workers of a crawl in Redis together."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from crawler_project.core.values import Lease
from crawler_project.frontier.redis_crawl import as_float
from crawler_project.frontier.redis_scripts import LuaScripts, RedisAwayError
from crawler_project.frontier.server_book import LEAST_STEP, MOST_TURNS


class RedisServerBook:
    """Who has which server; a hold ends with its lease, and by itself when its worker is dead.

    Args:
        delay: see :class:`ServerBook`.
        lease_seconds: after so long without :meth:`renew` a server is anybody's.
    """

    def __init__(self, scripts: LuaScripts, delay: float, lease_seconds: float) -> None:
        self._scripts = scripts
        self._delay = delay
        self._lease_seconds = lease_seconds
        self._names: dict[int, str] = {}

    def take(self, lease: Lease, name: str, now: float) -> float:
        """See :meth:`ServerBook.take`."""
        step = max(self._delay, LEAST_STEP)
        arguments = (name, now, lease.token, now + self._lease_seconds, step, MOST_TURNS)
        wait = as_float(self._scripts.call("take_server", arguments), "server")
        if wait == 0.0:
            self._names[lease.token] = name
        return wait

    def give_back(self, lease: Lease, now: float, *, fetched: bool) -> None:
        """See :meth:`ServerBook.give_back`; if Redis is away just now, the hold ends by itself."""
        name = self._names.pop(lease.token, None)
        if name is not None:
            with suppress(RedisAwayError):
                self._scripts.call("give_server_back", (name, now, lease.token, self._delay if fetched else 0))

    def renew(self, leases: Iterable[Lease], now: float) -> None:
        """Keep the servers of leases that are still held."""
        for lease in leases:
            name = self._names.get(lease.token)
            if name is not None:
                self.take(lease, name, now)

    def forget(self, lease: Lease) -> None:
        """The lease is lost, and its server with it."""
        self._names.pop(lease.token, None)
