"""Small texts of a crawl, kept by name: a site's verification, learned weights."""

from __future__ import annotations

import sqlite3

from crawler_project.frontier.database import clean, execute


class NoteStore:
    """Notes by name, part of the transaction like everything else."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def get(self, name: str) -> str | None:
        """The text of a note; ``None`` when there is none of this name."""
        row = execute(self._db, "SELECT text FROM note WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def beginning_with(self, prefix: str) -> dict[str, str]:
        """All notes whose name begins with ``prefix``, in the order of their names."""
        prefix = clean(prefix)
        rows = self._db.execute("SELECT name, text FROM note WHERE name >= ? ORDER BY name", (prefix,))
        found = {}
        for name, text in rows:
            if not name.startswith(prefix):
                break
            found[name] = text
        return found

    def set(self, name: str, text: str) -> None:
        """Keep a text, in place of what was there; lone surrogates become ``?``."""
        execute(self._db, "INSERT OR REPLACE INTO note VALUES (?, ?)", (name, text))
