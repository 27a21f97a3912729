"""What happens to a link: new, better than before, or known."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable, Mapping
from math import inf
from typing import NamedTuple

from crawler_project.core.urls import url_hash
from crawler_project.core.values import Entry
from crawler_project.frontier.database import clean
from crawler_project.frontier.entry_queue import EntryQueue
from crawler_project.frontier.host import Host
from crawler_project.frontier.schema import any_of, insert_rows
from crawler_project.frontier.tally import Tally

_ROWS = 64
_SEEN = "INSERT OR IGNORE INTO seen(hash, seq)"
_KNOWN = (
    "SELECT seen.hash, seen.seq, queue.lane, queue.priority, queue.distance "
    "FROM seen LEFT JOIN queue ON queue.seq = seen.seq WHERE seen.hash"
)


class _Known(NamedTuple):
    hash: int
    seq: int
    lane: int | None
    priority: float
    distance: int


class Discovery:
    """The seen-set in front of the queue: rules R3 to R6 of the crawl semantics.

    R4: a URL's ``seq`` is that of its first discovery, for ever. R5: a better (priority, distance)
    replaces what is stored, and its context with it. R3: what is leased, done or dead is left alone.
    """

    def __init__(
        self, connection: sqlite3.Connection, tally: Tally, entries: EntryQueue, *, compare_distance: bool
    ) -> None:
        self._db = connection
        self._tally = tally
        self._entries = entries
        self._compare_distance = compare_distance

    def distinct(self, entries: Iterable[Entry]) -> dict[int, Entry]:
        """Entries by URL hash, in order; of several for one URL the best, in the place of the first."""
        found = [
            entry if entry.priority == entry.priority and entry.host.isascii() else _sane(entry) for entry in entries
        ]
        keys = [url_hash(entry.url) for entry in found]
        batch = dict(zip(keys, found, strict=True))
        return batch if len(batch) == len(keys) else self._best_of_each(keys, found)

    def _best_of_each(self, keys: Iterable[int], entries: Iterable[Entry]) -> dict[int, Entry]:
        batch: dict[int, Entry] = {}
        for key, entry in zip(keys, entries, strict=True):
            first = batch.setdefault(key, entry)
            if first is not entry and self._is_better(entry, first.priority, first.distance):
                batch[key] = entry
        return batch

    def queue(self, batch: Mapping[int, Entry], hosts: Mapping[str, Host], leased: Container[int]) -> tuple[int, int]:
        """Queue what is new, improve what is queued, and note both in ``hosts``.

        Args:
            batch: entries by URL hash; those of discarded hosts leave no trace (R6, R14).
            hosts: by name, all hosts of ``batch``; changed, not saved.
            leased: seqs of leased URLs.

        Returns:
            How many were queued, and how many improved.
        """
        wanted = self._of_kept_hosts(batch, hosts)
        if not wanted:
            return 0, 0
        first = self._tally.next_seq
        keys, entries = list(wanted), list(wanted.values())
        new = self._add_seen(keys)
        self._insert([(seq, hosts[(entry := entries[seq - first]).host], entry) for seq in new])
        revived = improved = 0
        if len(new) < len(keys) and self._may_change_known(entries, hosts):
            is_new = {keys[seq - first] for seq in new}
            known = {key: entry for key, entry in wanted.items() if key not in is_new}
            revived, improved = self._meet_again(known, hosts, leased)
        return len(new) + revived, improved

    @staticmethod
    def _of_kept_hosts(batch: Mapping[int, Entry], hosts: Mapping[str, Host]) -> Mapping[int, Entry]:
        if not any(host.discarded for host in hosts.values()):
            return batch
        return {key: entry for key, entry in batch.items() if not hosts[entry.host].discarded}

    def _add_seen(self, keys: list[int]) -> list[int]:
        """Give each URL the next seq; return those of URLs that were never seen."""
        new: list[int] = []
        for start in range(0, len(keys), _ROWS):
            part = keys[start : start + _ROWS]
            first = self._tally.next_seq
            values = [0] * (2 * len(part))
            values[::2], values[1::2] = part, range(first, first + len(part))
            new += [seq for (seq,) in self._db.execute(insert_rows(_SEEN, 2, len(part), "RETURNING seq"), values)]
            self._tally.next_seq += len(part)
        self._tally.seen += len(new)
        return new

    def _insert(self, entries: list[tuple[int, Host, Entry]]) -> None:
        self._entries.insert(entries)
        for seq, host, entry in entries:
            host.add_queued(entry.priority, seq)
        tally = self._tally
        tally.queued += len(entries)
        worst = max(((entry.priority, entry.distance) for _, _, entry in entries), default=(-inf, 0))
        tally.not_worse_than(*worst)

    def _may_change_known(self, entries: list[Entry], hosts: Mapping[str, Host]) -> bool:
        """Whether any entry could be better than one that is queued: never so while all priorities are equal."""
        best, worst = min([entry.priority for entry in entries]), self._tally.worst_priority
        return (
            best < worst or (self._compare_distance and best == worst) or any(host.dropped for host in hosts.values())
        )

    def _promising(self, known: Mapping[int, Entry], hosts: Mapping[str, Host]) -> list[int]:
        """The URLs that are worth a look up."""
        worst = self._tally.worst_priority, self._tally.worst_distance
        return [key for key, entry in known.items() if hosts[entry.host].dropped or self._is_better(entry, *worst)]

    def _meet_again(
        self, known: Mapping[int, Entry], hosts: Mapping[str, Host], leased: Container[int]
    ) -> tuple[int, int]:
        """Improve what is queued, queue again what was dropped with its host."""
        revived, improved = [], 0
        for found in self._find(self._promising(known, hosts)):
            entry = known[found.hash]
            host = hosts[entry.host]
            if found.lane == host.lane:
                if found.seq not in leased and self._is_better(entry, found.priority, found.distance):
                    self._entries.improve(found.seq, entry)
                    host.head_may_be(entry.priority, found.seq)
                    improved += 1
            elif host.dropped and (found.seq < 0 or found.lane is not None):
                revived.append((abs(found.seq), host, entry))
        if revived:
            self._revive(revived)
        return len(revived), improved

    def _find(self, keys: list[int]) -> Iterable[_Known]:
        for start in range(0, len(keys), _ROWS):
            part = keys[start : start + _ROWS]
            yield from map(_Known._make, self._db.execute(any_of(_KNOWN, len(part)), part).fetchall())

    def _revive(self, entries: list[tuple[int, Host, Entry]]) -> None:
        """Queue again, with their old seq, URLs that were dropped with their host."""
        self._db.executemany(
            "UPDATE seen SET seq = ? WHERE hash = ?", [(seq, url_hash(entry.url)) for seq, _, entry in entries]
        )
        self._insert(entries)

    def _is_better(self, entry: Entry, priority: float, distance: int) -> bool:
        if entry.priority != priority or not self._compare_distance:
            return entry.priority < priority
        return entry.distance < distance


def _sane(entry: Entry) -> Entry:
    """Make NaN sort last, where it does no harm; take lone surrogates, which could not be stored, out of the host."""
    priority = inf if entry.priority != entry.priority else entry.priority
    return entry._replace(priority=priority, host=clean(entry.host), url=clean(entry.url))
