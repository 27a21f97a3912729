"""Clearing up behind discarded hosts in Redis."""

from __future__ import annotations

from crawler_project.core.urls import url_hash
from crawler_project.frontier.redis_crawl import RedisCrawl, as_text
from crawler_project.frontier.redis_entries import Argument, decode_entry

_AT_ONCE = 200


class RedisDropped:
    """What was dropped with its host and is still in Redis."""

    def __init__(self, crawl: RedisCrawl) -> None:
        self._scripts = crawl.scripts

    def sweep(self, host: str, limit: int) -> int:
        """Clear up behind ``host`` (empty: behind any) in at most ``limit`` steps of 200 URLs; how many were done."""
        swept = 0
        for _ in range(limit):
            dropped = self._scripts.call("dropped", (host, _AT_ONCE))
            if not dropped:
                break
            swept += 1
            id_, kind, name, count, first, last, records = dropped
            arguments: list[Argument] = [id_, kind, name, count, first, last]
            for rid, seq, header, record in records:
                entry = decode_entry(as_text(name), 0.0, header, record)
                arguments += (rid, seq, str(url_hash(entry.url)))
            self._scripts.call("sweep", arguments)
        return swept
