"""A progress line while the crawl runs, a summary and the next step at its end."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Self, TextIO

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from crawler_project.core.errors import StateError
from crawler_project.core.metrics import harvest_rate
from crawler_project.core.seams import SharedFrontier
from crawler_project.core.values import FrontierStatus

if TYPE_CHECKING:
    from crawler_project.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

_TERMINAL_INTERVAL = 0.5


class Progress:
    """Show pages, harvest rate, speed and queue: in place on a terminal, else as log lines."""

    def __init__(self, crawler: Crawler, *, interval: float, stream: TextIO = sys.stderr) -> None:
        self._crawler = crawler
        self._stream = stream
        self._in_place = stream.isatty()
        self._interval = _TERMINAL_INTERVAL if self._in_place else interval

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler, interval=crawler.settings.getfloat("PROGRESS_INTERVAL"))
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._spider: FocusedSpider = spider  # type: ignore[assignment]
        self._start = time.monotonic()
        self._pages_before = self._spider.page_count
        self._say_start()
        self._loop = create_looping_call(self._show)
        self._loop.start(max(self._interval, 0.05), now=False)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        self._loop.stop()
        if self._in_place:
            self._stream.write("\r\x1b[K")
        logger.info("%s", self._summary(reason))

    def _say_start(self) -> None:
        plan = self._spider.plan
        if not plan.has_contact:
            logger.warning(
                "No contact is set, so each host is asked at half the speed (every %g s); "
                "set it with -s CRAWLER_CONTACT=https://example.org/crawler or a mail address",
                plan.delay,
            )
        logger.info(
            "Crawling for pages %s with strategy %r from %s seeds into %s",
            plan.wanted,
            plan.strategy.name,
            f"{len(plan.seeds):,}",
            plan.output,
        )
        if self._spider.shared:
            self._say_shared(self._spider.shared)

    def _say_shared(self, frontier: SharedFrontier) -> None:
        plan = self._spider.plan
        for warning in frontier.warnings:
            logger.warning("%s", warning)
        logger.info("Worker %s of crawl %r in Redis", self._spider.worker, plan.crawl)

    def _show(self) -> None:
        try:
            line = self.line(self._spider.frontier.status(time.time()), time.monotonic() - self._start)
        except StateError:  # the scheduler says so
            return
        if self._in_place:
            self._stream.write(f"\r\x1b[K{line}")
            self._stream.flush()
        else:
            logger.info("%s", line)

    def line(self, status: FrontierStatus, elapsed: float) -> str:
        """``412 pages, 388 in ko (94.2 %), 35.1 pages/s, 1,204 queued, hosts 3 ready 9 waiting, 17 s left``."""
        pages, target = self._counts()
        speed = (pages - self._pages_before) / elapsed if elapsed > 0 else 0.0
        parts = [
            f"{pages:,} pages",
            f"{target:,} {self._spider.plan.wanted} ({100 * harvest_rate(target, pages):.1f} %)",
            f"{speed:.1f} pages/s",
            f"{status.queued:,} queued",
            f"hosts {status.hosts_ready:,} ready {status.hosts_waiting:,} waiting",
        ]
        if self._spider.plan.budget is not None and speed > 0 and not self._spider.shared:
            parts.append(f"{_duration(self._spider.pages_left() / speed)} left")
        return ", ".join(parts)

    def _counts(self) -> tuple[int, int]:
        stats = self._crawler.stats
        return stats.get_value("focus/page_count", 0), stats.get_value("focus/target_page_count", 0)

    def _summary(self, reason: str) -> str:
        pages, target = self._counts()
        stats, plan = self._crawler.stats, self._spider.plan
        seconds = time.monotonic() - self._start
        rows = [
            ("pages", f"{pages:,}"),
            *([("of all workers", total)] if (total := self._pages_of_all()) else []),
            (plan.wanted, f"{target:,} (harvest rate {100 * harvest_rate(target, pages):.1f} %)"),
            ("links kept", f"{self._sum('focus/kept_count/'):,} of {stats.get_value('focus/link_count', 0):,} links"),
            ("not fetched", f"{self._sum('fetch/refused_count/'):,} (robots.txt and limits)"),
            (
                "fetched in vain",
                f"{self._sum('fetch/gone_count/'):,} of no use, {self._sum('fetch/failed_count/'):,} failures",
            ),
            (
                "bytes",
                f"{stats.get_value('fetch/bytes', 0):,}, off target {stats.get_value('fetch/wasted_bytes', 0):,}",
            ),
            ("time", f"{_duration(seconds)}, {(pages - self._pages_before) / seconds if seconds else 0:.1f} pages/s"),
        ]
        width = max(len(name) for name, _ in rows)
        table = "\n".join(f"  {name:<{width}}  {value}" for name, value in rows)
        return f"Crawl ended ({reason}).\n{table}\n{self._next_step(reason)}"

    def _next_step(self, reason: str) -> str:
        plan = self._spider.plan
        is_empty = not self._counts()[0] and self._pages_of_all() in ("", "0")
        steps = [] if is_empty else [f"Next: scrapy report {plan.output}"]
        if reason in ("shutdown", "pages") or self._is_budget_spent():
            if plan.job or plan.crawl:
                steps.append("To go on, run the same command again (with more pages=N, if that was the end).")
            else:
                steps.append("This crawl cannot be continued; start the next one with -s JOBDIR=FOLDER to be able to.")
        if is_empty:
            steps.insert(0, "No page was stored: look at the refusals and failures in crawl.json (stats fetch/…).")
        return "\n".join(steps)

    def _is_budget_spent(self) -> bool:
        try:
            return self._spider.pages_left() <= 0
        except StateError:
            return False

    def _pages_of_all(self) -> str:
        """What all workers of a shared crawl have stored."""
        if not self._spider.shared:
            return ""
        try:
            return f"{self._spider.shared.pages().pages:,}"
        except StateError:
            return "unknown, the frontier is away"

    def _sum(self, prefix: str) -> int:
        return sum(value for key, value in self._crawler.stats.get_stats().items() if key.startswith(prefix))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
