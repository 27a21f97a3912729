"""What a strategy wants done with a host, done."""

from __future__ import annotations

from math import inf

from crawler_project.core.values import HostVerdict
from crawler_project.frontier.dropped_lanes import DroppedLanes
from crawler_project.frontier.entry_queue import EntryQueue
from crawler_project.frontier.host import Host, HostState
from crawler_project.frontier.host_table import HostTable
from crawler_project.frontier.lease_book import HeldLease
from crawler_project.frontier.tally import Tally


class Verdicts:
    """Apply verdicts in a few steps each, whatever the length of the host's queue.

    A discard gives the host a new, empty lane; an override changes how its head is looked up.
    """

    def __init__(self, tally: Tally, hosts: HostTable, entries: EntryQueue, dropped: DroppedLanes) -> None:
        self._tally = tally
        self._hosts = hosts
        self._entries = entries
        self._dropped = dropped

    def apply(self, host: Host, verdict: HostVerdict, held: HeldLease | None) -> None:
        """Change ``host``, without saving it; ``held`` is the lease on it, which stays valid."""
        if verdict.discard and not host.discarded:
            self._discard(host, held)
        override = None if verdict.override is None else _last_if_nan(verdict.override)
        offset = _finite(verdict.offset)
        is_other_order = (override, offset) != (host.override, host.offset)
        host.discarded = int(verdict.discard)
        host.precedence = _last_if_nan(verdict.precedence)
        host.override = override
        host.offset = offset
        host.is_moved = True
        if is_other_order and host.state != HostState.LEASED:
            self._hosts.enter(host, self._entries.head(host))

    def drop_all(self, host: Host) -> None:
        """Drop everything that is queued on a host, and its leased URL with it."""
        self._dropped.add(host.lane, host.name)
        self._tally.queued -= host.queued
        host.lane, host.queued, host.dropped = self._hosts.new_lane(), 0, 1

    def _discard(self, host: Host, held: HeldLease | None) -> None:
        if held or host.queued:
            self.drop_all(host)
        if held:
            self._entries.move(held.seq, host.lane)
        else:
            self._hosts.enter(host, None)


def _finite(value: float) -> float:
    """An offset that can be added to any priority; NaN is none."""
    return 0.0 if value != value else min(1e300, max(-1e300, value))  # noqa: PLR0124


def _last_if_nan(value: float) -> float:
    return value if value == value else inf  # noqa: PLR0124 - NaN is what differs from itself
