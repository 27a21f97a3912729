"""What a crawl that learns has learned, as tables of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.html_table import Column, HtmlTable, to_table
from crawler_project.strategies.adaptive_features import GROUPS, describe_class
from crawler_project.strategies.adaptive_state import read_state

_STRONGEST = 12
_GROUPS_OVER_TIME = 4
_MOMENTS = 12


def learned_tables(crawls: Sequence[tuple[str, Path]]) -> list[tuple[str, list[HtmlTable]]]:
    """Give (name, tables) of each crawl, given as (label, output folder), that has learned something.

    Each worker of a crawl wrote a state of its own, ``model.json`` or ``model.WORKER.json``. A file that cannot
    be read is left out: a report is made of what there is.
    """
    found = []
    for label, folder in crawls:
        for path in sorted(folder.glob("model*.json")):
            name = label if path.name == "model.json" else f"{label}, {path.name}"
            try:
                found.append((name, list(_tables(read_state(path)))))
            except ConfigurationError:
                continue
    return found


def _tables(state: Mapping[str, Any]) -> Iterator[HtmlTable]:
    worth = sorted(state["worth"].items(), key=lambda pair: -pair[1])
    rows = pd.DataFrame([(name, GROUPS[name].meaning, f"{value:.2f}") for name, value in worth if name in GROUPS])
    columns = {0: Column("Evidence"), 1: Column("What it is", "long"), 2: Column("Log-odds")}
    yield _table(rows, "Worth of each kind of evidence: spread of what it added", columns)
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


def _strongest(state: Mapping[str, Any]) -> HtmlTable:
    rows = [
        (describe_class(group.start + row), weight)
        for name, group in GROUPS.items()
        for row, (weight, gradient) in enumerate(zip(state["weights"][name], state["gradients"][name], strict=True))
        if gradient > 1.0
    ]
    rows.sort(key=lambda row: -abs(row[1]))
    written = pd.DataFrame([(text, f"{weight:+.2f}") for text, weight in rows[:_STRONGEST]])
    return _table(written, "Strongest weights", {0: Column("Class", "long"), 1: Column("Log-odds")})


def _table(rows: pd.DataFrame, caption: str, columns: Mapping[int, Column]) -> HtmlTable:
    frame = rows if len(rows) else pd.DataFrame(columns=list(columns))
    return to_table(frame, caption, columns)  # type: ignore[arg-type]
