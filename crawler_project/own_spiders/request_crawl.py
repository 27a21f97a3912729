"""A crawl of somebody else's spider in Redis: opened by the settings of scrapy-redis, kept alive, put away."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import TypeVar

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import create_looping_call

from crawler_project import settings as defaults
from crawler_project.core.errors import CrawlerProjectError, StateError
from crawler_project.core.seams import SharedFrontier
from crawler_project.crawling.lease_keeper import LeaseKeeper
from crawler_project.crawling.patience import Patience
from crawler_project.crawling.shared_crawl import connect, new_worker_name
from crawler_project.crawling.shared_servers import SharedServers, limit_of
from crawler_project.frontier.redis_members import RedisMembers
from crawler_project.frontier.redis_server import check_server, raw_client
from crawler_project.own_spiders.leased_requests import LeasedRequests
from crawler_project.own_spiders.request_fates import RequestFates
from crawler_project.own_spiders.stored_requests import StoredRequests

logger = logging.getLogger(__name__)

LONGEST_WAIT = 0.25
"""Seconds until the frontier is asked again when nothing is ready: other workers may find links at any moment."""
_Answer = TypeVar("_Answer")


class RequestCrawl:
    """All that a scheduler, or a queue, of requests needs of Redis.

    Args:
        name: of the crawl.
        repeats: queue every request, whatever was queued before.
    """

    def __init__(self, crawler: Crawler, spider: Spider, name: str, *, repeats: bool = False) -> None:
        self.name = name
        self._crawler, self._spider, self._repeats = crawler, spider, repeats
        self._settings = crawler.settings
        self._client = raw_client(connect(self._settings))
        self._worker = new_worker_name()
        self._lease_seconds = _number(self._settings, "FRONTIER_LEASE")
        self._fates = RequestFates(crawler, _number(self._settings, "FRONTIER_RETRY_DELAY"))
        self.patience = Patience(crawler)

    def open(self, *, anew: bool = False) -> int:
        """Make or join the crawl; how many requests it has queued.

        Args:
            anew: forget what is there of an earlier crawl, unless others are at work on it.

        Raises:
            CrawlerProjectError: there is no fit server, or the crawl of this name is another one.
        """
        self._members = RedisMembers(self._client, self.name, self._worker, self._lease_seconds)
        check_server(self._client)
        self._members.come()  # first, so that no worker that ends takes itself for the last one
        try:
            self._frontier = self._open_frontier()
        except CrawlerProjectError:
            self._members.leave()
            raise
        if anew and self._members.others():
            logger.warning("Crawl %s is not flushed: other workers are at work on it.", self.name)
        elif anew:
            self._delete()
            self._frontier = self._open_frontier()
        if self._members.is_gone():  # one that ended at that moment has removed it
            self._frontier = self._open_frontier()
        self._members.come()
        for warning in self._frontier.warnings:
            logger.warning("%s", warning)
        self._start()
        return self._frontier.status(0.0).queued

    def ask(self, question: Callable[[], _Answer], *, unknown: _Answer) -> _Answer:
        """Ask the frontier; ``unknown`` while it is away."""
        return self.patience.ask(question, unknown=unknown)

    def next_request(self) -> Request | None:
        """The next request; when there is none now, the engine will be woken up to ask again."""
        return self.ask(self._next_request, unknown=None)

    def size(self, *, with_leases: bool) -> int:
        """Requests that are queued, and perhaps those that any worker is at work on."""
        status = self._frontier.status(0.0)
        return status.queued + (status.leased if with_leases else 0)

    def is_finished(self) -> bool:
        """Nothing is queued and no worker is at work."""
        return self._frontier.is_finished()

    def close(self, *, keep: bool) -> None:
        """Give back what is not done; without ``keep`` the last worker removes the crawl."""
        self._stop()
        try:
            if not self._members.is_gone():
                self.requests.give_back()
                if self._members.leave() == 0 and not keep:
                    self._delete()
        except StateError as error:
            held = len(self.requests.held())
            logger.warning("%s. %d leased requests go back to the queue when their leases expire.", error, held)
        self._frontier.close()
        self._client.close()

    def clear(self) -> None:
        """Remove the crawl and begin it anew; not while others are at work on it."""
        if self._members.others():
            logger.warning("Crawl %s is not cleared: other workers are at work on it.", self.name)
            return
        self._stop()
        self._delete()
        self._frontier.close()
        self._frontier = self._open_frontier()
        self._members.come()
        self._start()

    def _next_request(self) -> Request | None:
        request = self.requests.next_request()
        if request is None:
            wait = self.requests.wait()
            self.patience.wake_up_in(LONGEST_WAIT if wait is None else min(max(wait, 0.02), LONGEST_WAIT))
        return request

    def _start(self) -> None:
        stored = StoredRequests(self._crawler, self._spider, repeats=self._repeats)
        most = self._settings.getint("CONCURRENT_REQUESTS")
        self._servers = SharedServers.from_settings(self._settings, self.patience.look_again)
        self.requests = LeasedRequests(
            self._crawler, self._frontier, stored, self._fates, most_leases=most, servers=self._servers
        )
        guarded = self.patience.guarded
        self._keeper = LeaseKeeper(self._frontier, self.requests.held, self.requests.drop_lost, guarded)
        self._keeper.start()
        self.patience.renew = self._keeper.renew
        self.patience.is_gone = self._members.is_gone
        self._heartbeat = create_looping_call(lambda: guarded(self._members.come))
        self._heartbeat.start(self._lease_seconds / 3, now=False)

    def _stop(self) -> None:
        self.patience.cancel()
        self._keeper.stop()
        if self._servers is not None:
            self._servers.close()
        if self._heartbeat.running:
            self._heartbeat.stop()

    def _open_frontier(self) -> SharedFrontier:
        from crawler_project.frontier.sharded_frontier import open_frontier

        settings = self._settings
        limit = limit_of(settings)
        return open_frontier(
            connect(settings),
            self.name,
            shards=settings.getint("FRONTIER_SHARDS", defaults.FRONTIER_SHARDS),
            identity={"spider": self._spider.name, "holds": "requests", **({"limit_by": limit} if limit else {})},
            worker=self._worker,
            delay=_number(settings, "FRONTIER_DELAY", settings.getfloat("DOWNLOAD_DELAY")),
            retry_delay=_number(settings, "FRONTIER_RETRY_DELAY"),
            max_delay=_number(settings, "FRONTIER_MAX_DELAY"),
            # Scrapy's RetryMiddleware has tried often enough
            max_attempts=settings.getint("FRONTIER_MAX_ATTEMPTS", 1),
            best_priority=math.inf,  # a request that comes again is dropped, whatever its priority
            lease_seconds=self._lease_seconds,
            server_time=True,
        )

    def _delete(self) -> None:
        from crawler_project.frontier.redis_operator import RedisOperator
        from crawler_project.frontier.redis_transfer import delete_crawl

        delete_crawl(RedisOperator(self._client, self.name).shards)


def crawl_name_of(settings: BaseSettings, spider: Spider, key: str = "") -> str:
    """The crawl's name: FRONTIER_CRAWL, else ``key`` or SCHEDULER_QUEUE_KEY if it is set, else the spider's name."""
    template = str(settings.get("FRONTIER_CRAWL") or key or settings.get("SCHEDULER_QUEUE_KEY") or "%(spider)s")
    return template % {"spider": spider.name, "name": spider.name}


def _number(settings: BaseSettings, name: str, default: float | None = None) -> float:
    return settings.getfloat(name, float(getattr(defaults, name)) if default is None else default)
