"""Rows first, then the frontier: write a page's row, settle its lease, and make both durable together."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import _schedule_coro

from crawler_project import __version__
from crawler_project.core.errors import FrontierAwayError
from crawler_project.crawling.durable_rows import DurableRows
from crawler_project.crawling.request_meta import OUTCOME
from crawler_project.items import PageItem
from crawler_project.scheduler import LeaseScheduler

if TYPE_CHECKING:
    from crawler_project.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

FORMAT = "crawler-project-crawl/1"
UNWRITABLE = "output cannot be written"
"""The reason with which a crawl ends whose files cannot be written."""
_KEPT = ("focus/", "language/", "fetch/", "frontier/", "robots/", "seeds/", "sites/")


class CrawlOutput:
    """Write ``crawled-<language>.csv`` and ``crawl.json`` into the crawl's output folder.

    A row is written when Scrapy says ``item_scraped`` (all pipelines are through), and the lease
    is committed in the same step. A checkpoint flushes the files and then lets the frontier
    commit together with their sizes; after a crash the files are cut back to those sizes. So a
    page is in the files exactly when its URL is done.

    A worker of a shared crawl writes ``crawled-<language>.<worker>.csv`` and ``crawl.<worker>.json``. Its
    rows are made durable in groups, each before the leases of its pages are committed.
    """

    def __init__(self, crawler: Crawler, *, interval: float) -> None:
        self._crawler = crawler
        self._interval = interval
        self._failed = False
        self._started_at = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler, interval=crawler.settings.getfloat("CHECKPOINT_INTERVAL"))
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._spider: FocusedSpider = spider  # type: ignore[assignment]
        plan = self._spider.plan
        saved = {} if self._spider.shared else self._spider.frontier.outputs()
        if self._spider.shared:
            self._write_rows_first()
        for key, value in saved.items():
            if key.startswith(_KEPT):
                self._crawler.stats.set_value(key, value)
        self._spider.page_count = saved.get("focus/page_count", 0)
        self._started_at = _started_at(plan.output) or _now()
        self._write_summary(None)
        self._loop = create_looping_call(self._checkpoint)
        self._loop.start(max(self._interval, 0.05), now=False)

    def _write_rows_first(self) -> None:
        self._scheduler().write_rows_first(DurableRows(self._spider.csv, self._count_page, self._stop))

    def item_scraped(self, item: Any, response: Response) -> None:
        request = response.request
        if not isinstance(item, PageItem) or request is None:
            return
        if self._failed:
            request.meta[OUTCOME] = None  # the URL goes back into the frontier
            return
        if self._spider.shared:
            self._scheduler().keep_row(request, item)
            return
        item.position = self._spider.page_count + 1
        try:
            self._spider.csv.write(item)
        except OSError as error:
            self._stop(error)
            request.meta[OUTCOME] = None
            return
        self._count_page(item)
        self._scheduler().settle(request, request.meta[OUTCOME])

    def _count_page(self, item: PageItem) -> None:
        self._spider.page_count += 1
        stats = self._crawler.stats
        stats.inc_value("focus/page_count")
        stats.inc_value("focus/target_page_count", int(item.is_target))
        stats.inc_value(f"language/page_count/{item.language}")
        if not item.is_target:
            stats.inc_value("fetch/wasted_bytes", item.bytes)

    def _scheduler(self) -> LeaseScheduler:
        return self._crawler.engine.scheduler  # type: ignore[return-value]

    def spider_closed(self, spider: Spider, reason: str) -> None:
        self._loop.stop()
        if not self._failed:
            self._checkpoint()
            self._spider.csv.close()
            self._write_summary(self._finish_reason(reason))
        self._spider.frontier.close()

    def _finish_reason(self, reason: str) -> str:
        try:
            return "pages" if reason == "finished" and self._spider.pages_left() <= 0 else reason
        except FrontierAwayError:
            return reason

    def _checkpoint(self) -> None:
        if self._failed:
            return
        if self._spider.shared:  # its commits are durable by themselves
            self._write_summary(None)
            return
        try:
            sizes = self._spider.csv.flush()
        except OSError as error:
            self._stop(error)
            return
        self._spider.frontier.checkpoint({**sizes, **self._counts()})

    def _counts(self) -> dict[str, int]:
        stats: Mapping[str, Any] = self._crawler.stats.get_stats()
        return {key: value for key, value in stats.items() if key.startswith(_KEPT) and isinstance(value, int)}

    def _write_summary(self, finish_reason: str | None) -> None:
        plan = self._spider.plan
        summary = {
            "format": FORMAT,
            "version": __version__,
            "target": sorted(plan.target.languages),
            "target_tlds": sorted(plan.target.tlds),
            "strategy": plan.strategy.name,
            "parameters": plan.strategy.parameters(),
            "judge": plan.judge_name,
            "seeds": len(plan.seeds),
            "budget": plan.budget,
            "started_at": self._started_at,
            "finished_at": _now() if finish_reason else None,
            "finish_reason": finish_reason,
            "stats": self._counts(),
        }
        if not plan.crawl:
            write_json(plan.output / "crawl.json", summary)
            return
        write_json(plan.output / f"crawl.{self._spider.worker}.json", summary)
        if not (plan.output / "crawl.json").exists():  # all workers would write the same
            common: dict[str, object] = {"crawl": plan.crawl, "finished_at": None, "finish_reason": None, "stats": {}}
            write_json(plan.output / "crawl.json", {**summary, **common}, self._spider.worker)

    def _stop(self, error: OSError) -> None:
        """End the crawl: pages that cannot be kept must not be fetched."""
        self._failed = True
        logger.error(
            "The output in %s cannot be written (%s); the crawl stops. Make room and start it again.",
            self._spider.plan.output,
            error.strerror,
        )
        _schedule_coro(self._crawler.engine.close_spider_async(reason=UNWRITABLE))


def write_json(path: Path, value: object, writer: str = "") -> None:
    """Replace a file at once; ``writer`` keeps those apart that may do so at the same time."""
    scratch = path.with_name(f"{path.name}.{writer}new")
    scratch.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _started_at(folder: Path) -> str:
    """When the crawl in ``folder`` started, where this run continues one."""
    try:
        return str(json.loads((folder / "crawl.json").read_text(encoding="utf-8"))["started_at"])
    except (OSError, ValueError, KeyError):
        return ""
