"""``scrapy seeds``: from a web directory or any other list to seeds of one language."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from crawler_project.seed_jobs.files import Counted

_STEPS: Final[Mapping[str, str]] = {
    "extract": "FILE… [--topic PATTERN] [--column NAME]",
    "sort": "[urls.csv] [--by tld|domain] [--keep com,net,kr] [--table FILE] [--picture FILE]",
    "identify": "[urls.csv] [--by page|text|url] [--job DIR] [--dead FILE] [--table FILE] [--picture FILE]",
    "sample": "[urls.csv] [--language ko] [--n 1000] [--per-host 1] [--random-state 0] [--strata tld,topic]",
    "rank": "[urls.csv|-] --links WEB [--by hits|authority|pagerank] [--n N]",
    "make": "--target ko --from FILE… [--output DIR] [--by text,url|text|url|page] [--n 1000] [--keep …] [--links WEB]",
}


class Command(ScrapyCommand):
    """Make seeds."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": True}

    def syntax(self) -> str:
        return " | ".join(f"{step} {usage}" for step, usage in _STEPS.items())

    def short_desc(self) -> str:
        return "Make seeds: extract, sort, identify, sample, rank, or make (all of it)"

    def long_desc(self) -> str:
        return (
            "Every step reads and writes one CSV (url, title, description, topic, source, and what the steps add), from "
            "a file or standard input to --output or standard output. extract reads DMOZ's content.rdf.u8, address lists, "
            "CSV with a column of addresses, sitemaps, OPML, bookmark files, WARC files and CDXJ indexes, plain, gzip or zstd."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--output", "-o", metavar="FILE", help="default: standard output; make: a folder, by default seeds-TARGET")
        add("--by", metavar="WAY", help="sort: tld or domain; identify: page, text, url or text,url; rank: hits, authority or pagerank")  # fmt: skip
        add("--topic", metavar="PATTERN", action="append", default=[], help="extract, make: only these topics; * stands for anything; may be repeated")  # fmt: skip
        add("--without-topic", metavar="PATTERN", action="append", help="extract, make: not these topics (make: by default adult and malware ones)")  # fmt: skip
        add("--format", metavar="FORM", default="", help="extract, make: dmoz, list, csv, sitemap, opml, bookmarks, warc or cdxj (default: told by content)")  # fmt: skip
        add("--column", metavar="NAME", help="extract, make: column of addresses in a CSV file, by name or number")
        add("--encoding", metavar="NAME", default="", help="extract, make: of the files (default: as they declare, else UTF-8)")  # fmt: skip
        add(
            "--keep",
            metavar="TLDS",
            default="",
            help="sort, make: only these top-level domains, as com,net,cn,tw,jp,kr",
        )
        add("--unique", action="store_true", help="sort: each address once")
        add("--table", metavar="FILE.csv", default="", help="sort, identify: the counts as CSV")
        add("--picture", metavar="FILE", default="", help="sort, identify: the counts as a picture (.png, .svg, .pdf)")
        add(
            "--job", metavar="DIR", default="", help="identify by page: keeps the crawl, to go on after an interruption"
        )
        add("--dead", metavar="FILE.csv", default="", help="identify by page: seeds without a page, with the reason")
        add("--judge", metavar="NAME", default="", help="identify, make: judge of languages (default: LANGUAGE_JUDGE)")
        add("--language", metavar="CODES", default="", help="sample: only rows of these languages, as ko or ko,ja")
        add("--n", metavar="N", help="sample, make: how many (default: 1000); rank: how many (default: all)")
        add("--per-host", metavar="N", default="1", help="sample, make: most of one host; 0: no limit (default: 1)")
        add("--random-state", metavar="N", default="0", help="sample, rank, make: another number, another sample")
        add("--strata", metavar="NAMES", default="", help="sample, make: tld, topic, or tld,topic: each in proportion")
        add("--links", metavar="WEB", default="", help="rank, make: a recorded web, a crawl's output, or CSV with source,target")  # fmt: skip
        add("--target", metavar="CODES", default="", help="make: the languages, as ko or ko,ja")
        add(
            "--from",
            metavar="FILE",
            dest="sources",
            nargs="+",
            action="extend",
            default=[],
            help="make: what extract reads",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do one step; one line on standard error and exit code 2 when that cannot be done."""
        try:
            _check(args)
            assert self.settings is not None
            _tell(args[0], _run(args[0], args[1:], opts, self.settings))
        except CrawlerProjectError as error:
            tell(f"scrapy seeds: {error}")
            self.exitcode = 2
        except BrokenPipeError:  # whoever read has enough; Python must not find out once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt:
            tell("scrapy seeds: interrupted; with --output, the same command goes on where it was")
            self.exitcode = 130


def _check(args: Sequence[str]) -> None:
    if not args or args[0] not in _STEPS:
        got = f"{args[0]!r} is no step; " if args else ""
        raise ConfigurationError(f"{got}say which: {', '.join(_STEPS)} (scrapy seeds --help shows what they take)")
    usage = f"usage: scrapy seeds {args[0]} {_STEPS[args[0]]}"
    if unknown := [arg for arg in args[1:] if arg.startswith("-") and arg != "-"]:
        raise ConfigurationError(f"unknown option {unknown[0]}; {usage}")
    most = {"extract": sys.maxsize, "make": 0}.get(args[0], 1)
    if len(args) - 1 > most or (args[0] == "extract" and len(args) == 1):
        raise ConfigurationError(usage)


def _run(step: str, files: Sequence[str], opts: argparse.Namespace, settings: Settings) -> Counted:
    # Here, because Scrapy imports all commands before it runs one.
    from crawler_project.seed_jobs import steps

    source, output = (files or ["-"])[0], opts.output or "-"
    tables = {"table": opts.table, "picture": opts.picture}
    if step == "extract":
        return steps.extract(files, output, topics=opts.topic, without=opts.without_topic or (), **_reading(opts))
    if step == "sort":
        return steps.sort(source, output, by=opts.by or "tld", keep=_names(opts.keep), unique=opts.unique, **tables)
    if step == "identify":
        from crawler_project.seed_jobs.identify import identify

        by, judge, job = opts.by or "page", opts.judge, opts.job
        return identify(source, output, by=by, settings=settings, judge=judge, job=job, dead=opts.dead, **tables)
    if step == "sample":
        return steps.sample(source, output, languages=_languages(opts.language, settings), **_sampling(opts))
    if step == "rank":
        from crawler_project.seed_jobs.ranks import rank

        n, state = _number("n", opts.n or "0"), _number("random-state", opts.random_state)
        return rank(source if files else "", output, links=opts.links, by=opts.by or "hits", n=n, random_state=state)
    return _make(opts, settings)


def _make(opts: argparse.Namespace, settings: Settings) -> Counted:
    from crawler_project.seed_jobs.chain import Chain, make_seeds
    from crawler_project.seed_jobs.steps import EXCLUDED_TOPICS

    chain = Chain(
        target=opts.target,
        sources=opts.sources,
        folder=opts.output or f"seeds-{opts.target.replace(',', '-')}",
        reading=_reading(opts),
        topics=opts.topic,
        without=EXCLUDED_TOPICS if opts.without_topic is None else opts.without_topic,
        keep=_names(opts.keep),
        by=opts.by or "text,url",
        judge=opts.judge,
        links=opts.links,
        sampling=_sampling(opts),
    )
    return make_seeds(chain, settings)


def _reading(opts: argparse.Namespace) -> dict[str, Any]:
    return {"form": opts.format, "column": opts.column, "encoding": opts.encoding}


def _sampling(opts: argparse.Namespace) -> dict[str, Any]:
    return {
        "n": _number("n", opts.n or "1000", 1),
        "per_host": _number("per-host", opts.per_host),
        "random_state": _number("random-state", opts.random_state),
        "strata": _names(opts.strata),
    }


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _languages(text: str, settings: Settings) -> list[str]:
    """Read the codes that a table may be asked for: those that ``identify`` writes."""
    from crawler_project.core.target import check_language
    from crawler_project.core.values import UNKNOWN
    from crawler_project.relevance.language.model import known_languages

    codes = _names(text)
    for code in codes:
        check_language(code, known_languages(settings.get("LANGUAGE_MODEL") or None) | {UNKNOWN})
    return codes


def _number(name: str, text: str, least: int = 0) -> int:
    if not text.isdigit() or int(text) < least:
        raise ConfigurationError(f"--{name} {text} does not fit; allowed: a whole number, {least} or more")
    return int(text)


def _tell(step: str, counted: Counted) -> None:
    """Say on standard error what became of the rows: standard output has them."""
    from crawler_project.seeding.count_table import print_lines

    for line in (*counted.notes, *(print_lines(counted.table) if counted.table is not None else ())):
        tell(line)
    tell(f"{step}: {counted.read:,} addresses read, {counted.written:,} written")
