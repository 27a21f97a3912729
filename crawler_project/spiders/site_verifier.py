"""``scrapy crawl site_verifier -a rules=bookshop-ko -a sites=FILE``: which of these sites are of the line of business?"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.settings import BaseSettings

from crawler_project.core.errors import StateError
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, Lease, Outcome, Page, Relevance, Visit
from crawler_project.crawling.crawl_plan import CrawlPlan
from crawler_project.crawling.crawl_state import CrawlState, open_frontier
from crawler_project.crawling.focus import Decision, Focus
from crawler_project.exporters.site_files import SiteFiles, SitePageRow
from crawler_project.items import PageItem
from crawler_project.relevance.rules.rule_text import RULE_TEXT
from crawler_project.sites.site_book import SiteBook, SiteCase
from crawler_project.sites.site_evidence import evidence_of
from crawler_project.sites.site_plan import SitePlan
from crawler_project.spiders.focused import FocusedSpider
from crawler_project.verification.abstract_url import CLASSES
from crawler_project.verification.site import site_of, site_of_host

logger = logging.getLogger(__name__)

_MOST_KEPT = 1000
_NO_LINKS = frozenset({"canonical", "alternate"})
"""Other addresses and forms of the same page: they would count it twice."""


class Reading(NamedTuple):
    """What was on a page that was fetched."""

    page: Page
    score: float
    held: tuple[str, ...]
    links: list[str]


class Step(NamedTuple):
    """A page of a site, as the verifier took it."""

    row: SitePageRow
    reading: Reading | None
    """``None``: the fetch brought no page."""
    case: SiteCase


class SiteVerifierSpider(FocusedSpider):
    """Verify many sites at once; of each, one page at a time is in the frontier, the one that its verifier asks for.

    Arguments (``-a``): ``rules`` (a name or a file), ``sites`` (a file or addresses), ``output``, ``crawl``,
    ``page_threshold``, ``num_rel_pages``, ``num_exp_pages``, ``classes``, ``new_class``, ``explore``, ``early_no``, ``order``.
    """

    name = "site_verifier"
    max_text = RULE_TEXT
    custom_settings = {  # noqa: RUF012 - Scrapy declares it of instances
        "EXTENSIONS": {
            "scrapy.extensions.logstats.LogStats": None,
            "crawler_project.extensions.site_output.SiteOutput": 100,
            "crawler_project.extensions.content_types.ContentTypes": 200,
            "crawler_project.extensions.site_progress.SiteProgress": 300,
            "crawler_project.extensions.start_urls.StartUrls": 400,
        }
    }
    plan: SitePlan
    csv: SiteFiles

    def __init__(self, plan: CrawlPlan, state: CrawlState, crawler: Crawler) -> None:
        super().__init__(plan, state, crawler)
        self.book = SiteBook(self.frontier, self.plan.parameters)
        self.on_step: Callable[[Step], None] | None = None
        self._follow_nofollow = crawler.settings.getbool("FOCUS_FOLLOW_REL_NOFOLLOW")
        self._readings: dict[int, Reading] = {}
        self._completed: dict[int, Outcome] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: Any) -> Self:
        on_step = arguments.pop("on_step", None)
        spider = super().from_crawler(crawler, *args, **arguments)
        spider.on_step = on_step
        crawler.signals.connect(spider.go_on_with_stuck_sites, signal=signals.spider_idle)
        return spider

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> SitePlan:
        return SitePlan.from_arguments(settings, arguments)

    @classmethod
    def open_state(cls, plan: CrawlPlan, settings: BaseSettings) -> CrawlState:
        frontier, shared, worker = open_frontier(plan, settings)
        sizes = frontier.outputs() if plan.job else None
        files = SiteFiles(plan.output, sizes, worker=worker, defuse_formulas=settings.getbool("CSV_DEFUSE_FORMULAS"))
        return CrawlState(frontier, files, shared, worker)

    def make_focus(self, settings: BaseSettings) -> Focus:
        plan = self.plan
        return Focus(plan.target, plan.judge, plan.anchor_judge, plan.strategy, self.frontier.counts)

    async def start(self) -> AsyncIterator[Any]:
        """Queue the first page of every site that is not known yet; of several addresses of a site, the first."""
        first = {site_of_host(parts.host): parts for parts in reversed(self.plan.seeds)}
        new = {parts.url for site, parts in first.items() if not self.book.is_known(site)}
        self.plan = replace(self.plan, seeds=[parts for parts in self.plan.seeds if parts.url in new])
        async for nothing in super().start():
            yield nothing

    def refusal(self, entry: Entry) -> str:
        """Why a leased URL is not wanted: its site is decided, or another page of it is asked for."""
        page = entry.origin or entry.url
        case = self.book.find(site_of(page), page)
        if case is None:
            return "site is decided"
        return "" if case.verifier.next_page() == page else "another page of the site is asked for"

    def settle_page(self, entry: Entry, response: Response, page: Page) -> tuple[PageItem, Outcome]:
        """Score a page; its site is told in :meth:`complete`."""
        assert response.request is not None
        score, held = self.plan.rules.score(page)
        links = [
            link.url
            for link in page.links
            if link.kind not in _NO_LINKS and (self._follow_nofollow or not link.nofollow)
        ]
        lease: Lease = response.request.meta["lease"]
        self._readings[lease.token] = Reading(page, score, held, links)
        is_good = score >= self.plan.parameters.page_threshold
        visit = Visit(entry.url, entry.host, "", "", is_good, is_good, entry.distance, entry.depth == 0)
        relevance = Relevance(is_good, score, self.plan.rules.name, ", ".join(held))
        item = self.make_item(entry, response, page, Decision(visit, relevance, [], 0))
        return item, Outcome(kind="page", is_target=is_good)

    def complete(self, lease: Lease, outcome: Outcome) -> Outcome:
        """Tell the site what became of the page it asked for, and commit with that the page that it asks for next."""
        if outcome.kind == "failed" and lease.attempt < self.max_attempts:
            return outcome
        if lease.token not in self._completed:
            if len(self._completed) >= _MOST_KEPT:
                del self._completed[next(iter(self._completed))]
            self._completed[lease.token] = self._advanced(lease, outcome)
        return self._completed[lease.token]

    def _advanced(self, lease: Lease, outcome: Outcome) -> Outcome:
        entry = lease.entry
        page = entry.origin or entry.url
        site = site_of(page)
        reading = self._readings.pop(lease.token, None)
        case = self.book.find(site, page, self.plan.found_by.get(page, entry.why))
        if case is None or case.verifier.next_page() != page:
            return replace(outcome, kind="gone" if outcome.kind == "failed" else outcome.kind, entries=())
        if outcome.kind == "redirect":
            target = outcome.entries[0].url
            if case.verifier.redirected(page, target):
                return replace(outcome, notes=self.book.keep(site, case))
            if case.verifier.pages_fetched == 0 and site_of(target) != site:
                case.moved_to = target
            outcome = Outcome(kind="gone", reason="redirect to another site or to a known page")
        kind = "gone" if outcome.kind == "failed" else outcome.kind
        self._observe(entry, outcome, reading, case)
        notes = self.book.keep(site, case)
        return replace(outcome, kind=kind, entries=self._next_entries(entry, case), notes=notes)

    def _observe(self, entry: Entry, outcome: Outcome, reading: Reading | None, case: SiteCase) -> None:
        """Tell the verifier, write the row of the page, and the evidence where there is a verdict."""
        page = entry.origin or entry.url
        score, links = (reading.score, reading.links) if reading else (0.0, [])
        case.verifier.observe(page, score, links)
        row = SitePageRow(
            site=case.verifier.site,
            url=page,
            final_url=entry.url,
            number=case.verifier.pages_fetched,
            outcome="page" if reading else outcome.reason,
            score=score,
            is_good=score >= self.plan.parameters.page_threshold,
            rules=", ".join(reading.held) if reading else "",
            abstract_url=CLASSES[self.plan.parameters.classes](page),
            title=reading.page.title if reading else "",
            fetched_at=_now(),
        )
        self._write(row, case)
        if self.on_step is not None:
            self.on_step(Step(row, reading, case))

    def _write(self, row: SitePageRow, case: SiteCase) -> None:
        stats, verdict = self.crawler.stats, case.verifier.verdict
        try:
            self.csv.write_page(row)
            if verdict is not None:
                self.csv.write_verdict(
                    evidence_of(
                        verdict,
                        self.plan.rules,
                        self.plan.parameters,
                        _now(),
                        found_by=case.found_by,
                        moved_to=case.moved_to,
                    )
                )
        except OSError as error:
            raise StateError(
                f"the output in {self.plan.output} cannot be written ({error.strerror}); make room and start again"
            ) from error
        stats.inc_value("sites/page_count")
        stats.inc_value("sites/good_page_count", int(row.is_good))
        if verdict is not None:
            stats.inc_value("sites/accepted_count" if verdict.is_relevant else "sites/rejected_count")
            stats.inc_value(f"sites/reason_count/{verdict.reason}")

    def _next_entries(self, entry: Entry, case: SiteCase) -> list[Entry]:
        url = case.verifier.next_page()
        parts = canonical_url(url) if url else None
        if parts is None:
            return []
        why = f"class {CLASSES[self.plan.parameters.classes](parts.url)}"
        return [Entry(url=parts.url, host=parts.host, depth=entry.depth + 1, referrer=entry.url, why=why)]

    def go_on_with_stuck_sites(self) -> None:
        """Find sites whose next page the frontier has seen under other circumstances, and let them ask for another.

        Two workers with different lists, for instance, may each have queued a first page of the same site.
        """
        if not self.frontier.is_finished():
            return
        added = sum(self._unstick(site, case) for site, case in self.book.undecided())
        if added:
            raise DontCloseSpider

    def _unstick(self, site: str, case: SiteCase) -> int:
        while (page := case.verifier.next_page()) is not None:
            parts = canonical_url(page)
            assert parts is not None
            if self.frontier.add([Entry(url=parts.url, host=parts.host, depth=1, why="again")]).added:
                return 1
            entry = Entry(url=parts.url, host=parts.host)
            self._observe(entry, Outcome(kind="gone", reason="seen before"), None, case)
            for name, text in self.book.keep(site, case).items():
                self.frontier.set_note(name, text)
        return 0

    def make_request(self, lease: Lease) -> Request:
        self._completed.pop(lease.token, None)
        return super().make_request(lease)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
