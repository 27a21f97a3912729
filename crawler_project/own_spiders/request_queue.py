"""``SCHEDULER_QUEUE_CLASS`` for scrapy-redis' own scheduler: requests are leased instead of popped."""

from __future__ import annotations

from typing import Any

from scrapy import Request, Spider, signals

from crawler_project.own_spiders.request_crawl import RequestCrawl


class LeaseQueue:
    """A queue of scrapy-redis whose requests come back when the worker that took them dies.

    For ``SCHEDULER_QUEUE_CLASS = "crawler_project.own_spiders.request_queue.LeaseQueue"``. :class:`RequestScheduler` does more:
    here the seen-set stays scrapy-redis' own, apart from the queue, so that a worker that is killed between the two
    loses a request, and each link costs two round trips.

    Args:
        server: scrapy-redis' client; not used, a client by the same settings is.
        spider: has its crawler already.
        key: SCHEDULER_QUEUE_KEY with the spider's name; the crawl's name.
        serializer: not used; requests are stored as JSON.
    """

    def __init__(self, server: Any, spider: Spider, key: str, serializer: Any = None) -> None:
        self._crawl = RequestCrawl(spider.crawler, spider, key % {"spider": spider.name}, repeats=True)
        self._persist = spider.crawler.settings.getbool("SCHEDULER_PERSIST")
        self._crawl.open()
        spider.crawler.signals.connect(self._close, signal=signals.spider_closed)

    def __len__(self) -> int:
        """Requests that are queued or leased to any worker; 1 while Redis is away: it is not known."""
        return self._crawl.ask(self._size, unknown=1)

    def push(self, request: Request) -> None:
        """Queue a request; while Redis is away it is kept here."""
        if self._crawl.requests.put(request):
            self._crawl.patience.guarded(self._crawl.requests.send)

    def pop(self, timeout: int = 0) -> Request | None:
        """Lease a request whose host may be asked now. Never blocks, whatever ``timeout``."""
        return self._crawl.next_request()

    def clear(self) -> None:
        """Remove all requests, unless other workers are at work on them."""
        self._crawl.patience.guarded(self._crawl.clear)

    def _size(self) -> int:
        self._crawl.requests.settle_finished()
        return 0 if self._crawl.is_finished() else self._crawl.size(with_leases=True)

    def _close(self) -> None:
        self._crawl.close(keep=self._persist)
