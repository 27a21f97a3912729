"""The entries that are queued or leased, each in the lane of its host."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from crawler_project.core.values import Entry
from crawler_project.frontier.database import SqlValue, execute
from crawler_project.frontier.host import Host
from crawler_project.frontier.schema import ENTRY_COLUMNS, insert_rows
from crawler_project.frontier.short_url import restore_url, shorten_url

_ROWS = 64
"""Rows of one statement: more gain nothing, and each number of rows is a prepared statement of its own."""
_WIDTH = 13
_INSERT = f"INSERT OR REPLACE INTO queue(seq, lane, path, {ENTRY_COLUMNS})"
_IMPROVE = (
    "UPDATE queue SET priority = ?, distance = ?, depth = ?, parent_language = ?, referrer = ?, anchor_text = ?, "
    "why = ?, redirects = ?, origin = ?, evidence = ? WHERE seq = ?"
)
_READ = f"SELECT path, {ENTRY_COLUMNS}, attempts FROM queue WHERE seq = ?"  # noqa: S608 - constants only
_HEAD = "SELECT priority, seq FROM queue WHERE lane = ? ORDER BY priority, seq LIMIT 1"
_BESIDE = "SELECT priority FROM queue WHERE lane = ? AND seq != ? ORDER BY priority LIMIT 1"
_FEW = 32
_FIRST_OF_FEW = """
    WITH RECURSIVE distinct_priority(value) AS (
        SELECT min(priority) FROM queue WHERE lane = ?1
        UNION ALL
        SELECT (SELECT min(priority) FROM queue WHERE lane = ?1 AND priority > value)
        FROM distinct_priority WHERE value IS NOT NULL LIMIT 32)
    SELECT min((SELECT min(seq) FROM queue WHERE lane = ?1 AND priority = value)), count(value) FROM distinct_priority"""
_INDEX = "CREATE INDEX lane_seq ON queue(lane, seq)"
_HAS_INDEX = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'lane_seq'"
_FIRST = "SELECT min(seq) FROM queue INDEXED BY lane_seq WHERE lane = ?"


class EntryQueue:
    """Rows by seq; the order inside a lane is (priority, seq).

    A leased entry keeps its row until it is done, so that a crash needs no repair.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._has_seq_index = connection.execute(_HAS_INDEX).fetchone() is not None

    def insert(self, entries: Sequence[tuple[int, Host, Entry]]) -> None:
        """Store entries as (seq, host, entry); a row that is left from before a discard is replaced."""
        for start in range(0, len(entries), _ROWS):
            part = entries[start : start + _ROWS]
            values: list[SqlValue] = []
            for seq, host, entry in part:
                values += (seq, host.lane, shorten_url(entry.url, host.name), *entry[2:])
            execute(self._db, insert_rows(_INSERT, _WIDTH, len(part)), values)

    def improve(self, seq: int, entry: Entry) -> None:
        """Replace everything but URL, seq and attempts (R5)."""
        execute(self._db, _IMPROVE, (*entry[2:], seq))

    def read(self, seq: int, host: str) -> tuple[Entry, int]:
        """Read an entry and the number of its attempts that failed."""
        path, *values, attempts = self._db.execute(_READ, (seq,)).fetchone()
        return Entry(restore_url(path, host), host, *values), attempts

    def head(self, host: Host) -> tuple[float, int] | None:
        """Find (priority among the hosts, seq) of the best entry in a host's lane; ``None`` when there is none.

        With an override it is the entry that was discovered first: no row has to be rewritten when the verdict
        changes.
        """
        if host.queued == 0:
            return None
        if host.override is not None:
            return host.rank(0.0), self._first_discovered(host.lane)
        priority, seq = self._db.execute(_HEAD, (host.lane,)).fetchone()
        return host.rank(priority), seq

    def rank_beside(self, host: Host, leased: int) -> float | None:
        """Find the priority among the hosts of the best entry beside the leased one; ``None`` when there is none."""
        if host.queued == 0:
            return None
        return host.rank(
            0.0 if host.override is not None else self._db.execute(_BESIDE, (host.lane, leased)).fetchone()[0]
        )

    def _first_discovered(self, lane: int) -> int:
        """Find the least seq in a lane: one step for each distinct priority while these are few, which they are for
        strategies of classes; else by an index that is made when a crawl first needs it, 10 B a queued URL."""
        if not self._has_seq_index:
            seq, priorities = self._db.execute(_FIRST_OF_FEW, (lane,)).fetchone()
            if priorities < _FEW:
                return int(seq)
            self._db.execute(_INDEX)
            self._has_seq_index = True
        return int(self._db.execute(_FIRST, (lane,)).fetchone()[0])

    def set_priority(self, seq: int, priority: float) -> None:
        """Give an entry another priority, better or worse."""
        self._db.execute("UPDATE queue SET priority = ? WHERE seq = ?", (priority, seq))

    def count_attempt(self, seq: int) -> None:
        """Count one failed attempt."""
        self._db.execute("UPDATE queue SET attempts = attempts + 1 WHERE seq = ?", (seq,))

    def move(self, seq: int, lane: int) -> None:
        """Move an entry to another lane."""
        self._db.execute("UPDATE queue SET lane = ? WHERE seq = ?", (lane, seq))

    def remove(self, seq: int) -> None:
        """Remove an entry that is done."""
        self._db.execute("DELETE FROM queue WHERE seq = ?", (seq,))
