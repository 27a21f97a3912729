"""The numbers of a crawl that are kept in memory and saved with every checkpoint."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass, fields

from crawler_project.core.errors import StateError


@dataclass(slots=True)
class Tally:
    """Counters of one frontier; counting rows instead would take seconds at 10 million URLs."""

    next_seq: int = 1
    next_lane: int = 1
    queued: int = 0
    """URLs that wait, without the leased ones."""
    seen: int = 0
    dead: int = 0
    worst_priority: float = float("-inf")
    """No queued URL has a worse priority: what is not better than this cannot improve anything."""
    worst_distance: int = 0

    def not_worse_than(self, priority: float, distance: int) -> None:
        """Note the worst of what is queued now; NaN is passed over."""
        self.worst_priority, self.worst_distance = max((self.worst_priority, self.worst_distance), (priority, distance))

    @classmethod
    def load(cls, connection: sqlite3.Connection) -> Tally:
        """Read the numbers of the latest checkpoint; those of an empty frontier when there is none.

        Raises:
            StateError: some are there and some are not.
        """
        stored = dict(connection.execute("SELECT key, value FROM meta WHERE key LIKE 'tally.%'"))
        names = [field.name for field in fields(cls)]
        if not stored:
            return cls()
        if stored.keys() != {f"tally.{name}" for name in names}:
            raise StateError("the frontier's counters are incomplete: its database is damaged; delete it to start anew")
        return cls(**{name: stored[f"tally.{name}"] for name in names})

    def save(self, connection: sqlite3.Connection) -> None:
        rows = ((f"tally.{name}", value) for name, value in asdict(self).items())
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
