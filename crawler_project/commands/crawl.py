"""``scrapy crawl``: Scrapy's command, with the arguments of our spiders checked before it starts."""

from __future__ import annotations

import argparse
import logging
from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as CrawlCommand

from crawler_project.core.errors import CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

_CHATTY = (
    "scrapy.addons",
    "scrapy.core.engine",
    "scrapy.crawler",
    "scrapy.extensions",
    "scrapy.middleware",
    "scrapy.utils.log",
    "scrapy.core.scraper",
)


class Command(CrawlCommand):
    """Run a spider; a wrong argument costs one line and exit code 2, and no fetch.

    A crawl that could not go on (its frontier is damaged, its disk full) has exit code 1.
    """

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        self._hears_scrapy = bool(opts.loglevel)  # whoever asks for a level wants to hear all of it
        if not self._hears_scrapy:
            logging.getLogger("scrapy.utils.log").addFilter(_is_warning)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.crawler_process is not None
        loader = self.crawler_process.spider_loader
        if len(args) == 1 and args[0] not in (known := loader.list()):
            tell(f"scrapy crawl: there is no spider {args[0]!r}; choose one of {', '.join(known)}")
            self.exitcode = 2
            return
        if len(args) == 1 and hasattr(spider := loader.load(args[0]), "prepare"):
            try:
                opts.spargs = spider.prepare(self.settings, opts.spargs)
            except CrawlerProjectError as error:
                tell(f"scrapy crawl: {error}")
                self.exitcode = 2
                return
        if not self._hears_scrapy:
            for name in _CHATTY:
                logging.getLogger(name).setLevel(logging.WARNING)
        super().run(args, opts)
        if _has_failed(self._crawler):
            self.exitcode = 1

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._crawler = super()._create_crawler(spidercls)
        return self._crawler


def _is_warning(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def _has_failed(crawler: Crawler) -> bool:
    from crawler_project.crawling.patience import DAMAGED
    from crawler_project.extensions.crawl_output import UNWRITABLE

    try:
        reason = crawler.stats.get_value("finish_reason")
    except (AttributeError, RuntimeError):  # it never began, and has said why
        return True
    return reason in (DAMAGED, UNWRITABLE)
