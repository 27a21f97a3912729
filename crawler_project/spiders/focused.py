"""What all focused crawls have in common: leased URLs to requests, responses to outcomes, pages to rows."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import sleep
from twisted.python.failure import Failure

from crawler_project.core.errors import FrontierAwayError
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import UNKNOWN, Entry, Lease, Outcome, Page, Visit
from crawler_project.crawling.allowance import Allowance
from crawler_project.crawling.crawl_plan import CrawlPlan
from crawler_project.crawling.crawl_state import CrawlState, open_crawl_state
from crawler_project.crawling.failures import outcome_of_failure, outcome_of_status
from crawler_project.crawling.focus import Decision, Focus
from crawler_project.crawling.outage import LONGEST_PAUSE
from crawler_project.crawling.request_meta import OUTCOME
from crawler_project.extensions.content_types import NOT_WANTED, is_wanted_type
from crawler_project.items import PageItem
from crawler_project.page.blocks import Cut
from crawler_project.page.parse import parse_page
from crawler_project.page.traps import TrapGuard
from crawler_project.strategies.base import Strategy

logger = logging.getLogger(__name__)

LESSONS_AT_ONCE, LESSONS_A_SECOND = 100_000, 600
"""Bytes of lessons that a worker tells and hears: the first pages teach most."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PARSED_HEADERS = ("x-robots-tag", "content-language", "link")


class FocusedSpider(Spider):
    """Fetch what the frontier leases, follow what the strategy keeps, store what was asked for.

    A subclass has a ``name``, checks its arguments (:meth:`plan_of`) and says how pages are judged
    (:meth:`make_focus`); it may change how a body is read (:meth:`read_page`), what becomes of a
    page (:meth:`settle_page`) and of any leased URL (:meth:`complete`).
    """

    max_text = 10_000
    """Characters of a page's visible text that are kept."""
    cut: Cut | None = None
    """How pages are cut into content blocks; ``None``: they are not."""

    def __init__(self, plan: CrawlPlan, state: CrawlState, crawler: Crawler) -> None:
        super().__init__()
        settings = crawler.settings
        self.plan = plan
        self.user_agent = plan.user_agent
        self.delay = plan.delay
        self._learns_from_gone = type(plan.strategy).learn_gone is not Strategy.learn_gone
        self.max_attempts = settings.getint("FRONTIER_MAX_ATTEMPTS")
        self.request_headers = {
            "User-Agent": plan.user_agent,
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.5,*/*;q=0.1",
            "Accept-Language": ",".join([*sorted(plan.target.languages), "*;q=0.1"]),
        }
        self.page_count = 0
        self._timeout = settings.getfloat("DOWNLOAD_TIMEOUT")
        self._max_redirects = settings.getint("REDIRECT_MAX_TIMES")
        self._max_pages_per_host = settings.getint("FRONTIER_MAX_PAGES_PER_HOST")
        self._obey_robots_meta = settings.getbool("FOCUS_OBEY_ROBOTS_META")
        self._traps = TrapGuard(latest_year=datetime.now(UTC).year + 2)
        self.csv = state.csv
        self.frontier = state.frontier
        self.shared = state.shared
        self.worker = state.worker
        self._lessons = Allowance(LESSONS_AT_ONCE, LESSONS_A_SECOND, time.monotonic())
        self._tells = self.shared is not None and type(plan.strategy).lesson is not Strategy.lesson
        self.focus = self.make_focus(settings)
        self.focus.look_up = self._look_up

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> CrawlPlan:
        """Check the ``-a`` arguments; :class:`~crawler_project.core.errors.ConfigurationError` for a wrong one."""
        raise NotImplementedError

    def make_focus(self, settings: BaseSettings) -> Focus:
        """Put judge and strategy together; ``plan`` and ``frontier`` are there already."""
        raise NotImplementedError

    @classmethod
    def prepare(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> dict[str, Any]:
        """Check the arguments and open the crawl's files: keyword arguments of :meth:`from_crawler`.

        Raises:
            CrawlerProjectError: a wrong argument, or a stored crawl that cannot be continued.
        """
        plan = cls.plan_of(settings, arguments)
        return {"plan": plan, "state": cls.open_state(plan, settings)}

    @classmethod
    def open_state(cls, plan: CrawlPlan, settings: BaseSettings) -> CrawlState:
        """Open the crawl's frontier and files."""
        return open_crawl_state(plan, settings)

    @classmethod
    def from_crawler(
        cls,
        crawler: Crawler,
        *args: Any,
        plan: CrawlPlan | None = None,
        state: CrawlState | None = None,
        **arguments: Any,
    ) -> Self:
        """Make the spider; ``plan`` and ``state`` may be checked and opened beforehand (``scrapy crawl`` does)."""
        plan = plan or cls.plan_of(crawler.settings, arguments)
        spider = cls(plan, state or cls.open_state(plan, crawler.settings), crawler)
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Queue the seeds; what was seen in an earlier run of the same job stays as it is."""
        for line, text, reason in self.plan.bad_seeds:
            logger.warning("seeds, line %d: %s: %r is skipped", line, reason, text)
        entries = [Entry(url=url, host=host, why="seed") for url, host in self.plan.seeds]
        while True:
            try:
                self.crawler.stats.inc_value("seeds/added_count", self.frontier.add(entries).added)
                break
            except FrontierAwayError as error:
                logger.warning("%s. The crawl waits with its seeds.", str(error).rstrip("."))
                await sleep(LONGEST_PAUSE)
        nothings: tuple[Request, ...] = ()
        for nothing in nothings:  # the scheduler serves the frontier; Scrapy still wants a generator
            yield nothing

    def pages_left(self) -> int:
        """Pages that may still be stored, by all workers together; none when the strategy has found enough."""
        if self.plan.strategy.is_exhausted():
            return 0
        if self.plan.budget is None:
            return 1 << 62
        return self.plan.budget - (self.shared.pages().pages if self.shared else self.page_count)

    def refusal(self, entry: Entry) -> str:
        """Why a leased URL is not wanted any more; empty: it is."""
        if self.plan.strategy.unit and entry.depth:
            unit = self.focus.unit_of(entry.url, entry.host)
            if not self.plan.strategy.admits(self.frontier.counts([unit])[0]):
                return "strategy"
        if self.frontier.counts([entry.host])[0].pages >= self._max_pages_per_host:
            return "trap: pages of a host"
        return ""

    def postponement(self, entry: Entry) -> float | None:
        """The worse priority that the strategy gives a leased URL by now; ``None``: it is fetched."""
        return self.plan.strategy.reconsider(entry.url, entry.host, entry.priority, entry.evidence)

    def awaited(self, entry: Entry) -> float | None:
        """The rank of URLs that the strategy would have a leased one wait for; ``None``: it is fetched."""
        return self.plan.strategy.awaited(entry.url, entry.host, entry.evidence)

    def hear(self, lessons: Sequence[str]) -> None:
        """Learn what other workers of the crawl told with a commit."""
        self._lessons.take(sum(map(len, lessons)))
        for lesson in lessons:
            self.plan.strategy.hear(lesson)

    def make_request(self, lease: Lease) -> Request:
        return Request(
            lease.entry.url,
            callback=self.parse,
            errback=self.failed,
            headers=self.request_headers,
            meta={"lease": lease, "download_timeout": self._timeout, "verbatim_url": True},
        )

    def parse(self, response: Response, **kwargs: Any) -> Iterator[PageItem]:
        """Turn a response into an outcome, and a page into an item."""
        request = response.request
        assert request is not None
        lease: Lease = request.meta["lease"]
        stats = self.crawler.stats
        stats.inc_value("fetch/bytes", len(response.body))
        if response.status in _REDIRECTS:
            outcome = self._redirected(lease.entry, response)
        elif not 200 <= response.status < 300:
            outcome = outcome_of_status(response, time.time())
        elif NOT_WANTED in response.flags or not is_wanted_type(response.headers, response.body):
            outcome = Outcome(kind="gone", reason="type")
        else:
            try:
                page = self.read_page(lease.entry, response)
                item, request.meta[OUTCOME] = self.settle_page(lease.entry, response, page)
            except FrontierAwayError:
                request.meta[OUTCOME] = None  # it is fetched again when the frontier is back
                return
            yield item
            return
        request.meta[OUTCOME] = self._learned_from(lease, outcome)
        stats.inc_value("fetch/wasted_bytes", len(response.body))

    def _look_up(self, url: str, host: str) -> Entry | None:
        try:
            return self.frontier.queued(url, host)
        except FrontierAwayError:  # it keeps its priority, and is scored again when it comes up
            return None

    def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        request.meta[OUTCOME] = self._learned_from(request.meta["lease"], outcome_of_failure(failure.value))

    def _learned_from(self, lease: Lease, outcome: Outcome) -> Outcome:
        """Tell a strategy that learns of a download that gave no page, and add what it thinks of the host now."""
        is_lost = outcome.kind == "gone" or (outcome.kind == "failed" and lease.attempt >= self.max_attempts)
        if not (is_lost and self._learns_from_gone):
            return outcome
        entry, strategy = lease.entry, self.plan.strategy
        visit = Visit(entry.url, entry.host, UNKNOWN, UNKNOWN, False, False, entry.distance, entry.depth == 0)
        strategy.learn_gone(entry.evidence, visit)
        outcome = replace(outcome, lesson=self._lesson())
        try:
            verdict = strategy.judge_host_of(visit, self.frontier.counts([entry.host])[0])
        except FrontierAwayError:  # the next page of the host will say it
            return outcome
        return replace(outcome, verdicts={entry.host: verdict})

    def _lesson(self) -> str | None:
        """What the download that was just learned from teaches other workers; ``None``: there are none, nothing is learned, or too much was told."""
        if not (self._tells and self._lessons.is_left(time.monotonic())):
            return None
        lesson = self.plan.strategy.lesson()
        self._lessons.take(len(lesson))
        return lesson

    def read_page(self, entry: Entry, response: Response) -> Page:
        """Parse a body once; no links where a robots tag says ``nofollow``."""
        headers = {key: value for key in _PARSED_HEADERS if (value := header_of(response, key))}
        page = parse_page(
            response.body,
            entry.url,
            content_type=header_of(response, "content-type"),
            headers=headers,
            max_text=self.max_text,
            cut=self.cut,
        )
        return replace(page, links=()) if page.nofollow and self._obey_robots_meta else page

    def settle_page(self, entry: Entry, response: Response, page: Page) -> tuple[PageItem, Outcome]:
        """Give the page's row and what its lease is committed with; the row is written first."""
        # It may fail, and the page comes again then: so not after it was learned from.
        [counts] = self.frontier.counts([entry.host])
        decision = self.focus.decide(entry, page, entry.host)
        self._count(decision, page)
        entries = [link for link in decision.entries if self._is_admitted(link)]
        entries += [link for link in decision.revised if self._traps.admit(link.url, link.host) is None]
        visit = decision.visit
        strategy = self.plan.strategy
        verdict = strategy.judge_host_of(
            visit, counts._replace(pages=counts.pages + 1, target_pages=counts.target_pages + visit.is_target)
        )
        outcome = Outcome(
            kind="page",
            is_target=visit.is_target,
            directory=self.focus.unit_of(entry.url, entry.host) if strategy.unit == "directory" else "",
            entries=entries,
            verdicts={visit.host: verdict},
            lesson=self._lesson(),
        )
        return self.make_item(entry, response, page, decision), outcome

    def complete(self, lease: Lease, outcome: Outcome) -> Outcome:
        """Give what a lease is committed with, whatever became of it: here, the outcome as it is."""
        if outcome.kind in ("redirect", "refused"):
            self.plan.strategy.forget(lease.entry.url)
        return outcome

    def make_item(self, entry: Entry, response: Response, page: Page, decision: Decision) -> PageItem:
        """Fill the row of a page; its ``position`` is set when it is written."""
        relevance = decision.relevance
        return PageItem(
            url=entry.origin or entry.url,
            final_url=entry.url,
            status=response.status,
            fetched_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            language=relevance.label,
            language_score=round(relevance.score, 4),
            declared_language=page.declared_language,
            charset=page.charset,
            title=page.title,
            bytes=page.size,
            depth=entry.depth,
            distance=entry.distance,
            referrer=entry.referrer,
            anchor_text=entry.anchor_text,
            why=entry.why,
            digest=page.digest,
            position=0,
            host=entry.host,
            is_target=relevance.is_relevant,
            evidence=relevance.evidence,
        )

    def _redirected(self, entry: Entry, response: Response) -> Outcome:
        """A redirect's target takes the place of the link that led to it, and waits for its host's turn."""
        location = (response.headers.get("Location") or b"").decode("utf-8", "replace")
        parts = canonical_url(location, entry.url)
        if parts is None:
            return Outcome(kind="gone", reason="redirect to nowhere")
        if entry.redirects >= self._max_redirects:
            return Outcome(kind="gone", reason="too many redirects")
        refused = self._traps.admit(parts.url, parts.host)
        if refused:
            return Outcome(kind="gone", reason=f"trap: {refused}")
        target = entry._replace(
            url=parts.url, host=parts.host, redirects=entry.redirects + 1, origin=entry.origin or entry.url
        )
        return Outcome(kind="redirect", entries=[target])

    def _is_admitted(self, link: Entry) -> bool:
        reason = self._traps.admit(link.url, link.host)
        if reason:
            self.crawler.stats.inc_value(f"focus/trap_count/{reason}")
            self.plan.strategy.forget(link.url)
        return reason is None

    def _count(self, decision: Decision, page: Page) -> None:
        stats = self.crawler.stats
        stats.inc_value("focus/link_count", len(page.links))
        stats.inc_value("focus/discarded_count", decision.discarded)
        for rule, count in Counter(entry.why.partition(" ")[0] for entry in decision.entries).items():
            stats.inc_value(f"focus/kept_count/{rule}", count)


def header_of(response: Response, name: str) -> str:
    """Give a header as text; empty when the answer has none of that name."""
    value = response.headers.get(name)
    return value.decode("latin-1") if value else ""
