"""URLs that failed too often."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from crawler_project.frontier.database import execute
from crawler_project.frontier.schema import ENTRY_COLUMNS
from crawler_project.frontier.short_url import restore_url

_MOST = 1000


class DeadLetter(NamedTuple):
    """A dead URL's place, should it be queued again."""

    seq: int
    host: str
    priority: float


class DeadLetters:
    """Entries of dead URLs, kept whole so that they can be queued again."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def bury(self, seq: int, host: str, reason: str) -> None:
        """Move an entry here from the queue."""
        execute(
            self._db,
            f"INSERT INTO dead(seq, lane, path, {ENTRY_COLUMNS}, attempts, host, reason) "  # noqa: S608 - constants only
            f"SELECT seq, lane, path, {ENTRY_COLUMNS}, attempts + 1, ?, ? FROM queue WHERE seq = ?",
            (host, reason, seq),
        )
        self._db.execute("DELETE FROM queue WHERE seq = ?", (seq,))

    def reasons(self) -> list[tuple[str, str]]:
        """(URL, reason of the last failure), first discovered first."""
        rows = self._db.execute("SELECT path, host, reason FROM dead ORDER BY seq")
        return [(restore_url(path, host), reason) for path, host, reason in rows]

    def after(self, seq: int) -> list[DeadLetter]:
        """The next at most 1,000 dead URLs in the order of discovery."""
        rows = self._db.execute("SELECT seq, host, priority FROM dead WHERE seq > ? ORDER BY seq LIMIT ?", (seq, _MOST))
        return [DeadLetter(*row) for row in rows]

    def raise_up(self, places: Iterable[tuple[int, int]]) -> None:
        """Move entries back into the queue, given as (lane, seq), with no attempt counted."""
        for lane, seq in places:
            self._db.execute(
                f"INSERT INTO queue(seq, lane, path, {ENTRY_COLUMNS}) "  # noqa: S608 - constants only
                f"SELECT seq, ?, path, {ENTRY_COLUMNS} FROM dead WHERE seq = ?",
                (lane, seq),
            )
            self._db.execute("DELETE FROM dead WHERE seq = ?", (seq,))
