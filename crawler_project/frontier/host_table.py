"""All hosts: which of them may be asked now, and in which order."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from math import inf
from typing import Any

from crawler_project.core.urls import url_hash
from crawler_project.core.values import NO_COUNTS, Counts
from crawler_project.frontier.database import execute
from crawler_project.frontier.host import Host, HostState
from crawler_project.frontier.schema import any_of
from crawler_project.frontier.tally import Tally

_COLUMNS = (
    "hash, name, lane, state, ready_at, precedence, override, offset, discarded, dropped, queued, "
    "head_priority, head_seq, pages, target_pages, delay"
)
_INSERT = f"INSERT INTO host({_COLUMNS}) VALUES ({', '.join('?' * 16)})"  # noqa: S608 - constants only
_UPDATE = (
    "UPDATE host SET lane = ?, state = ?, ready_at = ?, precedence = ?, override = ?, offset = ?, discarded = ?, dropped = ?, "
    "queued = ?, head_priority = ?, head_seq = ?, pages = ?, target_pages = ?, delay = ? WHERE hash = ?"
)
_UPDATE_QUEUED = "UPDATE host SET queued = ? WHERE hash = ?"
_BEST = "SELECT name FROM host WHERE state = 1 ORDER BY precedence, head_priority, head_seq LIMIT ?"
_NEXT_WAKE = "SELECT min(ready_at) FROM host WHERE state = 2 AND head_priority <= ? AND ready_at <= ?"
_WAKE = "UPDATE host SET state = 1 WHERE state = 2 AND ready_at <= ? RETURNING name"
_MOST_VALUES = 500
_RECENT = 10_000
"""Hosts that are kept in memory too, about 5 MB: reading them costs a tenth of a commit."""


class HostTable:
    """Hosts in SQLite, so that a million of them cost no memory; a commit reads and writes a handful.

    A host is IDLE, READY, RESTING or LEASED (:class:`HostState`). Two partial indices hold the READY
    ones by (precedence, head priority, head seq) and the RESTING ones by the time they wake.
    """

    def __init__(self, connection: sqlite3.Connection, tally: Tally) -> None:
        self._db = connection
        self._tally = tally
        self._recent: dict[str, Host] = {}
        self.now = 0.0
        """The latest time handed in, Unix time in seconds."""
        self.ready = 0
        """How many hosts are READY."""
        self.resting = 0
        """How many hosts are RESTING."""
        self._count_states()

    def load(self, names: Collection[str]) -> dict[str, Host]:
        """Read hosts by name; unknown ones are made, and stored when they are saved.

        The values of one call are valid until the next one.
        """
        if len(self._recent) > _RECENT:
            self._recent.clear()
        recent = self._recent
        hosts = {name: recent[name] for name in names if name in recent}
        missing = {url_hash(name): name for name in names if name not in hosts}
        for row in self._select(f"SELECT {_COLUMNS} FROM host", list(missing)):  # noqa: S608
            hosts[missing.pop(row[0])] = Host(*row)
        for key, name in missing.items():
            hosts[name] = Host(key, name, self.new_lane(), is_new=True)
        recent.update(hosts)
        return hosts

    def new_lane(self) -> int:
        self._tally.next_lane += 1
        return self._tally.next_lane - 1

    def wake(self, now: float) -> None:
        """Make hosts READY whose rest is over at ``now``, which is the time from here on."""
        self.now = now
        if not self.resting:
            return
        for (name,) in self._db.execute(_WAKE, (now,)):
            self.ready += 1
            self.resting -= 1
            if name in self._recent:
                self._recent[name].state = HostState.READY

    def best(self, limit: int) -> list[Host]:
        """The READY hosts of the best queued URLs, best first."""
        names = [name for (name,) in self._db.execute(_BEST, (limit,))]
        hosts = self.load(names)
        return [hosts[name] for name in names]

    def leased(self) -> list[Host]:
        """Hosts that were LEASED when the frontier was saved."""
        names = [name for (name,) in self._db.execute("SELECT name FROM host WHERE state = 3")]
        return list(self.load(names).values())

    def next_wake(self, rank: float = inf, until: float = inf) -> float | None:
        """Unix time at which the next RESTING host is ready whose best URL has ``rank`` or better; ``None`` when none is until then."""
        wake: float | None = self._db.execute(_NEXT_WAKE, (rank, until)).fetchone()[0]
        return wake

    def rest_longer(self, now: float, own_delay: float) -> None:
        """Let each host whose own delay is longer than the crawl's rest for it, counted from ``now``.

        Reads the whole table; for the start after a crash only.
        """
        self._db.execute(
            "UPDATE host SET ready_at = max(ready_at, ?1 + delay), state = CASE state WHEN 1 THEN 2 ELSE state END "
            "WHERE delay > ?2",
            (now, own_delay),
        )
        self._recent.clear()
        self._count_states()

    def enter(self, host: Host, head: tuple[float, int] | None) -> None:
        """Place a host that nobody holds (any more) by its ``head``: (priority, seq) of its best URL."""
        if head is None:
            self._move(host, HostState.IDLE)
            return
        host.head_priority, host.head_seq = head
        self._move(host, HostState.READY if host.ready_at <= self.now else HostState.RESTING)

    def hold(self, host: Host) -> None:
        """Take a host out of the order: its best URL is leased."""
        host.queued -= 1
        self._move(host, HostState.LEASED)

    def save(self, hosts: Collection[Host]) -> None:
        """Store what changed of ``hosts``."""
        counted = [(host.queued, host.hash) for host in hosts if host.is_counted and not (host.is_moved or host.is_new)]
        self._db.executemany(_UPDATE_QUEUED, counted)
        for host in hosts:
            if host.is_new:
                execute(self._db, _INSERT, _values(host))
            elif host.is_moved:
                self._db.execute(_UPDATE, (*_values(host)[2:], host.hash))
            host.is_new = host.is_moved = host.is_counted = False

    def counts(self, names: Sequence[str]) -> list[Counts]:
        """Downloads of hosts, in the order asked; (0, 0) for unknown ones."""
        keys = [url_hash(name) for name in names]
        stored = {
            row[0]: Counts(row[1], row[2]) for row in self._select("SELECT hash, pages, target_pages FROM host", keys)
        }
        return [stored.get(key, NO_COUNTS) for key in keys]

    def count_waiting(self, names: Sequence[str]) -> int:
        """How many of these hosts have queued URLs."""
        return sum(row[0] > 0 for row in self._select("SELECT queued FROM host", [url_hash(name) for name in names]))

    def _move(self, host: Host, state: HostState) -> None:
        self.ready += (state == HostState.READY) - (host.state == HostState.READY)
        self.resting += (state == HostState.RESTING) - (host.state == HostState.RESTING)
        host.state = state
        host.is_moved = True

    def _count_states(self) -> None:
        states = dict(self._db.execute("SELECT state, count(*) FROM host GROUP BY state"))
        self.ready = states.get(HostState.READY, 0)
        self.resting = states.get(HostState.RESTING, 0)

    def _select(self, head: str, keys: list[int]) -> list[Any]:
        rows: list[Any] = []
        for start in range(0, len(keys), _MOST_VALUES):
            part = keys[start : start + _MOST_VALUES]
            rows += self._db.execute(any_of(f"{head} WHERE hash", len(part)), part)
        return rows


def _values(host: Host) -> tuple[str | int | float | None, ...]:
    return (
        host.hash,
        host.name,
        host.lane,
        int(host.state),
        host.ready_at,
        host.precedence,
        host.override,
        host.offset,
        host.discarded,
        host.dropped,
        host.queued,
        host.head_priority,
        host.head_seq,
        host.pages,
        host.target_pages,
        host.delay,
    )
