"""What a crawl learns is kept with its frontier, shared among its workers, and written beside its rows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from crawler_project.core.errors import ConfigurationError, FrontierAwayError
from crawler_project.core.seams import Frontier
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.adaptive_sharing import learn_from, pack_knowledge, unpack_knowledge
from crawler_project.strategies.adaptive_state import describe_state, write_state

if TYPE_CHECKING:
    from crawler_project.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

INTERVAL = 30.0
"""Seconds between two exchanges. A note has 11 KB at most: 0.4 KB/s to write, as much to read of each other worker."""
_NOTE = "learned "


def exchange(frontier: Frontier, worker: str, strategy: Adaptive, *, is_first: bool = False) -> None:
    """Tell the other workers what this one knows, and mix in what they do.

    ``is_first``: nothing is told yet, and what this worker itself knew in an earlier run is taken too.
    Notes that cannot be read are passed over; stale ones are as good as ever, only less is behind them.
    """
    model, ways = strategy.model, strategy.ways
    if not is_first:
        frontier.set_note(_NOTE + worker, pack_knowledge(model, ways))
    told = {name: unpack_knowledge(text) for name, text in sorted(frontier.notes(_NOTE).items())}
    own = told.pop(_NOTE + worker, None)
    others = [knowledge for knowledge in told.values() if knowledge is not None]
    if is_first and own is not None:
        model.mix([(own.weights, own.gradients)])
        ways.resume(own.ways)
    learn_from(model, ways, others)


class SharedLearning:
    """Exchange weights every ``INTERVAL`` seconds and at the end; ``model.json`` lies in the output folder then.

    Does nothing for strategies that do not learn.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._spider: FocusedSpider = spider  # type: ignore[assignment]
        strategy = getattr(getattr(spider, "plan", None), "strategy", None)
        self._strategy = strategy if isinstance(strategy, Adaptive) else None
        if self._strategy is None:
            return
        self._exchange(is_first=True)
        self._loop = create_looping_call(self._exchange)
        self._loop.start(INTERVAL, now=False)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        if self._strategy is None:
            return
        self._loop.stop()
        self._exchange()
        plan, worker = self._spider.plan, self._spider.worker
        name = f"model.{worker}.json" if worker else "model.json"
        about = {"target": str(plan.target), "strategy": repr(self._strategy)}
        try:
            write_state(plan.output / name, describe_state(self._strategy.model, self._strategy.ways, about))
        except ConfigurationError as error:
            logger.error("%s. What was learned is lost.", error)

    def _exchange(self, *, is_first: bool = False) -> None:
        assert self._strategy is not None
        try:
            exchange(self._spider.frontier, self._spider.worker, self._strategy, is_first=is_first)
        except FrontierAwayError:
            return  # the scheduler says so; next time will do
