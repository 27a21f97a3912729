"""How many pages, and target pages, a host or a directory has given (Tamura's Na and Nr)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from crawler_project.core.urls import url_hash
from crawler_project.core.values import NO_COUNTS, Counts
from crawler_project.frontier.host import Host
from crawler_project.frontier.host_table import HostTable

_ADD = (
    "INSERT INTO directory(hash, pages, target_pages) VALUES (?1, 1, ?2) "
    "ON CONFLICT(hash) DO UPDATE SET pages = pages + 1, target_pages = target_pages + ?2"
)


class DownloadCounts:
    """Counts of hosts stand with the hosts; those of directories in a table of their own, by hash of the key."""

    def __init__(self, connection: sqlite3.Connection, hosts: HostTable) -> None:
        self._db = connection
        self._hosts = hosts

    def add(self, host: Host, directory: str, is_target: bool) -> None:
        """Count one page; ``host`` is changed, not saved."""
        host.pages += 1
        host.target_pages += is_target
        host.is_moved = True
        if directory:
            self._db.execute(_ADD, (url_hash(directory), int(is_target)))

    def of(self, units: Sequence[str]) -> list[Counts]:
        """Counts in the order asked; a unit with a ``/`` is a directory."""
        hosts = [unit for unit in units if "/" not in unit]
        counts = dict(zip(hosts, self._hosts.counts(hosts), strict=True)) if hosts else {}
        return [counts[unit] if unit in counts else self._directory(unit) for unit in units]

    def _directory(self, key: str) -> Counts:
        row = self._db.execute("SELECT pages, target_pages FROM directory WHERE hash = ?", (url_hash(key),)).fetchone()
        return Counts(*row) if row else NO_COUNTS
