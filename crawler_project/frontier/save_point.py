"""Checkpoints: when a transaction ends, and what a start after a crash has to know."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping


class SavePoint:
    """End and begin the long transaction of a frontier, and tell a crash from a proper end."""

    def __init__(self, connection: sqlite3.Connection, *, durable: bool) -> None:
        self._db = connection
        self._durable = durable
        self._saved_changes = -1
        row = connection.execute("SELECT value FROM meta WHERE key = 'is_at_rest'").fetchone()
        self.is_crashed = row is not None and not row[0]
        """The process before this one ended between checkpoints: its last fetches are unknown."""
        self._set_at_rest(False)
        self._commit()

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        """Make everything so far durable in one step."""
        self._db.execute("DELETE FROM output")
        self._db.executemany("INSERT INTO output VALUES (?, ?)", outputs.items())
        self._commit()
        self._saved_changes = self._db.total_changes

    def outputs(self) -> dict[str, int]:
        """What the latest checkpoint was given."""
        return dict(self._db.execute("SELECT name, size FROM output"))

    def close(self, *, is_at_rest: bool) -> None:
        """Close the connection; ``is_at_rest``: no fetch is under way."""
        try:
            if is_at_rest and self._durable and self._db.total_changes == self._saved_changes:
                self._set_at_rest(True)
                self._db.execute("COMMIT")
        except sqlite3.ProgrammingError:
            return  # closed before
        finally:
            self._db.close()

    def _set_at_rest(self, value: bool) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('is_at_rest', ?)", (int(value),))

    def _commit(self) -> None:
        if self._durable:
            self._db.execute("COMMIT")
            self._db.execute("BEGIN IMMEDIATE")
