"""Discarding a host in one step, and clearing up behind it."""

from __future__ import annotations

import sqlite3

from crawler_project.core.urls import url_hash
from crawler_project.frontier.short_url import restore_url

_COLLECTED = 128
"""Rows that one commit removes: more than it usually adds, so that they cannot pile up."""


class DroppedLanes:
    """Lanes that no host has any more: their rows count for nothing and are removed a few at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._has_rows = connection.execute("SELECT 1 FROM garbage LIMIT 1").fetchone() is not None

    def add(self, lane: int, host: str) -> None:
        """Give a host's lane up, whatever its length."""
        self._db.execute("INSERT INTO garbage VALUES (?, ?)", (lane, host))
        self._has_rows = True

    def drop(self, seq: int, url: str) -> None:
        """Remove one entry so that its URL may be queued again, with its old seq (R4)."""
        self._db.execute("UPDATE seen SET seq = ? WHERE hash = ?", (-seq, url_hash(url)))
        self._db.execute("DELETE FROM queue WHERE seq = ?", (seq,))

    def collect(self) -> None:
        """Remove some rows, if there are any."""
        if not self._has_rows:
            return
        lane = self._db.execute("SELECT lane, host FROM garbage LIMIT 1").fetchone()
        if lane is None:
            self._has_rows = False
            return
        rows = self._db.execute("SELECT seq, path FROM queue WHERE lane = ? LIMIT ?", (lane[0], _COLLECTED)).fetchall()
        for seq, path in rows:
            self.drop(seq, restore_url(path, lane[1]))
        if len(rows) < _COLLECTED:
            self._db.execute("DELETE FROM garbage WHERE lane = ?", (lane[0],))
