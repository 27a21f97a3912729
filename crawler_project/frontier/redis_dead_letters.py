"""URLs in Redis that failed too often."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crawler_project.core.values import Entry
from crawler_project.frontier.redis_crawl import RedisCrawl, as_text
from crawler_project.frontier.redis_entries import Argument, decode_entry
from crawler_project.frontier.redis_scripts import explained_redis_errors

_AT_ONCE = 200


class DeadLetter(NamedTuple):
    """A URL that failed too often."""

    entry: Entry
    reasons: tuple[str, ...]
    """Of each failure, oldest first."""
    id: int


class RedisDeadLetters:
    """Dead URLs with the reasons of all their failures; they can be sent back."""

    def __init__(self, crawl: RedisCrawl) -> None:
        self._crawl = crawl

    def letters(self) -> list[DeadLetter]:
        """All of them, first discovered first."""
        found: list[tuple[float, DeadLetter]] = []
        ids = self._ids()
        for start in range(0, len(ids), _AT_ONCE):
            part = self._crawl.scripts.call("dead", ids[start : start + _AT_ONCE])
            for rid, seq, host, reasons, header, record in part:
                entry = decode_entry(as_text(host), 0.0, header, record)
                found.append((float(seq), DeadLetter(entry, tuple(as_text(reasons).split("\n")), int(rid))))
        return [letter for _, letter in sorted(found, key=lambda item: item[0])]

    def requeue(self, letters: Iterable[DeadLetter] | None) -> int:
        """Queue some (``None``: all) again in their old places; those of discarded hosts stay dead. How many were queued."""
        ids: list[Argument] = list(self._ids()) if letters is None else [letter.id for letter in letters]
        parts = [ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE)]
        return sum(self._crawl.scripts.call("requeue", part) for part in parts)

    def _ids(self) -> list[bytes]:
        with explained_redis_errors():
            return [rid for rid, _ in self._crawl.client.hscan_iter(self._crawl.key("dead"), count=_AT_ONCE)]
