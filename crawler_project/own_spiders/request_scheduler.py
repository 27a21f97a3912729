"""``SCHEDULER`` for spiders of one's own that ran with scrapy-redis: leases and politeness for all workers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Self

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from crawler_project.own_spiders.request_crawl import RequestCrawl, crawl_name_of

logger = logging.getLogger(__name__)

_WITHOUT_USE = ("SCHEDULER_QUEUE_CLASS", "SCHEDULER_SERIALIZER", "SCHEDULER_DUPEFILTER_KEY")


class RequestScheduler(BaseScheduler):
    """Queue the requests of any spider in Redis and lease them to its workers.

    For ``SCHEDULER = "crawler_project.own_spiders.request_scheduler.RequestScheduler"``. The spider stays as it is: it yields requests
    with callbacks by name, ``meta``, ``cb_kwargs``, priority, ``dont_filter``, method and body. docs/migration.md
    says which settings of scrapy-redis keep their meaning.

    Args:
        persist: SCHEDULER_PERSIST; without it the last worker that ends removes queue and seen-set.
        flush_on_start: SCHEDULER_FLUSH_ON_START; not while others are at work.
        idle_before_close: SCHEDULER_IDLE_BEFORE_CLOSE, seconds that a finished crawl waits for more.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        persist: bool = False,
        flush_on_start: bool = False,
        idle_before_close: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._crawler = crawler
        self._persist = persist
        self._flush_on_start = flush_on_start
        self._idle_before_close = idle_before_close
        self._clock = clock
        self._idle_since: float | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        for name in _WITHOUT_USE:
            if settings.get(name):
                logger.info("%s has no use here (docs/migration.md)", name)
        return cls(
            crawler,
            persist=settings.getbool("SCHEDULER_PERSIST"),
            flush_on_start=settings.getbool("SCHEDULER_FLUSH_ON_START"),
            idle_before_close=settings.getfloat("SCHEDULER_IDLE_BEFORE_CLOSE"),
        )

    def open(self, spider: Spider) -> None:
        self._crawl = RequestCrawl(self._crawler, spider, crawl_name_of(self._crawler.settings, spider))
        queued = self._crawl.open(anew=self._flush_on_start)
        if queued:
            logger.info("Resuming crawl (%d requests scheduled)", queued)
        self._crawler.signals.connect(self.spider_idle, signal=signals.spider_idle)

    def close(self, reason: str) -> None:
        self._crawl.close(keep=self._persist)

    def enqueue_request(self, request: Request) -> bool:
        """Take a request; False: it cannot be stored. Whether it is a duplicate is known a moment later only."""
        requests = self._crawl.requests
        if not requests.put(request):
            return False
        if requests.is_due:
            self._crawl.patience.guarded(requests.send)
        return True

    def next_request(self) -> Request | None:
        request = self._crawl.next_request()
        if request is not None:
            self._idle_since = None
        return request

    def has_pending_requests(self) -> bool:
        """Whether there is something to fetch. Work of other workers does not count: an idle spider looks for start URLs."""
        return self._crawl.ask(self._has_more, unknown=True)

    def spider_idle(self) -> None:
        """Stay while other workers may find links, and for SCHEDULER_IDLE_BEFORE_CLOSE after that."""
        if not self._crawl.ask(self._crawl.is_finished, unknown=False):
            self._idle_since = None
            raise DontCloseSpider
        now = self._clock()
        if self._idle_since is None:
            self._idle_since = now
        if now - self._idle_since < self._idle_before_close:
            raise DontCloseSpider

    def _has_more(self) -> bool:
        self._crawl.requests.settle_finished()
        return not self._crawl.is_finished() and self._crawl.size(with_leases=False) > 0
