"""``scrapy explain``: by which links, kept by which rules, a crawl came to a page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError

if TYPE_CHECKING:
    from crawler_project.reports.chain import Explanation, Hop


class Command(ScrapyCommand):
    """Explain why pages were crawled."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "URL [URL …] --crawl DIR [--json]"

    def short_desc(self) -> str:
        return "Show how a crawl came to a page: the chain from its seed and the rule at each hop"

    def long_desc(self) -> str:
        return (
            f"{self.short_desc()}. Reads the CSV files in the crawl's output directory. Exit code 1 when an address "
            "was not crawled; crawled ones that look alike are named then."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", "-d", metavar="DIR", help="output directory of the crawl")
        parser.add_argument("--json", action="store_true", help="one JSON object a line for each address")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the chains; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._explain(args, opts)
        except ConfigurationError as error:
            sys.stderr.write(f"scrapy explain: {error}\n")
            self.exitcode = 2

    def _explain(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy explain {self.syntax()}")
        if not args or not opts.crawl:
            what = "the crawl's output directory (--crawl DIR)" if args else "at least one address"
            raise ConfigurationError(f"name {what}; usage: scrapy explain {self.syntax()}")
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.reports.chain import explain_urls
        from crawler_project.reports.printable import print_lines

        answers = explain_urls(Path(opts.crawl), args)
        for answer in answers:
            print_lines([json.dumps(_as_json(answer))] if opts.json else [*_as_text(answer), ""])
        self.exitcode = 0 if all(answer.is_crawled for answer in answers) else 1


def _as_json(answer: Explanation) -> dict[str, object]:
    return {
        "url": answer.asked,
        "crawled": answer.is_crawled,
        "complete": answer.is_crawled and not answer.note,
        "note": answer.note,
        "chain": [hop._asdict() for hop in answer.hops],
        "nearest": list(answer.nearest),
    }


def _as_text(answer: Explanation) -> Iterator[str]:
    if not answer.is_crawled:
        yield answer.asked
        yield "  was not crawled: it was never linked, was discarded or refused, or is queued"
        if answer.nearest:
            yield "  crawled addresses that look alike:"
        yield from (f"    {url}" for url in answer.nearest)
        return
    last = answer.hops[-1]
    steps = len(answer.hops) - 1
    yield answer.asked
    yield f"  page {last.position:,} of the crawl, {steps} link{'s' * (steps != 1)} from the first hop below"
    if answer.note:
        yield f"  … {answer.note}"
    for hop in answer.hops:
        yield from _hop_lines(hop)


def _hop_lines(hop: Hop) -> Iterator[str]:
    anchor = f"  “{hop.anchor_text}”" if hop.anchor_text else ""
    yield f"  ↓ {hop.why or 'rule not recorded'}{anchor}" if hop.why != "seed" else "  seed"
    yield f"    {hop.final_url or hop.url}"
    if hop.final_url and hop.final_url != hop.url:
        yield f"      redirected from {hop.url}"
    score = "" if hop.language_score is None else f" {hop.language_score:.2f}"
    target = "on target" if hop.is_target else "off target"
    title = f" · {hop.title}" if hop.title else ""
    yield f"      {hop.language or 'und'}{score}, {target} · page {hop.position:,}{title}"
