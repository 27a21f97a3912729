"""What a user asked for on the command line, checked before anything is fetched."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler_project import __version__
from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import AnchorJudge, RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import UrlParts
from crawler_project.crawling.output_folder import free_folder, make_writable
from crawler_project.crawling.settings_check import check_settings, tlds_by_language
from crawler_project.crawling.shared_crawl import crawl_name, is_shared_crawl
from crawler_project.relevance.language.judges import make_anchor_judge, make_language_judge
from crawler_project.relevance.language.model import known_languages
from crawler_project.seeding.seed_file import read_seeds
from crawler_project.sites.site_watch import WatchPlan
from crawler_project.strategies import Strategy, make_strategy

SEEDS = Path(__file__).resolve().parent.parent.parent / "seeds"
FRONTIER_FILE = "frontier.sqlite3"
"""Within ``JOBDIR``; where it is, a crawl is continued."""
OWN_ARGUMENTS = ("target", "strategy", "seeds", "pages", "output", "judge", "crawl")


@dataclass(frozen=True)
class CrawlPlan:
    """A crawl that can start: every part of it exists and fits."""

    target: Target
    strategy: Strategy
    judge: RelevanceJudge
    anchor_judge: AnchorJudge
    judge_name: str
    seeds: Sequence[UrlParts]
    bad_seeds: Sequence[tuple[int, str, str]]
    """Line number, line, reason."""
    budget: int | None
    """Pages to store; ``None``: until the frontier is empty."""
    output: Path
    job: Path | None
    user_agent: str
    has_contact: bool
    delay: float
    """Seconds between two requests to a host."""
    crawl: str = ""
    """The name under which workers share the crawl in Redis; empty: this process crawls alone."""
    watch: WatchPlan | None = None
    """What the sites of the crawl are verified by; ``None``: they are not."""

    @classmethod
    def from_arguments(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> CrawlPlan:
        """Check ``-a`` arguments and settings.

        Raises:
            ConfigurationError: the first thing that is wrong, with what to change.
        """
        own = {key: str(value) for key, value in arguments.items() if key in OWN_ARGUMENTS}
        parameters = {key: value for key, value in arguments.items() if key not in OWN_ARGUMENTS}
        if not own.get("target"):
            raise ConfigurationError("no target; name a language, for example -a target=ko")
        model = settings.get("LANGUAGE_MODEL") or None
        known = known_languages(model)
        target = Target.parse(own["target"], known, tlds_by_language(settings, known))
        strategy = live_strategy(own.get("strategy") or settings["FOCUS_STRATEGY"], parameters, OWN_ARGUMENTS)
        judge_name = own.get("judge") or settings["LANGUAGE_JUDGE"]
        judge = make_language_judge(judge_name, target, model)
        return cls(
            target=target,
            strategy=strategy,
            judge=judge,
            anchor_judge=make_anchor_judge(target),
            judge_name=judge_name,
            **common_parts(settings, own, target, strategy, default_seeds_of(target) if not own.get("seeds") else ""),
        )

    @property
    def wanted(self) -> str:
        """What target pages are, as in ``12 pages in ko``."""
        return f"in {self.target}"

    @property
    def identity(self) -> dict[str, str]:
        """What must be the same when a crawl is continued."""
        return {
            "target": str(self.target),
            "strategy": repr(self.strategy),
            "judge": self.judge_name,
            "output": str(self.output.resolve()),
            **({"verify": str(self.watch)} if self.watch else {}),
        }


def live_strategy(name: str, parameters: Mapping[str, str], arguments: Sequence[str]) -> Strategy:
    """Make the strategy of a crawl; ``arguments``: what a crawl of the kind takes besides the strategy's parameters.

    Raises:
        ConfigurationError: no such strategy or parameter (with the argument that was probably meant), or one for the simulator only.
    """
    try:
        strategy = make_strategy(name, **parameters)
    except ConfigurationError as error:
        meant = [(key, close) for key in parameters for close in difflib.get_close_matches(key, arguments, 1, 0.75)]
        hints = [f"; did you mean -a {close}={parameters[key]}?" for key, close in meant if repr(key) in str(error)]
        raise ConfigurationError(f"{error}{''.join(hints[:1])}") from error
    if strategy.needs_whole_web:
        raise ConfigurationError(
            f"strategy={strategy.name!r} has to know the whole web beforehand; it runs in `scrapy simulate` only"
        )
    return strategy


def common_parts(
    settings: BaseSettings, own: Mapping[str, str], target: Target, strategy: Strategy, seeds: str
) -> dict[str, Any]:
    """Check what is the same for every kind of crawl; ``seeds``: the files where the arguments name none.

    Raises:
        ConfigurationError: the first thing that is wrong, with what to change.
    """
    budget = _budget(own.get("pages"))
    check_settings(settings)
    job = Path(settings["JOBDIR"]) if settings.get("JOBDIR") else None
    crawl = _crawl(own.get("crawl"), settings, target, strategy, job)
    output = _output(own.get("output"), job, target, strategy, crawl)
    read = read_seeds(own.get("seeds") or seeds)
    user_agent, has_contact = user_agent_of(settings)
    return {
        "seeds": read.urls,
        "bad_seeds": read.bad,
        "budget": budget,
        "output": output,
        "job": job,
        "user_agent": user_agent,
        "has_contact": has_contact,
        "delay": delay_of(settings) * (1 if has_contact else 2),
        "crawl": crawl,
    }


def _budget(value: str | None) -> int | None:
    if not value:
        return None
    if not value.isdigit() or int(value) == 0:
        raise ConfigurationError(
            f"pages={value!r} must be a whole number of pages, 1 or more (leave it out for no limit)"
        )
    return int(value)


def delay_of(settings: BaseSettings) -> float:
    """FRONTIER_DELAY, or Scrapy's DOWNLOAD_DELAY where it asks for more."""
    return max(settings.getfloat("FRONTIER_DELAY"), settings.getfloat("DOWNLOAD_DELAY"))


def _crawl(given: str | None, settings: BaseSettings, target: Target, strategy: Strategy, job: Path | None) -> str:
    """The crawl's name in Redis; empty for a crawl of one process."""
    if not is_shared_crawl(given, settings, job):
        return ""
    return crawl_name(given, settings, target, strategy)


def _output(value: str | None, job: Path | None, target: Target, strategy: Strategy, crawl: str) -> Path:
    """The output folder, which must be writable, and free of another crawl's files."""
    if value or crawl:
        path = Path(value or f"output/{crawl}")
    else:
        path = job / "output" if job else free_folder(f"output/{target}-{strategy.name}")
    make_writable(path)
    continues = _crawl_of(path) == crawl if crawl else job is not None and (job / FRONTIER_FILE).exists()
    if not continues and any(path.glob("crawled-*.csv")):
        raise ConfigurationError(
            f"output={str(path)!r} holds a crawl already; choose another folder (to continue crawls, run them with -s JOBDIR=FOLDER)"
        )
    return path


def _crawl_of(folder: Path) -> str | None:
    """The name in Redis of the crawl whose files are in ``folder``."""
    try:
        name = json.loads((folder / "crawl.json").read_text(encoding="utf-8")).get("crawl")
    except (OSError, ValueError, AttributeError):
        return None
    return name if isinstance(name, str) else None


def default_seeds_of(target: Target) -> str:
    """Name the seed files that are shipped for the target's languages."""
    found = [SEEDS / f"{language}.txt" for language in sorted(target.languages)]
    missing = [path.stem for path in found if not path.exists()]
    if missing:
        raise ConfigurationError(
            f"no seeds are shipped for {', '.join(missing)}; give your own: -a seeds=FILE (URLs, one a line)"
        )
    return ",".join(map(str, found))


def user_agent_of(settings: BaseSettings) -> tuple[str, bool]:
    """The user agent, and whether it says whom to write to."""
    given, contact = settings.get("USER_AGENT") or "", settings.get("CRAWLER_CONTACT") or ""
    if given:
        return given, bool(contact) or "@" in given or "http" in given
    return f"crawler_project/{__version__}" + (f" (+{contact})" if contact else ""), bool(contact)
