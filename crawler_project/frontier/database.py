"""One SQLite connection as a frontier needs it: exclusive, in one long transaction, checked when opened."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.frontier.schema import APPLICATION_ID, LAYOUT, TABLES

CHECKED_BYTES = 256 << 20
"""A larger file is not read through when it is opened (3 s per GB); damage then shows when it is met."""
_LEAST_CACHE = 1 << 20
_WAL_PAGES = 10_000
"""40 MB of log before it is copied into the file: fewer copies of pages that many checkpoints touch."""

SqlValue = str | int | float | None


def open_database(path: Path | None, identity: Mapping[str, str] | None, cache_bytes: int) -> sqlite3.Connection:
    """Open or make the database of a frontier and begin its transaction.

    Args:
        path: the file; ``None`` for a private temporary one that nobody else can open.
        identity: what the crawl is; a file of another identity is refused. ``None``: whatever it is, but it must be there.
        cache_bytes: size of the page cache.

    Raises:
        ConfigurationError: a cache of less than 1 MB.
        StateError: the file belongs to another crawl, another program or another process, or is damaged.
    """
    if cache_bytes < _LEAST_CACHE:
        raise ConfigurationError(
            f"cache_bytes={cache_bytes!r} is out of range; use a number of at least {_LEAST_CACHE}"
        )
    with explained_errors(path):
        connection = sqlite3.connect(path or "", timeout=0, isolation_level=None, cached_statements=512)
        try:
            _set_up(connection, path is not None, cache_bytes)
            connection.execute("BEGIN IMMEDIATE")
            if identity is not None and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                _make_tables(connection, identity)
            else:
                _check(connection, path, identity)
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def explained_errors(path: Path | None) -> Iterator[None]:
    """Turn SQLite's errors into a :class:`StateError` that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise state_error(path, error) from error


def execute(connection: sqlite3.Connection, sql: str, values: Sequence[SqlValue]) -> sqlite3.Cursor:
    """Run one statement; text that is not valid Unicode (lone surrogates) is stored with ``?`` instead."""
    try:
        return connection.execute(sql, values)
    except UnicodeEncodeError:
        return connection.execute(sql, [clean(value) if isinstance(value, str) else value for value in values])


def clean(text: str) -> str:
    """Replace lone surrogates by ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _set_up(connection: sqlite3.Connection, durable: bool, cache_bytes: int) -> None:
    connection.execute(f"PRAGMA cache_size = -{cache_bytes // 1024}")
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    if durable:
        # WAL with NORMAL: SIGKILL loses nothing that was committed; a power cut may take the latest
        # checkpoints, never half of one.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit = {_WAL_PAGES * 4096}")
    else:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")


def _make_tables(connection: sqlite3.Connection, identity: Mapping[str, str]) -> None:
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {LAYOUT}")
    stored = json.dumps(dict(identity), sort_keys=True)
    connection.execute("INSERT INTO meta VALUES ('identity', ?)", (stored,))


def _check(connection: sqlite3.Connection, path: Path | None, identity: Mapping[str, str] | None) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StateError(f"{path} is not a frontier of this project; name another JOBDIR")
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if layout != LAYOUT:
        raise StateError(
            f"{path} has layout {layout}, this version reads layout {LAYOUT}; use another JOBDIR, or delete the file"
        )
    _check_pages(connection, path)
    if identity is not None:
        _check_identity(connection, path, identity)


def _check_pages(connection: sqlite3.Connection, path: Path | None) -> None:
    size = connection.execute("PRAGMA page_count").fetchone()[0] * connection.execute("PRAGMA page_size").fetchone()[0]
    if size > CHECKED_BYTES:
        return
    finding = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if finding != "ok":
        raise StateError(_damaged(path, finding))


def _check_identity(connection: sqlite3.Connection, path: Path | None, identity: Mapping[str, str]) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
    if row is None:
        raise StateError(_damaged(path, "its identity is missing"))
    stored = json.loads(row[0])
    differences = [
        f"{key} is {stored.get(key, 'not set')!r} there and {identity.get(key, 'not set')!r} here"
        for key in sorted({*stored, *identity})
        if stored.get(key) != identity.get(key)
    ]
    if differences:
        raise StateError(
            f"{path} belongs to another crawl: {'; '.join(differences)}. Use another JOBDIR, or delete this one to start anew"
        )


def state_error(path: Path | None, error: sqlite3.Error) -> StateError:
    """Say what an error of SQLite means for the crawl, and what to do."""
    return StateError(_explain(path, error))


def _explain(path: Path | None, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    where = path or "the temporary frontier database"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{where} is in use by another process; wait for it to end, or use another JOBDIR"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return _damaged(path, str(error))
    if name.startswith("SQLITE_CANTOPEN"):
        return f"{where} cannot be opened; check that its folder exists and is writable"
    if name.startswith("SQLITE_FULL"):
        return f"{where} cannot grow: the disk is full; make room and start again from the latest checkpoint"
    return f"{where} cannot be used: {error}"


def _damaged(path: Path | None, finding: str) -> str:
    where = path or "the temporary frontier database"
    return f"{where} is damaged ({' '.join(finding.split())}); put back a copy, or delete it to start the crawl anew"
