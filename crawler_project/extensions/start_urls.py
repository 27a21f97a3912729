"""Start URLs that somebody pushes to Redis while the crawl runs, as with scrapy-redis."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import create_looping_call

from crawler_project.core.errors import StateError
from crawler_project.core.urls import UrlParts, canonical_url
from crawler_project.core.values import Entry
from crawler_project.crawling.shared_crawl import connect, is_shared

if TYPE_CHECKING:
    import redis

    from crawler_project.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

INTERVAL = 1.0
"""Seconds between two looks at the key."""
BATCH = 500
"""Values taken at a time."""


class StartUrls:
    """Queue what is in ``lang_focused:start_urls`` (a list, set or sorted set) as seeds.

    Values are looked at, queued and only then taken away, so that none is lost when a worker dies in
    between; two workers that look at the same ones queue the same URLs.

    Args:
        key: REDIS_START_URLS_KEY, with ``%(name)s`` for the spider and ``%(crawl)s`` for the crawl.
        stays: the crawl waits for more when it is finished.
        most_idle: seconds that it waits; 0: for ever.
    """

    def __init__(
        self,
        crawler: Crawler,
        client: redis.Redis,
        key: str,
        *,
        stays: bool = False,
        most_idle: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._crawler = crawler
        self._given = self._client = client
        self._is_found = False
        self._key = key
        self._stays = stays
        self._most_idle = most_idle
        self._clock = clock
        self._busy_at = clock()
        self._complaint = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not is_shared(settings):
            raise NotConfigured  # start URLs are read from Redis only; most crawls need none, so nothing is said
        extension = cls(
            crawler,
            connect(settings),
            str(settings.get("REDIS_START_URLS_KEY") or "%(name)s:start_urls"),
            stays=settings.getbool("FRONTIER_STAY_IDLE"),
            most_idle=settings.getfloat("MAX_IDLE_TIME_BEFORE_CLOSE"),
        )
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_idle, signal=signals.spider_idle)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._spider: FocusedSpider = spider  # type: ignore[assignment]
        self._key = self._key % {"name": spider.name, "crawl": self._spider.plan.crawl}
        self._loop = create_looping_call(self.poll)
        self._loop.start(INTERVAL, now=False)

    def spider_idle(self) -> None:
        """Keep the crawl open when there was something new, or when it is to wait."""
        if self.poll():
            raise DontCloseSpider
        has_time = not self._most_idle or self._clock() - self._busy_at < self._most_idle
        if self._stays and has_time and self._spider.pages_left() > 0:
            raise DontCloseSpider

    def spider_closed(self) -> None:
        if self._loop.running:
            self._loop.stop()
        self._client.close()
        self._given.close()

    def poll(self) -> int:
        """Queue one batch; how many URLs were new. 0 while Redis is away, which the scheduler says."""
        from redis.exceptions import AskError, RedisError, ResponseError

        try:
            self._find()
            return self._poll()
        except AskError:  # the key is on another node of the cluster by now
            self._is_found = False
        except ResponseError as error:
            self._complain(f"{self._key} in Redis cannot be read as start URLs: {error}")
        except (RedisError, StateError):
            pass
        return 0

    def _find(self) -> None:
        """On a Redis Cluster, ask the node that has the key."""
        from crawler_project.frontier.redis_cluster import client_for

        if not self._is_found:
            self._client = client_for(self._given, self._key)
            self._is_found = True

    def _poll(self) -> int:
        kind = self._text(self._client.type(self._key))
        if kind == "none":
            return 0
        values, remove = self._look(kind)
        entries = [Entry(url=parts.url, host=parts.host, why="seed") for parts in self._read(values)]
        added = self._spider.frontier.add(entries).added
        remove(values)
        if values:
            self._busy_at = self._clock()
        self._crawler.stats.inc_value("seeds/added_count", added)
        return added

    def _look(self, kind: str) -> tuple[list[Any], Callable[[Iterable[Any]], object]]:
        """Up to :data:`BATCH` values, those first that scrapy-redis would take first, and how to take them away."""
        client: Any = self._client
        key = self._key
        if kind == "list":
            return client.lrange(key, 0, BATCH - 1), self._remove_from_list
        if kind == "set":
            return client.srandmember(key, BATCH), lambda values: client.srem(key, *values)
        if kind == "zset":
            return client.zrevrange(key, 0, BATCH - 1), lambda values: client.zrem(key, *values)
        self._complain(f"{key} in Redis is a {kind}; start URLs are a list, set or sorted set")
        return [], lambda _: None

    def _remove_from_list(self, values: Iterable[Any]) -> None:
        pipeline: Any = self._client.pipeline(transaction=False)
        for value in values:
            pipeline.lrem(self._key, 1, value)
        pipeline.execute()

    def _read(self, values: Iterable[Any]) -> Iterable[UrlParts]:
        """URLs as they are, or as ``url`` of a JSON object."""
        for value in values:
            text = self._text(value).strip()
            parts = canonical_url(_url_of(text))
            if parts is None:
                self._crawler.stats.inc_value("seeds/bad_count")
                logger.warning("%s in Redis: %r is no URL and is skipped", self._key, text[:200])
            else:
                yield parts

    @staticmethod
    def _text(value: Any) -> str:
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def _complain(self, text: str) -> None:
        """Say it once."""
        if text != self._complaint:
            self._complaint = text
            logger.error("%s", text)


def _url_of(text: str) -> str:
    if not text.startswith("{"):
        return text
    try:
        url = json.loads(text).get("url")
    except (ValueError, RecursionError):
        return ""
    return url if isinstance(url, str) else ""
