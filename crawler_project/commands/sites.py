"""``scrapy sites``: the sites of a line of business, by search engines, each verified; what the search was worth."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.metasearch.found_sites import FoundSite
    from crawler_project.metasearch.search_measures import Measure
    from crawler_project.relevance.rules.rule_set import RuleSet
    from crawler_project.sites.site_search import Searched

_USAGE = (
    "find -a rules=RULES [--provider NAME[=WHERE] …] [--keywords FILE] [--out DIR] [--no-verify] [-a NAME=VALUE …]"
    " | measure DIR [--labels FILE.csv]"
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside a word is part of it: ``C#``."""


class Command(ScrapyCommand):
    """Search for sites and verify them."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return _USAGE

    def short_desc(self) -> str:
        return "Find the sites of a line of business with search engines, and verify each"

    def long_desc(self) -> str:
        return (
            "Sends the keyword sets of the rule file to every provider, merges what they find into a list of sites, each once, "
            "and verifies each as `scrapy crawl site_verifier` does. A provider is searxng=ADDRESS, brave (key in the environment: "
            "BRAVE_SEARCH_API_KEY), commoncrawl=ADDRESS|FILE, file=DIRECTORY or page=SAVED.html; it may be named several times. "
            "Writes found.csv (who found what), sites.csv, pages.csv, evidence.jsonl and measures.csv. The same command again goes on "
            "where it was. measure: search relevance rate, precision (where --labels says which sites are relevant indeed) and pages a site. Parameters of the verification: -a page_threshold=0.7 -a num_rel_pages=5 -a num_exp_pages=50 …"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("-a", dest="arguments", action="append", default=[], metavar="NAME=VALUE", help="rules=…, and parameters")
        add("--provider", dest="providers", action="append", default=[], metavar="NAME[=WHERE]", help="default: METASEARCH_PROVIDERS")  # fmt: skip
        add("--keywords", metavar="FILE", default="", help="keyword sets, one a line (default: those of the rule file)")
        add("--out", metavar="DIR", default="", help="default: output/found-RULES")
        add("--pages", metavar="N", default="3", help="pages of results a keyword set and provider (default: %(default)s)")  # fmt: skip
        add("--most", metavar="N", default="", help="verify only the N best-ranked sites")
        add("--labels", metavar="FILE.csv", default="", help="measure: columns site and relevant (true, false)")
        verify = parser.add_mutually_exclusive_group()
        verify.add_argument("--verify", action="store_true", default=True, help="verify what is found (the default)")
        verify.add_argument("--no-verify", dest="verify", action="store_false", help="only list what is found")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Search and verify; one line on standard error and exit code 2 when that cannot be done, 1 when nothing is found."""
        try:
            self.exitcode = self._run(args, opts)
        except CrawlerProjectError as error:
            tell(f"scrapy sites: {error}")
            self.exitcode = 2
        except KeyboardInterrupt:
            tell("scrapy sites: interrupted")
            self.exitcode = 130

    def _run(self, args: list[str], opts: argparse.Namespace) -> int:
        _check(args)
        if args[0] == "measure":
            return _measure(Path(args[1]), opts.labels)
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.metasearch.found_sites import merged_sites
        from crawler_project.relevance.rules.rule_file import load_rules, shipped_rules
        from crawler_project.sites.site_search import SearchPlan, search
        from crawler_project.verification.verifier_parameters import VerifierParameters

        assert self.settings is not None
        given = _arguments(opts.arguments)
        if not given.get("rules"):
            raise ConfigurationError(f"no rules; name one of {', '.join(shipped_rules())}, or a file: -a rules=FILE")
        rules, crawl = load_rules(given.pop("rules")), given.pop("crawl", "")
        parameters = VerifierParameters.parse(given)
        pages, most = _number("pages", opts.pages), _number("most", opts.most) if opts.most else sys.maxsize
        queries = read_keywords(opts.keywords) if opts.keywords else rules.keywords
        folder = Path(opts.out or f"output/found-{rules.name}")
        searched = search(SearchPlan.of(self.settings, opts.providers, queries, pages, rules.language), folder)
        _print(_search_lines(searched))
        sites = merged_sites(searched.findings)[:most]
        if not sites:
            tell("scrapy sites: no provider has found a site")
            return 1
        if opts.verify:
            from crawler_project.sites.site_finding import verify_found

            verify_found(self.settings, rules, parameters, sites, folder, crawl=crawl)
        return _tell(rules, searched, sites, folder, is_verified=opts.verify)


def read_keywords(name: str) -> list[str]:
    """Read keyword sets, one a line; ``#`` begins a comment.

    Raises:
        ConfigurationError: the file cannot be read, or has none.
    """
    from crawler_project.seeding.byte_source import open_chunks, text_lines
    from crawler_project.seeding.damage import Damage

    damage = Damage()
    lines = (_COMMENT.sub("", line) for line in text_lines(open_chunks(name, damage)))
    queries = list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))
    if damage.faults:
        raise ConfigurationError(f"keywords={damage.faults[0]}")
    if not queries or any("\0" in query for query in queries):
        raise ConfigurationError(
            f"keywords={name!r} has no keyword sets; write one a line, for example: online bookshop"
        )
    return queries


def _measure(folder: Path, labels: str) -> int:
    from crawler_project.sites.site_finding import MEASURES, measure
    from crawler_project.sites.site_labels import read_labels
    from crawler_project.sites.site_search import stored_findings

    findings = stored_findings(folder)
    known = read_labels(labels) if labels else {}
    try:
        _print(_measure_lines(measure(findings, folder, known)))
    except OSError as error:
        raise ConfigurationError(f"{str(folder / MEASURES)!r} cannot be written: {error.strerror}") from error
    return 0


def _tell(rules: RuleSet, searched: Searched, sites: Sequence[FoundSite], folder: Path, *, is_verified: bool) -> int:
    from crawler_project.sites.site_finding import list_unverified, measure

    try:
        if not is_verified:
            list_unverified(rules, sites, folder)
        measures = measure(searched.findings, folder)
    except OSError as error:
        raise ConfigurationError(f"out={str(folder)!r} cannot be written: {error.strerror}") from error
    if is_verified:
        _print(_measure_lines(measures))
    _print([f"Next: look at {folder / 'sites.csv'}"])
    return 0


def _search_lines(searched: Searched) -> Iterator[str]:
    """Say how each provider did; what went wrong is said on standard error."""
    for report in searched.reports:
        name = report["provider"] + (f" {report['place']}" if report["place"] else "")
        answered = sum(one["outcome"] == "ok" for one in report["queries"])
        hits = sum(one["hits"] for one in report["queries"])
        yield f"{name}: {answered} of {len(report['queries'])} keyword sets answered, {hits:,} hits, {report['sites']:,} sites"
        if report["complaint"]:
            tell(f"scrapy sites: {name}: {report['complaint']}")
        for note, count in report["notes"].items():
            tell(f"scrapy sites: {name}: {note}" + f" ({count} times)" * (count > 1))
    if searched.is_stored:
        yield "(found by an earlier run; in another --out the search is done anew)"
    providers: dict[str, set[str]] = {}
    for one in searched.findings:
        providers.setdefault(one.site, set()).add(one.provider)
    yield f"{len(providers):,} sites, {sum(len(names) > 1 for names in providers.values()):,} of them from several providers"


def _measure_lines(measures: Iterable[Measure]) -> Iterator[str]:
    """Tables 1 and 2 of the paper, on the sites that are verified; precision where there are labels."""
    measures = list(measures)
    has_labels = any(one.labelled for one in measures)
    head = f"{'provider':<12} {'keyword set':<34} {'sites':>6} {'verified':>9} {'relevant':>9} {'rate':>7} {'pages a site':>13}"
    yield head + (f" {'precision':>10}" if has_labels else "")
    for one in measures:
        rate = "" if one.relevance_rate is None else f"{one.relevance_rate:.1%}"
        pages = "" if one.mean_pages is None else f"{one.mean_pages:.1f}"
        line = f"{one.provider:<12} {one.query[:34]:<34} {one.sites:>6,} {one.verified:>9,} {one.relevant:>9,} {rate:>7} {pages:>13}"
        yield line + (f" {one.precision:>10.1%}" if one.precision is not None else "")


def _check(args: Sequence[str]) -> None:
    unknown = [arg for arg in args if arg.startswith("-")]
    if unknown:
        raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy sites {_USAGE}")
    if args[:1] == ["measure"] and len(args) != 2:
        raise ConfigurationError(f"name one folder; usage: scrapy sites {_USAGE}")
    if list(args) != ["find"] and args[:1] != ["measure"]:
        got = f"{' '.join(args)!r} is none" if args else "nothing was asked for"
        raise ConfigurationError(f"{got}; usage: scrapy sites {_USAGE}")


def _arguments(texts: Sequence[str]) -> dict[str, str]:
    odd = [text for text in texts if "=" not in text]
    if odd:
        raise ConfigurationError(f"-a {odd[0]!r} must be NAME=VALUE")
    return dict(text.split("=", 1) for text in texts)


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError(f"--{name} {text} does not fit; allowed: a whole number, 1 or more")
    return int(text)


def _print(lines: Iterable[str]) -> None:
    from crawler_project.reports.printable import print_lines

    print_lines(lines)
    sys.stdout.flush()
