"""What a crawl keeps on disk: its frontier and its files, opened together before the first fetch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scrapy.settings import BaseSettings

from crawler_project.core.seams import Frontier, SharedFrontier
from crawler_project.crawling.crawl_plan import FRONTIER_FILE, CrawlPlan
from crawler_project.crawling.shared_crawl import new_worker_name, open_shared_frontier
from crawler_project.exporters.language_csv import LanguageCsv
from crawler_project.exporters.row_files import RowFiles
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier


@dataclass(frozen=True)
class CrawlState:
    """The frontier and the files of one crawl, as the latest checkpoint left them."""

    frontier: Frontier
    csv: RowFiles
    shared: SharedFrontier | None = None
    """The frontier again, when other workers use it too."""
    worker: str = ""
    """This worker's name among those of a shared crawl."""


class OpenFrontier(NamedTuple):
    """A frontier that is ready for a crawl."""

    frontier: Frontier
    shared: SharedFrontier | None = None
    """The frontier again, when other workers use it too."""
    worker: str = ""


def open_frontier(plan: CrawlPlan, settings: BaseSettings) -> OpenFrontier:
    """Open or make the frontier of a crawl: in Redis when the plan names a crawl there, else embedded.

    Raises:
        ConfigurationError: the crawl is in Redis, and no fit server is there.
        StateError: the stored crawl is another one, is in use or is damaged.
    """
    if plan.crawl:
        worker = new_worker_name()
        shared = open_shared_frontier(plan, settings, worker)
        return OpenFrontier(shared, shared, worker)
    if plan.job:
        plan.job.mkdir(parents=True, exist_ok=True)
    frontier = EmbeddedFrontier(
        plan.job / FRONTIER_FILE if plan.job else None,
        identity=plan.identity,
        delay=plan.delay,
        retry_delay=settings.getfloat("FRONTIER_RETRY_DELAY"),
        max_delay=settings.getfloat("FRONTIER_MAX_DELAY"),
        max_attempts=settings.getint("FRONTIER_MAX_ATTEMPTS"),
        compare_distance=plan.strategy.tracks_distance,
    )
    return OpenFrontier(frontier)


def open_crawl_state(plan: CrawlPlan, settings: BaseSettings) -> CrawlState:
    """Open or make the frontier and the output files.

    Raises:
        ConfigurationError: the crawl is in Redis, and no fit server is there.
        StateError: the stored crawl is another one, is in use or is damaged.
    """
    frontier, shared, worker = open_frontier(plan, settings)
    sizes = {name: size for name, size in frontier.outputs().items() if name.endswith(".csv")} if plan.job else None
    csv = LanguageCsv(plan.output, sizes, defuse_formulas=settings.getbool("CSV_DEFUSE_FORMULAS"), worker=worker)
    return CrawlState(frontier, csv, shared, worker)
