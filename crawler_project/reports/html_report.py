"""The report of one or more crawls as one HTML page that needs nothing else: no script, no request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import jinja2
import pandas as pd

from crawler_project.core.metrics import harvest_rate
from crawler_project.reports import tables
from crawler_project.reports.colours import LINE_STYLES, strategy_colour
from crawler_project.reports.comparison import Comparand, Comparison
from crawler_project.reports.figures import line_styles
from crawler_project.reports.formats import MISSING, count, percent, signed, size
from crawler_project.reports.html_table import HtmlTable
from crawler_project.reports.learned import learned_parts
from crawler_project.reports.report_figures import Figure, curve_figures, distribution_figures
from crawler_project.reports.report_tables import host_tables, language_table, standings_tables, waste_table, why_table
from crawler_project.reports.summary import apart_sentences, reckoning_notes, summary_sentences


class Tile(NamedTuple):
    """One key figure."""

    value: str
    text: str


class Section(NamedTuple):
    """All that is said about the crawls of one target."""

    heading: str
    sentences: list[str]
    tiles: list[Tile]
    notes: list[str]
    members: tuple[Comparand, ...]
    styles: list[str]
    standings: list[HtmlTable]
    distributions: list[Figure]
    curves: list[Figure]


def render_report(
    comparisons: Sequence[Comparison], frames: Mapping[str, pd.DataFrame], folder: str, made_at: str
) -> str:
    """Write the page.

    Args:
        comparisons: one for each target, at least one.
        frames: the tables of :func:`report_frames`.
        folder: the name of the folder beside the page with the same tables as CSV files.
        made_at: when the report was made, as the reader should see it.
    """
    strategies = {member.label: member.strategy for _, member in tables.members_of(comparisons)}
    template = _environment(strategies).get_template("report.html")
    return template.render(
        title=f"Crawl report: {', '.join(comparison.aim.name for comparison in comparisons)}",
        apart=apart_sentences(comparisons),
        sections=[_section(number, comparison, frames) for number, comparison in enumerate(comparisons, 1)],
        crawls=[member for _, member in tables.members_of(comparisons)],
        table_4=language_table(frames["table4"]) if "table4" in frames else None,
        topics=[c.aim.topic for c in comparisons if c.aim.topic],
        hosts=list(host_tables(frames["hosts"], strategies)),
        why=[(name, why_table(frames["why"], name)) for name in strategies],
        waste=[(name, waste_table(frames["waste"], name)) for name in strategies],
        learned=learned_parts([(m.label, m.crawl.path) for _, m in tables.members_of(comparisons)]),
        files=[f"{name}.csv" for name in frames],
        folder=folder,
        made_at=made_at,
    )


def report_frames(comparisons: Sequence[Comparison]) -> dict[str, pd.DataFrame]:
    """Make all tables of a report, by the name of their CSV file; Table 4 only where there is a crawl that has a language."""
    table_4 = tables.table_4(comparisons)
    return ({"table4": table_4} if len(table_4) else {}) | {
        "languages": tables.languages(comparisons),
        "harvest": tables.harvest(comparisons),
        "hosts": tables.hosts(comparisons),
        "why": tables.why(comparisons),
        "waste": tables.waste(comparisons),
    }


def _environment(strategies: Mapping[str, str]) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    dashes = dict(zip(LINE_STYLES, ("", "6 3", "7 3 2 3", "2 3"), strict=True))
    environment.filters |= {"count": count, "percent": percent, "size": size}
    environment.globals |= {
        "colour_of": lambda label: _css_colour(strategy_colour(strategies.get(label, ""))),
        "dashes": dashes,
        "missing": MISSING,
    }
    return environment


def _css_colour(colour: str) -> str:
    return "currentColor" if colour == "#000000" else colour


def _section(number: int, comparison: Comparison, frames: Mapping[str, pd.DataFrame]) -> Section:
    return Section(
        heading=comparison.aim.name[0].upper() + comparison.aim.name[1:],
        sentences=summary_sentences(comparison),
        tiles=list(_tiles(comparison)),
        notes=reckoning_notes(comparison),
        members=comparison.members,
        styles=line_styles([member.strategy for member in comparison.members]),
        standings=standings_tables(comparison),
        distributions=list(distribution_figures(number, comparison, frames["languages"])),
        curves=list(curve_figures(number, comparison, frames["harvest"])),
    )


def _tiles(comparison: Comparison) -> Iterator[Tile]:
    """Give the key figures: of the gain where there is exactly one, else of each crawl."""
    gains = comparison.gains()
    if len(gains) != 1:
        for member in comparison.members[:4]:
            yield Tile(percent(member.harvest_at(member.page_count)), f"harvest rate of {member.label}")
        return
    gain = gains[0]
    aim = comparison.aim
    yield Tile(
        f"{signed(gain.points, 1)} points", f"harvest rate against control, first {count(gain.pages)} pages each"
    )
    yield Tile(signed(gain.extra_targets), f"{aim.pages} among them")
    yield Tile(
        percent(harvest_rate(gain.focus_targets, gain.pages)), f"of them are {aim.said_of_pages}: {gain.focus.label}"
    )
    yield Tile(
        percent(harvest_rate(gain.control_targets, gain.pages)),
        f"of them are {aim.said_of_pages}: {gain.control.label}",
    )
