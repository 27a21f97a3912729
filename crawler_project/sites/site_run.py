"""Verify sites within a command, page by page before somebody's eyes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import SETTINGS_PRIORITIES, Settings

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.seeding.seed_file import parse_seeds
from crawler_project.sites.site_plan import SitePlan
from crawler_project.spiders.site_verifier import SiteVerifierSpider, Step
from crawler_project.verification.verifier_parameters import VerifierParameters


def verify_sites(
    settings: Settings,
    rules: RuleSet,
    sites: Sequence[str],
    on_step: Callable[[Step], None],
    *,
    parameters: Mapping[str, str] | None = None,
) -> None:
    """Verify sites by address (``http://`` may be left out); returns when all have a verdict.

    Args:
        on_step: told of each page and, with it, where its site stands.
        parameters: as ``-a`` arguments.

    Raises:
        ConfigurationError: a wrong parameter, or what is no address.
    """
    found = parse_seeds("\n".join(sites))
    if found.bad or not found.urls:
        _, text, reason = found.bad[0] if found.bad else (0, "", "no site was named")
        raise ConfigurationError(f"{text!r} is no site: {reason}" if text else reason)
    checked = VerifierParameters.parse(parameters or {})
    with tempfile.TemporaryDirectory() as folder:
        plan = SitePlan.of_sites(settings, rules, checked, found, arguments={"output": str(Path(folder) / "sites")})
        arguments: dict[str, Any] = {
            "plan": plan,
            "state": SiteVerifierSpider.open_state(plan, settings),
            "on_step": on_step,
        }
        process = AsyncCrawlerProcess(_quiet(settings))
        process.crawl(SiteVerifierSpider, **arguments)
        process.start()


def _quiet(settings: Settings) -> Settings:
    """Leave the terminal to the steps, unless the user has asked for a log."""
    if (settings.getpriority("LOG_LEVEL") or 0) < SETTINGS_PRIORITIES["cmdline"]:
        settings = settings.copy()
        settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
    return settings
