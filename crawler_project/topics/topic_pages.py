"""The pages that a topic is learned from, fetched as politely as in any crawl."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings

from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, Page
from crawler_project.crawling.crawl_plan import CrawlPlan
from crawler_project.crawling.crawl_state import CrawlState
from crawler_project.crawling.quiet_crawl import crawl_quietly
from crawler_project.relevance.topic.judge import page_text
from crawler_project.seed_jobs.pages import SeedPagesSpider


class ExamplePagesSpider(SeedPagesSpider):
    """Fetch the addresses, keep what their pages say."""

    name = "example_pages"

    def __init__(self, plan: CrawlPlan, state: CrawlState, crawler: Crawler) -> None:
        super().__init__(plan, state, crawler)
        self.texts: dict[str, str] = {}
        """By the address that was asked for."""

    def read_page(self, entry: Entry, response: Response) -> Page:
        page = super().read_page(entry, response)
        self.texts[entry.origin or entry.url] = page_text(page)
        return page


def fetch_texts(addresses: Sequence[str], settings: Settings) -> Mapping[str, str]:
    """Fetch pages like a crawl does: robots.txt, one request a host at a time, delays, retries. Once in a process.

    Gives title and text by address; addresses without a page (404, refused, no HTML) are missing.

    Raises:
        ConfigurationError: a setting is wrong.
        StateError: the crawl could not start.
    """
    with tempfile.TemporaryDirectory(prefix="topic-pages-") as folder:
        seeds = Path(folder) / "addresses.txt"
        seeds.write_text("".join(f"{address}\n" for address in addresses), encoding="utf-8", errors="replace")
        own = settings.copy()
        own.set("JOBDIR", str(Path(folder) / "job"), priority=100)
        own.set("FRONTIER", "embedded", priority=100)
        prepared = ExamplePagesSpider.prepare(own, {"seeds": str(seeds), "output": str(Path(folder) / "pages")})
        return _by_address(addresses, crawl_quietly(own, ExamplePagesSpider, prepared))


def _by_address(addresses: Sequence[str], spider: ExamplePagesSpider) -> dict[str, str]:
    found = {}
    for address in addresses:
        parts = canonical_url(address)
        text = spider.texts.get(parts.url) if parts else None
        if text is not None:
            found[address] = text
    return found
