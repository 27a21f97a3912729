"""What an operator does with a crawl in Redis, while its workers run or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import redis

from crawler_project.core.errors import StateError
from crawler_project.core.values import Entry, FrontierStatus
from crawler_project.frontier.overview import Overview
from crawler_project.frontier.redis_cluster import client_for
from crawler_project.frontier.redis_crawl import RedisCrawl, as_float, as_text, prefix_of
from crawler_project.frontier.redis_dead_letters import DeadLetter, RedisDeadLetters
from crawler_project.frontier.redis_entries import decode_entry
from crawler_project.frontier.redis_scripts import explained_redis_errors
from crawler_project.frontier.redis_search import find_in_redis
from crawler_project.frontier.whereabouts import UNKNOWN, Whereabouts

SHARDS = "shards"
"""Name of the number of shards in a crawl's identity; not there: one."""
_BACKING_OFF = 60.0


class NextUrl(NamedTuple):
    """The best URL of a host."""

    entry: Entry
    precedence: float
    ready_at: float | None
    """Unix time; ``None``: it can be leased now."""


class RedisOperator:
    """All shards of one crawl.

    Args:
        client: of redis-py, that gives bytes.
        name: of the crawl.

    Raises:
        StateError: there is no such crawl, or it has another layout or is damaged.
    """

    def __init__(self, client: redis.Redis, name: str) -> None:
        first = _find(client, name, 0)
        self._identity = first.identity()
        count = _shards(name, self._identity)
        self.shards = [first, *(_find(client, name, shard) for shard in range(1, count))]
        self._client = first.client
        self._name = name

    def overview(self, now: float) -> Overview:
        """The crawl at a glance; ``now`` in the time of the server."""
        totals = [shard.totals() for shard in self.shards]
        answers = [shard.scripts.call("status", (now,)) for shard in self.shards]
        workers, oldest = self._leases()
        with explained_redis_errors():
            memory: Any = self._client.info("memory")
        return Overview(
            name=self._name,
            identity={key: value for key, value in self._identity.items() if key != SHARDS},
            status=FrontierStatus(*(sum(column) for column in zip(*(answer[:6] for answer in answers), strict=True))),
            pages=sum(one.pages for one in totals),
            target_pages=sum(one.target_pages for one in totals),
            is_paused=any(one.is_paused for one in totals),
            leased_by_worker=workers,
            oldest_lease=max(0.0, now - oldest) if oldest is not None else None,
            backing_off=sum(self._count_backing_off(shard, now) for shard in self.shards),
            memory=int(memory["used_memory"]),
            memory_limit=int(memory.get("maxmemory", 0)),
            shards=len(self.shards),
        )

    def server_time(self) -> float:
        """Unix time of the server."""
        with explained_redis_errors():
            seconds, microseconds = self._client.time()
        return float(seconds + microseconds / 1e6)

    def pause(self, *, is_paused: bool) -> bool:
        """Let no worker lease anything, or go on; whether that is a change. What is leased may be finished."""
        changes: list[int] = [shard.scripts.call("pause", (int(is_paused),)) for shard in self.shards]
        return sum(changes) > 0

    def peek(self, limit: int) -> list[NextUrl]:
        """The URLs that would be leased next, best first: one a host, at most 100; then those of resting hosts."""
        found = [_next_url(fields) for shard in self.shards for fields in shard.scripts.call("peek", (limit,))]
        if len(self.shards) > 1:
            found.sort(key=_place)
        return found[:limit]

    def find(self, url: str, host: str) -> Whereabouts:
        """What has become of a canonical URL of ``host``; nothing is changed."""
        for shard in self.shards:
            found = find_in_redis(shard.scripts, url, host)
            if found.state != UNKNOWN:
                return found
        return Whereabouts(UNKNOWN)

    def dead_letters(self) -> Iterator[DeadLetter]:
        """URLs that failed too often, with all reasons; first discovered first."""
        for shard in self.shards:
            yield from RedisDeadLetters(shard).letters()

    def requeue(self, is_wanted: Callable[[DeadLetter], bool]) -> int:
        """Queue dead URLs again in their old places; how many. Those of discarded hosts stay dead."""
        count = 0
        for shard in self.shards:
            letters = RedisDeadLetters(shard)
            count += letters.requeue([letter for letter in letters.letters() if is_wanted(letter)])
        return count

    def drop_host(self, host: str) -> int | None:
        """Discard a host; how many URLs were dropped, or ``None`` if it is not known or was discarded before."""
        dropped = [shard.scripts.call("discard", (host.encode("utf-8", "replace"),)) for shard in self.shards]
        return max(dropped) if max(dropped) >= 0 else None

    def _leases(self) -> tuple[Counter[str], float | None]:
        workers: Counter[str] = Counter()
        starts: list[float] = []
        for shard in self.shards:
            for lease in self._values(shard, "l"):
                parts = lease.split(b" ", 4)
                if len(parts) != 5:
                    raise StateError(f"the frontier in Redis is damaged: {shard.key('l')} holds {lease!r}")
                workers[as_text(parts[1])] += 1
                starts.append(as_float(parts[3], shard.key("l")))
        return workers, min(starts, default=None)

    @staticmethod
    def _values(shard: RedisCrawl, kind: str) -> Iterable[bytes]:
        with explained_redis_errors():
            return [value for _, value in shard.client.hscan_iter(shard.key(kind), count=500)]

    @staticmethod
    def _count_backing_off(shard: RedisCrawl, now: float) -> int:
        with explained_redis_errors():
            count: Any = shard.client.zcount(shard.key("rest"), now + _BACKING_OFF, "+inf")
        return int(count)


def _find(client: redis.Redis, name: str, shard: int) -> RedisCrawl:
    return RedisCrawl.find(client_for(client, prefix_of(name, shard)), name, shard)


def _place(url: NextUrl) -> tuple[bool, float, float]:
    if url.ready_at is None:
        return False, url.precedence, url.entry.priority
    return True, url.ready_at, 0.0


def _next_url(fields: Sequence[bytes]) -> NextUrl:
    host, ready_at, precedence, priority, header, record = fields
    name = as_text(host)
    where = f"host {name!r}"
    entry = decode_entry(name, as_float(priority, where), header, record)
    return NextUrl(entry, as_float(precedence, where), as_float(ready_at, where) if ready_at else None)


def _shards(name: str, identity: dict[str, Any]) -> int:
    count = str(identity.get(SHARDS, "1"))
    if not count.isdecimal() or not 1 <= int(count) <= 16384:
        raise StateError(f"crawl {name!r} in Redis is damaged: it has {count!r} shards")
    return int(count)
