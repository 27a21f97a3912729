"""The second limit: one request at a time to a server that many hosts share, and its delay; in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from crawler_project.core.values import Lease

LEAST_STEP: Final = 0.1
"""Seconds between two turns that are given out on a server that is busy, where the delay is shorter."""
MOST_TURNS: Final = 60
"""Turns that are given out ahead; hosts beyond them all ask again after the last."""
_MOST_SERVERS: Final = 50_000


@dataclass(slots=True)
class _Server:
    holder: int | None = None
    ready_at: float = -math.inf
    next_turn: float = -math.inf


class ServerBook:
    """Who has which server.

    A lease on a host is not enough where several hosts share a budget: it also takes their server. If that is busy or
    resting, the answer is how long the host had better rest: its turn, so that ten thousand hosts of one server do not
    all ask again at the same moment. A turn is no promise: who comes to a free server gets it.

    Args:
        delay: seconds from the end of one fetch to the next on the same server.
    """

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._servers: dict[str, _Server] = {}
        self._names: dict[int, str] = {}

    def take(self, lease: Lease, name: str, now: float) -> float:
        """0: the lease has the server (again); otherwise seconds until its turn."""
        server = self._servers.get(name)
        if server is None:
            self._make_room(now)
            server = self._servers[name] = _Server()
        if server.holder in (None, lease.token) and server.ready_at <= now:
            server.holder = lease.token
            self._names[lease.token] = name
            return 0.0
        step = max(self._delay, LEAST_STEP)
        turn = max(server.next_turn, server.ready_at if server.holder is None else now + step)
        turn = min(turn, now + MOST_TURNS * step)
        server.next_turn = turn + step
        return turn - now

    def give_back(self, lease: Lease, now: float, *, fetched: bool) -> None:
        """End the hold of a lease, if it has one; ``fetched`` starts the server's delay."""
        name = self._names.pop(lease.token, None)
        if name is None:
            return
        server = self._servers[name]
        server.holder = None
        if fetched:
            server.ready_at = max(server.ready_at, now + self._delay)

    def _make_room(self, now: float) -> None:
        if len(self._servers) >= _MOST_SERVERS:
            busy = ((name, one) for name, one in self._servers.items() if one.holder is not None or one.ready_at > now)
            self._servers = dict(busy)
