"""``scrapy verify``: is this site a bookshop? One or a few sites, step by step."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.spiders.site_verifier import Step
    from crawler_project.verification.verdict import Verdict


class Command(ScrapyCommand):
    """Verify sites and print each step."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "--rules RULES [-a NAME=VALUE] SITE ..."

    def short_desc(self) -> str:
        return "Say step by step whether sites are of a line of business"

    def long_desc(self) -> str:
        return (
            "Fetches a few pages of each site, the most promising first, scores them by the rules (a name or a TOML file) and "
            "prints each page and the verdict with its evidence. The exit code is 0 when all sites are accepted, 1 when one is "
            "not. Parameters as for the spider site_verifier: -a page_threshold=0.7 -a num_rel_pages=5 -a num_exp_pages=50 "
            "-a classes=literal|generalised -a new_class=zero|one|mean|parent|size|family -a explore=true|false -a early_no=true|false."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-r", "--rules", metavar="RULES", help="a shipped rule file's name, or a path")
        parser.add_argument("-a", dest="parameters", action="append", default=[], metavar="NAME=VALUE")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        self._shown: set[str] = set()
        self._accepted: dict[str, bool] = {}
        try:
            self._verify(args, opts)
        except CrawlerProjectError as error:
            tell(f"scrapy verify: {error}")
            self.exitcode = 2

    def _verify(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy verify {self.syntax()}")
        if not args or not opts.rules:
            what = "the rules (--rules bookshop-ko)" if args else "at least one site"
            raise ConfigurationError(f"name {what}; usage: scrapy verify {self.syntax()}")
        odd = [text for text in opts.parameters if "=" not in text]
        if odd:
            raise ConfigurationError(f"-a {odd[0]!r} must be NAME=VALUE")
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.relevance.rules.rule_file import load_rules
        from crawler_project.sites.site_run import verify_sites

        assert self.settings is not None
        parameters = dict(text.split("=", 1) for text in opts.parameters)
        rules = load_rules(opts.rules)
        verify_sites(self.settings, rules, args, self._show, parameters=parameters)
        self.exitcode = 0 if self._accepted and all(self._accepted.values()) else 1

    def _show(self, step: Step) -> None:
        from crawler_project.reports.printable import print_lines

        row, verdict = step.row, step.case.verifier.verdict
        sign = "+" if row.is_good else " "
        what = row.rules if row.outcome == "page" else f"({row.outcome})"
        lines = [f"{row.site}  {row.number:>3} {sign} {row.score:.2f}  {row.url}  {what}"]
        if row.final_url != row.url:
            lines.append(f"{row.site}        at {row.final_url}")
        if verdict is not None:
            self._accepted[verdict.site] = verdict.is_relevant
            lines.extend(_verdict_lines(verdict, step.case.moved_to))
        print_lines(lines)
        sys.stdout.flush()


def _verdict_lines(verdict: Verdict, moved_to: str) -> Iterator[str]:
    word = "yes" if verdict.is_relevant else "no"
    good, pages = len(verdict.good_pages), len(verdict.pages)
    yield f"{verdict.site}  → {word}: {verdict.reason} ({good} good of {pages} page{'s' * (pages != 1)})"
    if moved_to:
        yield f"{verdict.site}    its first page is at another site now: {moved_to}"
    for one in sorted(verdict.classes, key=lambda one: -one.expanded)[:5]:
        yield f"{verdict.site}    H {one.heuristic:.2f}  {one.expanded} expanded, {one.queued} queued  {one.abstract_url}"
