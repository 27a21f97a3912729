"""``scrapy explain``: by which links, kept by which rules, a crawl came to a page, and why it left a link."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.reports.chain import Explanation, Hop
    from crawler_project.reports.left_link import LeftLink
    from crawler_project.simulator.simulated_standing import Standing


class Command(ScrapyCommand):
    """Explain why pages were crawled."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "URL [URL …] (--crawl DIR [--jobdir DIR | --redis URL] | --simulation FILE --web WEB) [--json]"

    def short_desc(self) -> str:
        return "Show how a crawl came to a page, rule by rule, or why it left a link"

    def long_desc(self) -> str:
        return (
            f"{self.short_desc()}. Reads the CSV files in the crawl's output directory; of an address without a row also the crawl's "
            "queue, in its JOBDIR or in Redis. Exit code 1 when an address was not crawled; crawled ones that look alike "
            "are named then."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", "-d", metavar="DIR", help="output directory of the crawl")
        parser.add_argument("--jobdir", metavar="DIR", help="its JOBDIR, for addresses that it left; not while it runs")
        parser.add_argument("--redis", metavar="URL", help="its Redis, for the same (default: REDIS_URL and the other settings)")  # fmt: skip
        parser.add_argument(
            "--simulation", metavar="FILE", help="what scrapy simulate --state wrote, instead of a crawl"
        )
        parser.add_argument("--web", metavar="WEB", help="the web that was simulated")
        parser.add_argument("--json", action="store_true", help="one JSON object a line for each address")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the chains; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._explain(args, opts)
        except CrawlerProjectError as error:
            tell(f"scrapy explain: {error}")
            self.exitcode = 2

    def _explain(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy explain {self.syntax()}")
        what = _missing(args, opts)
        if what:
            raise ConfigurationError(f"name {what}; usage: scrapy explain {self.syntax()}")
        if opts.simulation:
            self._explain_simulation(args, opts)
        else:
            self._explain_crawl(args, opts)

    def _explain_crawl(self, args: list[str], opts: argparse.Namespace) -> None:
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.crawling.queue_search import QueueSearch
        from crawler_project.reports.chain import explain_urls
        from crawler_project.reports.printable import print_lines

        folder = Path(opts.crawl)
        answers = explain_urls(folder, args)
        with QueueSearch(folder, opts.jobdir, opts.redis, self._settings()) as search:
            left = {answer.asked: search.find(answer.asked) for answer in answers if not answer.is_crawled}
        sources = {link.referrer for link in left.values() if link is not None and link.referrer}
        chains = dict(zip(sources, explain_urls(folder, list(sources)), strict=True)) if sources else {}
        for answer in answers:
            link = left.get(answer.asked)
            chain = chains.get(link.referrer) if link is not None else None
            print_lines(
                [json.dumps(_as_json(answer, link, chain))]
                if opts.json
                else [*_as_text(answer, link, chain, search.note), ""]
            )
        self.exitcode = 0 if all(answer.is_crawled for answer in answers) else 1

    def _explain_simulation(self, args: list[str], opts: argparse.Namespace) -> None:
        from crawler_project.reports.printable import print_lines
        from crawler_project.simulator.read_web import read_web
        from crawler_project.simulator.simulated_standing import find_standing, open_simulation

        simulator = open_simulation(read_web(Path(opts.web)), Path(opts.simulation))
        standings = [find_standing(simulator, asked) for asked in args]
        for asked, standing in zip(args, standings, strict=True):
            lines = (
                [json.dumps(_standing_json(asked, standing))] if opts.json else [*_standing_lines(asked, standing), ""]
            )
            print_lines(lines)
        self.exitcode = 0 if all(standing.state == "downloaded" for standing in standings) else 1

    def _settings(self) -> Settings:
        return self.settings if self.settings is not None else Settings()


def _missing(args: list[str], opts: argparse.Namespace) -> str:
    """What was not said; empty: all is there."""
    if not args:
        return "at least one address"
    if opts.simulation:
        return "" if opts.web else "the web that was simulated (--web WEB)"
    return "" if opts.crawl else "the crawl's output directory (--crawl DIR)"


def _left_of(standing: Standing) -> LeftLink:
    from crawler_project.reports.left_link import LeftLink

    priority = standing.priority if standing.state == "queued" else None
    return LeftLink(standing.state, "", priority, standing.offset, weighing=standing.weighing)


def _standing_json(asked: str, standing: Standing) -> dict[str, object]:
    is_there = standing.state == "downloaded"
    chain = [stop._asdict() for stop in standing.chain]
    return {
        "url": asked,
        "crawled": is_there,
        "chain": chain,
        "left": None if is_there else _left_of(standing).as_json(),
    }


def _standing_lines(asked: str, standing: Standing) -> Iterator[str]:
    yield asked
    link = _left_of(standing)
    if standing.state == "downloaded":
        steps = len(standing.chain) - 1
        yield f"  was downloaded, {steps} link{'s' * (steps != 1)} from a seed"
    else:
        yield f"  was not downloaded: {link.state_line()}"
    for place, stop in enumerate(standing.chain):
        yield "  ↓" if place else "  seed"
        yield f"    {stop.url}"
        if standing.state == "downloaded" or place < len(standing.chain) - 1:
            yield f"      {stop.language}, {'on target' if stop.is_target else 'off target'}"
    yield from (f"      {line}" for line in link.weighing_lines())


def _as_json(answer: Explanation, link: LeftLink | None, chain: Explanation | None) -> dict[str, object]:
    hops = answer.hops or (chain.hops if chain is not None else ())
    return {
        "url": answer.asked,
        "crawled": answer.is_crawled,
        "complete": answer.is_crawled and not answer.note,
        "note": answer.note,
        "chain": [hop._asdict() for hop in hops],
        "nearest": list(answer.nearest),
        "left": None if link is None else link.as_json(),
    }


def _as_text(answer: Explanation, link: LeftLink | None, chain: Explanation | None, hint: str) -> Iterator[str]:
    yield answer.asked
    if not answer.is_crawled:
        if link is None:
            yield "  was not crawled: it was never linked, was discarded or refused, or is queued"
            yield f"  … {hint}"
        yield from _left_lines(answer, link, chain)
        return
    last = answer.hops[-1]
    steps = len(answer.hops) - 1
    yield f"  page {last.position:,} of the crawl, {steps} link{'s' * (steps != 1)} from the first hop below"
    yield from _chain_lines(answer)


def _left_lines(answer: Explanation, link: LeftLink | None, chain: Explanation | None) -> Iterator[str]:
    if link is not None:
        yield f"  was not crawled: {link.state_line()}"
    if chain is not None:
        yield from _chain_lines(chain)
    if link is not None and link.priority is not None:
        yield _link_line(link.why, link.anchor_text)
        yield f"    {answer.asked}"
        yield from (f"      {line}" for line in link.weighing_lines())
    elif answer.nearest:
        yield "  crawled addresses that look alike:"
        yield from (f"    {url}" for url in answer.nearest)


def _chain_lines(answer: Explanation) -> Iterator[str]:
    if answer.note:
        yield f"  … {answer.note}"
    for hop in answer.hops:
        yield from _hop_lines(hop)


def _link_line(why: str, anchor_text: str) -> str:
    anchor = f"  “{anchor_text}”" if anchor_text else ""
    return f"  ↓ {why or 'rule not recorded'}{anchor}" if why != "seed" else "  seed"


def _hop_lines(hop: Hop) -> Iterator[str]:
    yield _link_line(hop.why, hop.anchor_text)
    yield f"    {hop.final_url or hop.url}"
    if hop.final_url and hop.final_url != hop.url:
        yield f"      redirected from {hop.url}"
    score = "" if hop.language_score is None else f" {hop.language_score:.2f}"
    target = "on target" if hop.is_target else "off target"
    title = f" · {hop.title}" if hop.title else ""
    yield f"      {hop.language or 'und'}{score}, {target} · page {hop.position:,}{title}"
