"""What a crawl that learns has learned, as figures and tables of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.figures import Trail, draw_trails
from crawler_project.reports.formats import MISSING
from crawler_project.reports.html_table import Column, HtmlTable, to_table
from crawler_project.reports.printable import printable
from crawler_project.reports.report_figures import Figure
from crawler_project.strategies.learning.features import GROUPS, describe_class, describe_way, first_weights
from crawler_project.strategies.learning.left import read_left
from crawler_project.strategies.learning.state import learned_classes, read_state
from crawler_project.strategies.learning.ways import leading_ways, ways_of

_STRONGEST = 12
_LEAST_EVIDENCE = 1.0
_WAYS = 8
_GROUPS_OVER_TIME = 4
_MOMENTS = 12
_FEW_MOMENTS = 2
_LEFT = 15
_LINES = 6


class Learned(NamedTuple):
    """What one worker of a crawl has learned."""

    name: str
    figures: list[Figure]
    tables: list[HtmlTable]


def learned_parts(crawls: Sequence[tuple[str, Path]]) -> list[Learned]:
    """Show what each crawl, given as (label, output folder), has learned, if it has.

    Each worker of a crawl wrote a state of its own, ``model.json`` or ``model.WORKER.json``. A file that cannot
    be read is left out: a report is made of what there is.
    """
    found: list[Learned] = []
    for label, folder in crawls:
        for path in sorted(folder.glob("model*.json")):
            name = label if path.name == "model.json" else f"{label}, {path.name}"
            try:
                state = read_state(path)
                tables = [*_tables(state), *_left(path.with_name(path.name.replace("model", "left", 1)))]
                found.append(Learned(name, list(_weights_over_time(state, f"l{len(found)}")), tables))
            except ConfigurationError:
                continue
    return found


def _tables(state: Mapping[str, Any]) -> Iterator[HtmlTable]:
    worth = sorted(state["worth"].items(), key=lambda pair: -pair[1])
    rows = pd.DataFrame([(name, GROUPS[name].meaning, f"{value:.2f}") for name, value in worth if name in GROUPS])
    columns = {0: Column("Evidence"), 1: Column("What it is", "long"), 2: Column("Worth")}
    yield _table(rows, "Worth of each kind of evidence: spread of what it added to the log-odds", columns)
    yield _over_time(state, [name for name, _ in worth[:_GROUPS_OVER_TIME]])
    cells = [cell for cell in state["calibration"] if cell["pages"]]
    rows = pd.DataFrame(
        [(cell["expected"] / cell["pages"], cell["target_pages"] / cell["pages"], cell["pages"]) for cell in cells]
    )
    yield _table(
        rows,
        "Calibration: the chance that was expected, and what came",
        {0: Column("Expected", "percent"), 1: Column("Came", "bar"), 2: Column("Pages", "count")},
    )
    yield _strongest(state)
    yield _leading(state)


def _over_time(state: Mapping[str, Any], names: Sequence[str]) -> HtmlTable:
    history = state["history"]
    step = max(1, -(-len(history) // _MOMENTS))
    rows = [
        (row["examples"], row["target_share"], *(f"{row.get(name, 0):.2f}" for name in names))
        for row in history[::-step][::-1]
    ]
    columns = {0: Column("Pages", "count"), 1: Column("On target", "percent")}
    columns |= {number: Column(name) for number, name in enumerate(names, 2)}
    return _table(pd.DataFrame(rows), "Over time: worth of the strongest kinds of evidence", columns)


def _weights_over_time(state: Mapping[str, Any], name: str) -> Iterator[Figure]:
    """Draw the weights that moved most, if the crawl was long enough for two moments."""
    moments, begun = [row["examples"] for row in state["history"]], first_weights()
    if len(moments) < _FEW_MOMENTS or not state["course"][-1] or min(moments) <= 0:
        return
    last = {int(row): weight for row, weight in state["course"][-1].items()}
    moved = sorted(last, key=lambda row: -abs(last[row] - begun[row]))[:_LINES]
    trails = []
    for row in moved:
        known = [
            (pages, part[str(row)]) for pages, part in zip(moments, state["course"], strict=True) if str(row) in part
        ]
        trails.append(Trail(describe_class(row), *map(list, zip(*known, strict=True))))
    step = max(1, -(-len(moments) // _MOMENTS))
    rows = [
        (pages, *(f"{part[str(row)]:+.2f}" if str(row) in part else MISSING for row in moved))
        for pages, part in [*zip(moments, state["course"], strict=True)][::-step][::-1]
    ]
    columns = {0: Column("Pages", "count")} | {place: Column(describe_class(row)) for place, row in enumerate(moved, 1)}
    listed = "; ".join(
        f"{number}: {trail.label}, from {begun[row]:+.2f}"
        for number, (trail, row) in enumerate(zip(trails, moved, strict=True), 1)
    )
    yield Figure(
        title="Weights that moved most",
        svg=Markup(draw_trails(trails, "log-odds", name)),  # noqa: S704 (matplotlib escapes)
        description=f"Line chart of weights by the number of pages learned from. {listed}.",
        numbers=_table(pd.DataFrame(rows), "Weights by pages learned from", columns),
        note=f"Each line begins when its class had learned something. {listed}.",
    )


def _strongest(state: Mapping[str, Any]) -> HtmlTable:
    rows = [
        (row.text, f"{row.weight:+.2f}", f"{row.first:+.2f}")
        for row in learned_classes(state, _LEAST_EVIDENCE)[:_STRONGEST]
    ]
    columns = {0: Column("Class", "long"), 1: Column("Log-odds"), 2: Column("At the start")}
    return _table(pd.DataFrame(rows), "Strongest weights of those that learned something", columns)


def _left(path: Path) -> Iterator[HtmlTable]:
    """Show what would have been fetched next; nothing where no such file can be read."""
    try:
        links = read_left(path)
    except ConfigurationError:
        return
    rows = [
        (
            printable(link.url),
            MISSING if link.priority is None else f"{link.priority:.2f}",
            link.chance,
            f"{link.leads_on:.2f}",
            link.why,
        )
        for link in links[:_LEFT]
    ]
    columns = {
        0: Column("Link", "long"),
        1: Column("Priority"),
        2: Column("Chance", "percent"),
        3: Column("Leads on to"),
        4: Column("Mostly by", "long"),
    }
    caption = "Links that were left, of each host the best: what would have come next, by priority (lower is sooner)"
    yield _table(pd.DataFrame(rows), caption, columns)


def _leading(state: Mapping[str, Any]) -> HtmlTable:
    counts = ways_of(state["ways"])
    rows = [
        (describe_way(way.way), f"{way.worth:.2f}", round(way.pages), f"{way.finds:.1f}")
        for way in (leading_ways(counts) if counts else [])[:_WAYS]
    ]
    columns = {
        0: Column("Kind of page off target", "long"),
        1: Column("Leads on to"),
        2: Column("Pages", "count"),
        3: Column("Finds"),
    }
    return _table(pd.DataFrame(rows), "Pages that lead on: target pages a download found through them", columns)


def _table(rows: pd.DataFrame, caption: str, columns: Mapping[int, Column]) -> HtmlTable:
    frame = rows if len(rows) else pd.DataFrame(columns=list(columns))
    return to_table(frame, caption, columns)  # type: ignore[arg-type]
