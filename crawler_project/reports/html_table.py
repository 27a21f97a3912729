"""A data frame as a table that people read: columns chosen and named, numbers written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from crawler_project.reports.formats import count, percent, size


class Column(NamedTuple):
    """How a column of a data frame is shown."""

    heading: str
    kind: str = "text"
    """``text``, ``long`` (text that may be broken anywhere), ``crawl`` (a crawl's name with its colour), ``count``, ``percent``, ``percent2`` (two decimals),
    ``bar`` (per cent with a bar behind it) or ``size`` (bytes)."""


class Cell(NamedTuple):
    """A written value. The text is plain: whoever makes HTML of it escapes it."""

    text: str
    kind: str
    share: float = 0.0
    """Length of the bar, 0 to 1."""


class HtmlTable(NamedTuple):
    """A table ready for the page's template."""

    caption: str
    columns: list[Column]
    rows: list[list[Cell]]


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "text": str,
    "long": str,
    "crawl": str,
    "count": count,
    "percent": percent,
    "percent2": lambda value: percent(value, 2),
    "bar": percent,
    "size": size,
}


def to_table(frame: pd.DataFrame, caption: str, columns: Mapping[str, Column]) -> HtmlTable:
    """Write out the named columns of a data frame, in the order of ``columns``."""
    rows = [
        [_cell(value, column.kind) for value, column in zip(values, columns.values(), strict=True)]
        for values in frame[list(columns)].itertuples(index=False, name=None)
    ]
    return HtmlTable(caption, list(columns.values()), rows)


def _cell(value: Any, kind: str) -> Cell:
    share = float(value) if kind == "bar" and not pd.isna(value) else 0.0
    return Cell(_WRITERS[kind](value), kind, min(max(share, 0.0), 1.0))
