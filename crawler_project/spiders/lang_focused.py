"""``scrapy crawl lang_focused -a target=ko``: collect the web of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings

from crawler_project.core.values import Entry, Lease, Outcome, Page
from crawler_project.crawling.crawl_plan import CrawlPlan
from crawler_project.crawling.crawl_state import CrawlState, open_crawl_state
from crawler_project.crawling.focus import Focus
from crawler_project.exporters.site_files import SiteFiles
from crawler_project.items import PageItem
from crawler_project.relevance.rules.rule_text import RULE_TEXT
from crawler_project.sites.site_watch import FilesWithSites, SiteWatch, WatchPlan
from crawler_project.spiders.focused import FocusedSpider
from crawler_project.verification.site import site_of_host


class LangFocusedSpider(FocusedSpider):
    """Crawl pages of the target languages, wherever they are hosted.

    Arguments (``-a``): ``target`` (``ko`` or ``ko,ja``), ``strategy``, ``seeds``, ``pages``,
    ``output``, ``judge``, and the strategy's own parameters; ``verify`` (rules) and with it the verifier's.
    """

    name = "lang_focused"

    def __init__(self, plan: CrawlPlan, state: CrawlState, crawler: Crawler) -> None:
        super().__init__(plan, state, crawler)
        self._watch: SiteWatch | None = None
        self._scores: dict[int, float] = {}
        if plan.watch is not None and isinstance(state.csv, FilesWithSites):
            self._watch = state.csv.watch = SiteWatch(plan.watch, self.frontier, state.csv.sites)
            self.max_text = RULE_TEXT

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> CrawlPlan:
        own = {name: str(value) for name, value in arguments.items()}
        watch = WatchPlan.take_from(own)
        return replace(CrawlPlan.from_arguments(settings, own), watch=watch)

    @classmethod
    def open_state(cls, plan: CrawlPlan, settings: BaseSettings) -> CrawlState:
        state = open_crawl_state(plan, settings)
        if plan.watch is None:
            return state
        sizes = state.frontier.outputs() if plan.job else None
        sites = SiteFiles(plan.output, sizes, worker=state.worker, with_pages=False)
        return replace(state, csv=FilesWithSites(state.csv, sites))

    def make_focus(self, settings: BaseSettings) -> Focus:
        plan = self.plan
        return Focus(
            plan.target,
            plan.judge,
            plan.anchor_judge,
            plan.strategy,
            self.frontier.counts,
            follow_nofollow=settings.getbool("FOCUS_FOLLOW_REL_NOFOLLOW"),
            use_hreflang=settings.getbool("FOCUS_USE_HREFLANG"),
        )

    def settle_page(self, entry: Entry, response: Response, page: Page) -> tuple[PageItem, Outcome]:
        """Judge the language; rules see more of the text than the judge, which is measured on less."""
        if self.plan.watch is None:
            return super().settle_page(entry, response, page)
        least = FocusedSpider.max_text
        item, outcome = super().settle_page(
            entry, response, replace(page, text=page.text[:least], prose=page.prose[:least])
        )
        if item.is_target:
            assert response.request is not None
            lease: Lease = response.request.meta["lease"]
            self._scores[lease.token] = self.plan.watch.rules.score(page).relevance
        return item, outcome

    def complete(self, lease: Lease, outcome: Outcome) -> Outcome:
        """Tell the site of a target page; its note is written with the page."""
        outcome = super().complete(lease, outcome)
        if self._watch is None or lease.token not in self._scores:
            return outcome
        entry = lease.entry
        notes = self._watch.observe(site_of_host(entry.host), entry.url, self._scores[lease.token])
        del self._scores[lease.token]
        return replace(outcome, notes={**outcome.notes, **notes})
