"""What the hosts' robots.txt files said, in Redis for all workers, and a cache of it."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from typing import Any

from crawler_project.core.errors import StateError
from crawler_project.core.values import HostRules
from crawler_project.frontier.politeness import Politeness
from crawler_project.frontier.redis_crawl import RedisCrawl, as_whole
from crawler_project.frontier.redis_lease_book import RedisLeaseBook
from crawler_project.frontier.redis_scripts import explained_redis_errors

_SECONDS = 8 * 86_400
_CACHED = 10_000


class RedisRules:
    """Rules by host. A host that is held brings the version of its rules with it: no round trip for known ones."""

    def __init__(self, crawl: RedisCrawl, politeness: Politeness, book: RedisLeaseBook) -> None:
        self._crawl = crawl
        self._politeness = politeness
        self._book = book
        self._cache: OrderedDict[str, tuple[int, HostRules]] = OrderedDict()

    def get(self, host: str) -> HostRules | None:
        """Rules as they were set by any worker; ``None`` when none were."""
        held, cached = self._book.host(host), self._cache.get(host)
        if held is not None and held.rules_version == 0:
            return None
        if held is not None and cached is not None and cached[0] == held.rules_version:
            self._cache.move_to_end(host)
            return cached[1]
        with explained_redis_errors():
            pipeline = self._crawl.client.pipeline(transaction=True)
            pipeline.hmget(self._crawl.key(f"t:{host}"), ["robots", "expires", "delay"])
            pipeline.hget(self._crawl.key(f"h:{host}"), "v")
            (robots, expires, delay), version = pipeline.execute()
        if expires is None:
            return None
        rules = _read(host, robots, expires, delay)
        self._remember(host, as_whole(version or b"0", self._crawl.key(f"h:{host}")), rules)
        return rules

    def set(self, host: str, rules: HostRules) -> None:
        """Replace a host's rules; they are kept for eight days."""
        key, host_key = self._crawl.key(f"t:{host}"), self._crawl.key(f"h:{host}")
        fields: dict[Any, Any] = {
            "robots": zlib.compress(rules.robots.encode("utf-8", "surrogatepass")),
            "expires": repr(rules.expires),
            "delay": "" if rules.delay is None else repr(rules.delay),
        }
        delay = self._politeness.bounded_delay(rules.delay)
        with explained_redis_errors():
            pipeline = self._crawl.client.pipeline(transaction=True)
            pipeline.hset(key, mapping=fields)
            pipeline.expire(key, _SECONDS)
            if delay is None:
                pipeline.hdel(host_key, "d")
            else:
                pipeline.hset(host_key, "d", repr(float(delay)))
            pipeline.hincrby(host_key, "v", 1)
            version: int = pipeline.execute()[-1]
        self._remember(host, version, rules)

    def _remember(self, host: str, version: int, rules: HostRules) -> None:
        self._cache[host] = version, rules
        self._cache.move_to_end(host)
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        held = self._book.host(host)
        if held is not None:
            held.rules_version = version


def _read(host: str, robots: bytes, expires: bytes, delay: bytes) -> HostRules:
    try:
        text = zlib.decompress(robots).decode("utf-8", "surrogatepass")
        return HostRules(text, float(expires), float(delay) if delay else None)
    except (zlib.error, ValueError, TypeError) as error:
        raise StateError(f"the stored robots.txt of {host!r} is damaged ({error})") from error
