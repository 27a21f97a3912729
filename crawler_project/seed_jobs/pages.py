"""The language of seeds by their pages: an ordinary crawl that follows no link and keeps why a page is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings, Settings

from crawler_project.core.errors import ConfigurationError, FrontierAwayError, StateError
from crawler_project.core.seams import Frontier, ScorableLink
from crawler_project.core.target import Target
from crawler_project.core.urls import UrlParts
from crawler_project.core.values import UNKNOWN, CommitResult, Entry, Lease, Outcome, Page, Visit
from crawler_project.crawling.crawl_plan import CrawlPlan
from crawler_project.crawling.crawl_state import CrawlState
from crawler_project.crawling.focus import Focus
from crawler_project.crawling.quiet_crawl import crawl_quietly
from crawler_project.crawling.robots_gate import ROBOTS
from crawler_project.crawling.shared_crawl import is_shared
from crawler_project.items import PageItem
from crawler_project.spiders.focused import FocusedSpider
from crawler_project.strategies.base import Strategy

ALIVE = "alive"
_DEAD, _MOVED, _PAGE = "dead ", "moved ", "page "
_UNTOLD = "no page"
"""Of a seed that is settled without a reason: its worker was killed before it could write one down."""
_NO_TARGET = Target(frozenset(), frozenset())


class SeedPage(NamedTuple):
    """What became of a seed."""

    language: str = UNKNOWN
    confidence: float = 0.0
    evidence: str = ""
    status: str = ALIVE
    """``alive``, or why there is no page: ``status 404``, ``robots``, ``timeout``."""


class FollowNothing(Strategy):
    """Keep no link: only the seeds are fetched."""

    name: ClassVar[str] = "follow_nothing"

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [None] * len(links)

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return ""


class ReasonKeeper:
    """A frontier that notes, with the commit of a URL, why it gave no page and where it redirects to.

    Notes are the frontier's, so that every worker of a shared crawl has the answers of all of them in the end.
    """

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self.pages: dict[str, SeedPage] = {}
        """By the seed, and by the address where it was in the end; this and the others are filled by :meth:`close`."""
        self.dead: dict[str, str] = {}
        """Reason by seed."""
        self.moved: dict[str, str] = {}
        """Where a seed's redirects end, by seed."""
        self.has_ended = False
        """Nothing is queued or leased any more."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frontier, name)

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        seed = lease.entry.origin or lease.entry.url
        notes = {} if lease.entry.why == ROBOTS else _notes(seed, outcome)
        result = self._frontier.commit(lease, replace(outcome, notes={**outcome.notes, **notes}), now)
        if result.dead:
            self._frontier.set_note(_DEAD + seed, outcome.reason)
        return result

    def close(self) -> None:
        """Take the answers out before the frontier is gone."""
        with suppress(FrontierAwayError):  # then all seeds are left, and the same call goes on
            self.pages = {url: _page_of(text) for url, text in self._noted(_PAGE)}
            self.dead, self.moved = dict(self._noted(_DEAD)), dict(self._noted(_MOVED))
            self.has_ended = self._frontier.is_finished()
        self._frontier.close()

    def _noted(self, kind: str) -> Iterator[tuple[str, str]]:
        return ((name.removeprefix(kind), text) for name, text in self._frontier.notes(kind).items())


class SeedPagesSpider(FocusedSpider):
    """Fetch seeds and nothing else; each page's language is judged as in any crawl."""

    name = "seed_pages"

    def __init__(self, plan: CrawlPlan, state: CrawlState, crawler: Crawler) -> None:
        super().__init__(plan, state, crawler)
        self.request_headers["Accept-Language"] = "*"
        self.reasons = ReasonKeeper(state.frontier)
        self.frontier = cast("Frontier", self.reasons)

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> CrawlPlan:
        """Take ``seeds``, ``output``, and optionally ``judge`` and ``crawl``."""
        plan = CrawlPlan.from_arguments(settings, {**arguments, "target": "en", "strategy": "control"})
        return replace(plan, strategy=FollowNothing(), target=_NO_TARGET)

    def make_focus(self, settings: BaseSettings) -> Focus:
        plan = self.plan
        return Focus(plan.target, plan.judge, plan.anchor_judge, plan.strategy, self.frontier.counts)

    def read_page(self, entry: Entry, response: Response) -> Page:
        return replace(super().read_page(entry, response), links=())

    def settle_page(self, entry: Entry, response: Response, page: Page) -> tuple[PageItem, Outcome]:
        item, outcome = super().settle_page(entry, response, page)
        note = f"{item.language} {item.language_score} {item.evidence}"
        return item, replace(outcome, notes={f"{_PAGE}{url}": note for url in (item.url, item.final_url)})


def fetch_seed_pages(
    seeds: Path, job: Path, settings: Settings, *, judge: str = "", crawl: str = ""
) -> dict[str, SeedPage]:
    """Fetch the seeds in a file, politely, and say what became of each.

    A crawl like any other: robots.txt, delays, retries; continued from ``job`` after an interruption. Where the settings
    have a frontier in Redis, all who run it with the same name share the work, and each gets all answers when the last
    page is there. The name is ``crawl``, else FRONTIER_CRAWL, else made of the name of ``job``.

    Raises:
        ConfigurationError: a setting is wrong.
        StateError: ``job`` belongs to other seeds, or the crawl was interrupted (the message counts what is left).
    """
    arguments = {"seeds": str(seeds), "output": str(job / "pages"), **({"judge": judge} if judge else {})}
    if is_shared(settings):
        arguments["crawl"] = crawl or str(settings.get("FRONTIER_CRAWL") or "") or f"seeds-{job.resolve().name}"
    else:
        settings.set("JOBDIR", str(job), priority=100)
    prepared = SeedPagesSpider.prepare(settings, arguments)
    spider = crawl_quietly(settings, SeedPagesSpider, prepared)
    found = _results(spider.plan.seeds, spider.reasons)
    left = len(spider.plan.seeds) - len(found)
    if left:
        raise StateError(f"interrupted: {left:,} of {len(spider.plan.seeds):,} seeds are left; run the same command again to go on")  # fmt: skip
    return found


def _results(seeds: Iterable[UrlParts], reasons: ReasonKeeper) -> dict[str, SeedPage]:
    found: dict[str, SeedPage] = {}
    for url, _ in seeds:
        moved = reasons.moved.get(url, "")
        page = reasons.pages.get(url) or reasons.pages.get(moved)
        # its own reason, or that of another seed which its redirect leads to
        reason = reasons.dead.get(url) or reasons.dead.get(moved) or (_UNTOLD if reasons.has_ended else "")
        if page is not None or reason:
            found[url] = page or SeedPage(status=reason)
    return found


def _page_of(note: str) -> SeedPage:
    language, confidence, evidence = note.split(" ", 2)
    return SeedPage(language, float(confidence), evidence)


def _notes(seed: str, outcome: Outcome) -> dict[str, str]:
    if outcome.kind in ("gone", "refused"):
        return {_DEAD + seed: outcome.reason}
    if outcome.kind == "redirect" and outcome.entries:
        return {_MOVED + seed: outcome.entries[0].url}
    return {}


def check_job(job: Path) -> Path:
    """Make the folder of a job; :class:`ConfigurationError` when that cannot be done."""
    try:
        job.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"job={str(job)!r} cannot be made: {error.strerror or error}") from error
    return job
