"""What the hosts' robots.txt files said."""

from __future__ import annotations

import sqlite3

from crawler_project.core.urls import url_hash
from crawler_project.core.values import HostRules
from crawler_project.frontier.database import execute


class RulesStore:
    """Rules by host, on disk only: a robots.txt may have 500 KB."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def get(self, host: str) -> HostRules | None:
        """Rules as they were set; ``None`` when none were."""
        row = self._db.execute("SELECT robots, expires, delay FROM rules WHERE host = ?", (url_hash(host),)).fetchone()
        return HostRules(*row) if row else None

    def set(self, host: str, rules: HostRules) -> None:
        """Replace a host's rules."""
        values = url_hash(host), rules.robots, rules.expires, rules.delay
        execute(self._db, "INSERT OR REPLACE INTO rules(host, robots, expires, delay) VALUES (?, ?, ?, ?)", values)
