"""A crawl within another command: run to its end, without Scrapy's own messages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, TypeVar

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from crawler_project.core.errors import StateError

_CHATTY = ("scrapy.addons", "scrapy.core", "scrapy.crawler", "scrapy.extensions", "scrapy.middleware", "scrapy.utils")
_Spider = TypeVar("_Spider", bound=Spider)


def crawl_quietly(settings: Settings, spider_class: type[_Spider], prepared: Mapping[str, Any]) -> _Spider:
    """Crawl; the spider as it ended.

    Raises:
        StateError: the crawl could not start.
    """
    process = AsyncCrawlerProcess(settings)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    crawler = process.create_crawler(spider_class)
    process.crawl(crawler, **prepared)
    process.start()
    if not isinstance(crawler.spider, spider_class):
        raise StateError("the pages could not be fetched; the log says why")
    return crawler.spider
