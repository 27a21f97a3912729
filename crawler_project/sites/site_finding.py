"""Found sites to verified sites: the second half of ``scrapy sites find``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from crawler_project.core.urls import canonical_url
from crawler_project.crawling.shared_crawl import is_shared
from crawler_project.exporters.site_files import SITE_COLUMNS, read_evidence, site_row
from crawler_project.metasearch.found_sites import Finding, FoundSite
from crawler_project.metasearch.search_measures import Decision, Measure, measures_of
from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.seeding.seed_file import SeedList
from crawler_project.sites.site_plan import SitePlan
from crawler_project.sites.site_search import write_table
from crawler_project.spiders.site_verifier import SiteVerifierSpider
from crawler_project.verification.verifier_parameters import VerifierParameters

MEASURES = "measures.csv"
_CHATTY = ("scrapy.addons", "scrapy.core", "scrapy.crawler", "scrapy.extensions", "scrapy.middleware", "scrapy.utils")


def verify_found(
    settings: Settings,
    rules: RuleSet,
    parameters: VerifierParameters,
    sites: Sequence[FoundSite],
    folder: Path,
    *,
    crawl: str = "",
) -> None:
    """Verify the sites into ``folder``, as the spider ``site_verifier`` does; goes on where an earlier run stopped.

    Raises:
        ConfigurationError: a setting is wrong.
        StateError: the folder holds another verification.
    """
    own = settings.copy()
    if not is_shared(own) and not own.get("JOBDIR"):
        own.set("JOBDIR", str(folder / "job"), priority="cmdline")
    seeds = SeedList([parts for site in sites if (parts := canonical_url(site.url)) is not None])
    arguments = {"output": str(folder), **({"crawl": crawl} if crawl else {})}
    found_by = {site.url: site.found_by for site in sites}
    plan = SitePlan.of_sites(own, rules, parameters, seeds, arguments=arguments, found_by=found_by)
    prepared: dict[str, Any] = {"plan": plan, "state": SiteVerifierSpider.open_state(plan, own)}
    process = AsyncCrawlerProcess(own)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    process.crawl(SiteVerifierSpider, **prepared)
    process.start()


def list_unverified(rules: RuleSet, sites: Sequence[FoundSite], folder: Path) -> None:
    """Write sites.csv of sites that nobody has looked at: the best first, without verdicts."""
    empty = {"verdict": False, "reason": "undecided", "relevance": 0.0, "good_pages": [], "pages": [], "classes": []}
    rows = (
        site_row({**empty, "site": one.site, "start": one.url, "found_by": one.found_by, "rules": rules.name})
        for one in sites
    )
    write_table(folder / "sites.csv", SITE_COLUMNS, rows)


def measure(findings: Sequence[Finding], folder: Path, labels: Mapping[str, bool] | None = None) -> list[Measure]:
    """Write measures.csv: what keyword sets and providers were worth, by the evidence in ``folder``.

    Args:
        labels: whether sites are relevant indeed, as somebody says who looked.
    """
    known = labels or {}
    decisions: Mapping[str, Decision] = {
        record["site"]: Decision(bool(record["verdict"]), len(record["pages"]), known.get(record["site"]))
        for record in read_evidence(folder)
    }
    measures = measures_of(findings, decisions)
    header = (*Measure._fields, "relevance_rate", "mean_pages", "precision")
    rates = [(one.relevance_rate, one.mean_pages, one.precision) for one in measures]
    rows = ((*one, *map(_shown, its)) for one, its in zip(measures, rates, strict=True))
    write_table(folder / MEASURES, header, rows)
    return measures


def _shown(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}"
