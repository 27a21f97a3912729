"""The heartbeat of a worker: its leases are renewed, those of dead workers taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from scrapy.utils.asyncio import create_looping_call

from crawler_project.core.seams import SharedFrontier
from crawler_project.core.values import Lease

SWEEP_INTERVAL = 3.0
"""Seconds between two steps of clearing up behind discarded hosts."""


class LeaseKeeper:
    """Renew, reclaim and sweep by timers.

    Args:
        held: the leases of this worker.
        on_lost: told which of them have gone to somebody else.
        guarded: runs a call to the frontier that may be away at present.
    """

    def __init__(
        self,
        frontier: SharedFrontier,
        held: Callable[[], Iterable[Lease]],
        on_lost: Callable[[Sequence[Lease]], None],
        guarded: Callable[[Callable[[], None]], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._frontier = frontier
        self._held = held
        self._on_lost = on_lost
        self._clock = clock
        self._renewed_at = clock()
        seconds = frontier.lease_seconds
        self._loops = [
            (create_looping_call(lambda: guarded(self.renew)), seconds / 3),
            (create_looping_call(lambda: guarded(self._reclaim)), seconds / 4),
            (create_looping_call(lambda: guarded(self._sweep)), SWEEP_INTERVAL),
        ]

    def start(self) -> None:
        for loop, interval in self._loops:
            loop.start(interval, now=False)

    def stop(self) -> None:
        for loop, _ in self._loops:
            if loop.running:
                loop.stop()

    def renew(self) -> None:
        """Renew all leases now."""
        now = self._clock()
        lost = self._frontier.renew(self._held(), now)
        self._renewed_at = now
        if lost:
            self._on_lost(lost)

    def renew_if_overdue(self) -> None:
        """Renew after a standstill (a stopped process, an outage), before anything is done with the leases."""
        if not 0 <= self._clock() - self._renewed_at <= self._frontier.lease_seconds / 2:
            self.renew()

    def _reclaim(self) -> None:
        self._frontier.reclaim(self._clock())

    def _sweep(self) -> None:
        self._frontier.sweep(limit=1)
