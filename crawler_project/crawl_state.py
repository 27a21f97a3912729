"""What a crawl keeps on disk: its frontier and its files, opened together before the first fetch."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy.settings import BaseSettings

from crawler_project.core.seams import Frontier
from crawler_project.crawl_plan import FRONTIER_FILE, CrawlPlan
from crawler_project.exporters.language_csv import LanguageCsv
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier


@dataclass(frozen=True)
class CrawlState:
    """The frontier and the files of one crawl, as the latest checkpoint left them."""

    frontier: Frontier
    csv: LanguageCsv


def open_crawl_state(plan: CrawlPlan, settings: BaseSettings) -> CrawlState:
    """Open or make the frontier and the output files.

    Raises:
        StateError: the job folder belongs to another crawl, is in use or is damaged.
    """
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
    sizes = {name: size for name, size in frontier.outputs().items() if name.endswith(".csv")} if plan.job else None
    csv = LanguageCsv(plan.output, sizes, defuse_formulas=settings.getbool("CSV_DEFUSE_FORMULAS"))
    return CrawlState(frontier, csv)
