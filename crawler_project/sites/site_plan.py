"""What a user asked of a site verification on the command line, checked before anything is fetched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import TLDS_BY_LANGUAGE, Target
from crawler_project.core.urls import is_known_host
from crawler_project.crawling.crawl_plan import FRONTIER_FILE, CrawlPlan, delay_of, user_agent_of
from crawler_project.crawling.output_folder import free_folder, make_writable
from crawler_project.crawling.settings_check import check_settings
from crawler_project.crawling.shared_crawl import is_shared_crawl
from crawler_project.relevance.language.judges import make_anchor_judge
from crawler_project.relevance.rules.rule_file import load_rules, shipped_rules
from crawler_project.relevance.rules.rule_set import RuleJudge, RuleSet
from crawler_project.seeding.seed_file import SeedList, parse_seeds, read_seeds
from crawler_project.strategies import Strategy
from crawler_project.verification.verifier_parameters import VerifierParameters

OWN_ARGUMENTS = ("rules", "sites", "output", "crawl")
EVIDENCE = "evidence*.jsonl"


@dataclass(frozen=True)
class SiteVerification(Strategy):
    """What a frontier is told of: each site queues one URL at a time, in the order of discovery."""

    name: ClassVar[str] = "site_verification"
    rules: str = ""
    page_threshold: float = 0.7


@dataclass(frozen=True, kw_only=True)
class SitePlan(CrawlPlan):
    """A verification that can start."""

    rules: RuleSet
    parameters: VerifierParameters
    found_by: Mapping[str, str]
    """Who found a site, by its URL in ``seeds``; empty for sites that the user named."""

    @classmethod
    def from_arguments(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> SitePlan:
        """Check ``-a`` arguments and settings.

        Raises:
            ConfigurationError: the first thing that is wrong, with what to change.
        """
        if not arguments.get("rules"):
            raise ConfigurationError(f"no rules; name one of {', '.join(shipped_rules())}, or a file: -a rules=FILE")
        if not arguments.get("sites"):
            raise ConfigurationError("no sites; give addresses, or a file of them, one a line: -a sites=FILE")
        rules = load_rules(str(arguments["rules"]))
        parameters = VerifierParameters.parse({k: v for k, v in arguments.items() if k not in OWN_ARGUMENTS})
        return cls.of_sites(settings, rules, parameters, _sites(str(arguments["sites"])), arguments=arguments)

    @classmethod
    def of_sites(
        cls,
        settings: BaseSettings,
        rules: RuleSet,
        parameters: VerifierParameters,
        sites: SeedList,
        *,
        arguments: Mapping[str, str],
        found_by: Mapping[str, str] | None = None,
    ) -> SitePlan:
        """Make a plan for sites that are known; of ``arguments``, ``output`` and ``crawl`` are read."""
        check_settings(settings)
        job = Path(settings["JOBDIR"]) if settings.get("JOBDIR") else None
        crawl = _crawl(arguments.get("crawl"), settings, rules, job)
        user_agent, has_contact = user_agent_of(settings)
        languages = frozenset({rules.language} - {""})
        target = Target(languages, frozenset(tld for code in languages for tld in TLDS_BY_LANGUAGE.get(code, ())))
        return cls(
            target=target,
            strategy=SiteVerification(rules.name, parameters.page_threshold),
            judge=RuleJudge(rules, parameters.page_threshold),
            anchor_judge=make_anchor_judge(target),
            judge_name=rules.name,
            seeds=sites.urls,
            bad_seeds=sites.bad,
            budget=None,
            output=_output(arguments.get("output"), job, rules, crawl),
            job=job,
            user_agent=user_agent,
            has_contact=has_contact,
            delay=delay_of(settings) * (1 if has_contact else 2),
            crawl=crawl,
            rules=rules,
            parameters=parameters,
            found_by=found_by or {},
        )

    @property
    def identity(self) -> dict[str, str]:
        """What must be the same when a verification is continued."""
        return {
            "rules": f"{self.rules.name} {self.rules.digest}",
            "parameters": ", ".join(f"{name}={value}" for name, value in self.parameters.as_dict().items()),
            "output": str(self.output.resolve()),
        }


def _sites(source: str) -> SeedList:
    """Read a file of addresses, or the addresses themselves, ``http://`` or not, with commas between them."""
    given = [text.strip() for text in source.split(",")]
    if all(map(_is_address, given)):
        sites = parse_seeds("\n".join(given))
        if not sites.urls:
            raise ConfigurationError(f"sites={source!r} has no address of a site")
        return sites
    try:
        return read_seeds(source)
    except ConfigurationError as error:
        raise ConfigurationError(re.sub("^seeds=", "sites=", str(error))) from error


def _is_address(text: str) -> bool:
    """Whether a text is meant as an address: with a scheme, or a host of a known top-level domain; no file of that name is there."""
    return not Path(text).exists() and (
        text.startswith(("http://", "https://")) or is_known_host(text.partition("/")[0])
    )


def _crawl(given: str | None, settings: BaseSettings, rules: RuleSet, job: Path | None) -> str:
    if not is_shared_crawl(given, settings, job):
        return ""
    return given or settings.get("FRONTIER_CRAWL") or f"sites-{rules.name}"


def _output(value: str | None, job: Path | None, rules: RuleSet, crawl: str) -> Path:
    """The output folder, which must be writable, and free of another verification's files."""
    stem = f"output/sites-{rules.name}"
    path = Path(value or (f"output/{crawl}" if crawl else job / "output" if job else free_folder(stem)))
    make_writable(path)
    continues = bool(crawl) or (job is not None and (job / FRONTIER_FILE).exists())
    if not continues and any(path.glob(EVIDENCE)):
        raise ConfigurationError(
            f"output={str(path)!r} holds a verification already; choose another folder (to continue one, run it with -s JOBDIR=FOLDER)"
        )
    return path
