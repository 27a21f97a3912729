"""``scrapy model``: look at what a crawl with ``strategy=adaptive`` has learned."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import tell

SHOWN = 6
"""Classes of a group that are shown, unless all are asked for."""
LEAST_EVIDENCE = 0.1
"""Classes with less have hardly moved from where they began: not shown, unless all are asked for."""


class Command(ScrapyCommand):
    """Show learned states."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "show FILE [--all] [--json]"

    def short_desc(self) -> str:
        return "Show what a crawl with strategy=adaptive has learned: weights, calibration, worth of each group"

    def long_desc(self) -> str:
        return f"{self.short_desc()}. FILE is model.json in a crawl's output folder, or what scrapy simulate --model wrote."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--all", action="store_true", help="all classes and ways that were met, not the strongest alone"
        )
        parser.add_argument("--json", action="store_true", help="print the file as one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the state; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._show(args, opts)
        except ConfigurationError as error:
            tell(f"scrapy model: {error}")
            self.exitcode = 2

    def _show(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 2 or args[0] != "show" or args[1].startswith("-"):
            raise ConfigurationError(f"usage: scrapy model {self.syntax()}")
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.reports.printable import print_lines
        from crawler_project.strategies.learning.state import read_state

        state = read_state(Path(args[1]))
        print_lines([json.dumps(state)] if opts.json else list(_lines(state, show_all=opts.all)))


def _lines(state: Mapping[str, Any], *, show_all: bool) -> Iterator[str]:
    about = ", ".join(f"{key} {value}" for key, value in state["about"].items())
    yield f"learned from {int(state['examples']):,} pages" + (f" ({about})" if about else "")
    yield ""
    yield "worth of each group: spread of what it added to the log-odds"
    for name, value in sorted(state["worth"].items(), key=lambda pair: -pair[1]):
        yield f"  {name:<16} {value:5.2f}"
    yield ""
    yield "calibration: expected and found share of target pages"
    yield from _calibration(state["calibration"])
    yield from _new_hosts(state.get("new_hosts"))
    yield ""
    yield "pages that lead on: target pages a download found through pages off target (such pages, finds), latest counts"
    yield from _ways(state, show_all=show_all)
    yield ""
    yield "weights in log-odds, strongest first (where they began; evidence: sum of squared errors of what was expected)"
    yield from _weights(state, show_all=show_all)
    yield ""
    yield "over time: pages, target pages among them, worth of the four strongest groups"
    yield from _history(state)


def _calibration(cells: list[Mapping[str, float]]) -> Iterator[str]:
    for cell in cells:
        pages = cell["pages"]
        if pages:
            yield f"  {cell['expected'] / pages:6.1%} {cell['target_pages'] / pages:6.1%}  {int(pages):>9,} pages"


def _new_hosts(counts: Mapping[str, float] | None) -> Iterator[str]:
    if counts is not None:
        met, good, most = int(counts["pages"]), int(counts["target_pages"]), counts["most"]
        yield f"  hosts that looked good: {good:,} of {met:,} first pages on target; a new one is expected with {most:.1%} at most"


def _weights(state: Mapping[str, Any], *, show_all: bool) -> Iterator[str]:
    from crawler_project.strategies.learning.features import GROUPS
    from crawler_project.strategies.learning.state import learned_classes

    for name, group in GROUPS.items():
        rows = [row for row in learned_classes(state, 0.0 if show_all else LEAST_EVIDENCE) if row.group == name]
        yield f"  {name}: {group.meaning}" + ("" if rows else " (nothing learned)")
        for row in rows if show_all else rows[:SHOWN]:
            yield f"    {row.weight:+6.2f} ({row.first:+5.2f}; {row.evidence:8.1f})  {row.text}"


def _ways(state: Mapping[str, Any], *, show_all: bool) -> Iterator[str]:
    from crawler_project.strategies.learning.features import describe_way
    from crawler_project.strategies.learning.ways import leading_ways, ways_of

    counts = ways_of(state["ways"])
    ways = leading_ways(counts) if counts else []
    for way in ways if show_all else ways[:SHOWN]:
        yield f"  {way.worth:6.2f} ({way.pages:5.0f} pages, {way.finds:6.1f} finds)  {describe_way(way.way)}"
    if not ways:
        yield "  none was found"


def _history(state: Mapping[str, Any]) -> Iterator[str]:
    names = sorted(state["worth"], key=lambda name: -state["worth"][name])[:4]
    for row in state["history"]:
        worth = ", ".join(f"{name} {row.get(name, 0):.2f}" for name in names)
        yield f"  {int(row['examples']):>9,} {row['target_share']:6.1%}  {worth}"
