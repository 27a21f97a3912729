"""Find one URL in the tables of the embedded frontier; nothing is changed."""

from __future__ import annotations

import sqlite3

from crawler_project.core.urls import url_hash
from crawler_project.core.values import Counts, Entry
from crawler_project.frontier.host import Host
from crawler_project.frontier.schema import ENTRY_COLUMNS
from crawler_project.frontier.whereabouts import DEAD, DONE, DROPPED, QUEUED, UNKNOWN, Whereabouts

_QUEUED = f"SELECT {ENTRY_COLUMNS} FROM queue WHERE seq = ? AND lane = ?"  # noqa: S608 - constants only
_DEAD = f"SELECT reason, {ENTRY_COLUMNS} FROM dead WHERE seq = ?"  # noqa: S608 - constants only


def find_url(db: sqlite3.Connection, url: str, host: Host) -> Whereabouts:
    """Look a canonical URL up by its hash."""
    seen = db.execute("SELECT seq FROM seen WHERE hash = ?", (url_hash(url),)).fetchone()
    if seen is None:
        return Whereabouts(UNKNOWN)
    counts = Counts(host.pages, host.target_pages)
    row = db.execute(_QUEUED, (seen[0], host.lane)).fetchone()
    if row is not None:
        return Whereabouts(QUEUED, Entry(url, host.name, *row), host.offset, counts=counts)
    row = db.execute(_DEAD, (seen[0],)).fetchone()
    if row is not None:
        return Whereabouts(DEAD, Entry(url, host.name, *row[1:]), host.offset, row[0], counts)
    is_dropped = seen[0] < 0 or db.execute("SELECT 1 FROM queue WHERE seq = ?", (seen[0],)).fetchone() is not None
    return Whereabouts(DROPPED if is_dropped else DONE, counts=counts)
