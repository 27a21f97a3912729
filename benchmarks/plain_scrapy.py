"""The yardstick: Scrapy as its tutorial has it (CrawlSpider, LinkExtractor, in-memory queue), no language identification.

python benchmarks/plain_scrapy.py PORT SEED OUTPUT.jsonl [REDIS_URL [ours | queue]]

With a Redis URL the same spider runs on scrapy-redis: its scheduler, queue and duplicate filter; with ``ours`` on
RequestScheduler, with ``queue`` on scrapy-redis' scheduler with LeaseQueue.
"""

from __future__ import annotations

import sys
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from scrapy.spiders import CrawlSpider, Rule
from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer

PORT, SEED, OUTPUT = int(sys.argv[1]), sys.argv[2], sys.argv[3]
ON_REDIS = (
    {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_FLUSH_ON_START": True,
        "REDIS_URL": sys.argv[4],
    }
    if len(sys.argv) > 4
    else {}
)


if "ours" in sys.argv[5:]:
    ON_REDIS["SCHEDULER"] = "crawler_project.own_spiders.request_scheduler.RequestScheduler"
if "queue" in sys.argv[5:]:
    ON_REDIS["SCHEDULER_QUEUE_CLASS"] = "crawler_project.own_spiders.request_queue.LeaseQueue"


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        raise NotImplementedError


@implementer(IHostnameResolver)
class LoopbackResolver(CachingThreadedResolver):
    """Every name is the one server on loopback."""

    def install_on_reactor(self) -> None:
        self.reactor.installNameResolver(self)

    def resolveHostName(self, receiver: Any, hostName: str, *args: Any, **kwargs: Any) -> _Resolution:  # noqa: N802, N803
        resolution = _Resolution(hostName)
        receiver.resolutionBegan(resolution)
        receiver.addressResolved(IPv4Address("TCP", "127.0.0.1", PORT))
        receiver.resolutionComplete()
        return resolution


class PlainSpider(CrawlSpider):
    name = "plain"
    start_urls = (SEED,)
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def parse_page(self, response: Any) -> Any:
        yield {"url": response.url, "title": response.css("title::text").get()}


if __name__ == "__main__":
    process = CrawlerProcess(
        {
            "TWISTED_DNS_RESOLVER": LoopbackResolver,
            "FEEDS": {OUTPUT: {"format": "jsonlines"}},
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": False,
            "CONCURRENT_REQUESTS": 32,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "TELNETCONSOLE_ENABLED": False,
            **ON_REDIS,
        }
    )
    process.crawl(PlainSpider)
    process.start()
