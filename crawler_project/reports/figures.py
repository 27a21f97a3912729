"""The plots of a report as SVG text that is put into a page: no file, no font, no request.

Text stays text and takes the fonts and colours of the page around it (dark pages included); what
is drawn in black takes the colour of the text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator, NullFormatter

from crawler_project.reports.colours import LINE_STYLES, STRATEGY_COLOURS, strategy_colour

WIDTH, HEIGHT = 4.6, 2.9
"""Inches; narrow enough that the text can still be read when a telephone shrinks the plot."""

_SHORT = 5
"""Times the first number of pages, below which 1, 2, 5, 10, … may be a single tick."""

_INK, _FAINT, _GRID = "#010101", "#020202", "#030303"
_PAGE_COLOURS = {
    _INK: "currentColor",
    "#000000": "currentColor",
    _FAINT: "var(--faint)",
    _GRID: "var(--line)",
}
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "crawler_project",
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.parse_math": False,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "grid.color": _GRID,
    "grid.linewidth": 0.8,
    "figure.constrained_layout.use": True,
}


class Line(NamedTuple):
    """One crawl in a plot of curves."""

    label: str
    strategy: str
    style: str
    """One of :data:`crawler_project.reports.colours.LINE_STYLES`."""
    pages: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]
    """0 to 1, as long as ``pages``."""


def line_styles(strategies: Sequence[str]) -> list[str]:
    """Give each crawl of a plot a line style: solid for the first of its strategy, then the others in turn."""
    return [
        LINE_STYLES[strategies[:index].count(strategy) % len(LINE_STYLES)] for index, strategy in enumerate(strategies)
    ]


def draw_curves(lines: Sequence[Line], ylabel: str, name: str, cut: int | None = None) -> str:
    """Draw shares over the number of pages downloaded, as an ``<svg>`` element.

    Args:
        ylabel: what the share is of; ``(%)`` is added.
        name: makes the ids in the SVG unique in its page; letters, digits and ``-``.
        cut: number of pages at which a vertical line is drawn: where the shortest crawl ends.
    """
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axes = figure.add_subplot()
        for line in lines:
            axes.plot(line.pages, 100 * line.shares, line.style, color=strategy_colour(line.strategy), linewidth=2)
        if cut is not None:
            axes.axvline(cut, color=_FAINT, linewidth=1, linestyle=(0, (2, 2)))
        axes.set_xlim(0)
        axes.set_ylim(0, 103)
        axes.set_xlabel("pages downloaded")
        axes.set_ylabel(f"{ylabel} (%)")
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.grid(axis="y")
        return _to_svg(figure, name)


class Trail(NamedTuple):
    """One value over the number of pages learned from."""

    label: str
    pages: Sequence[float]
    values: Sequence[float]


def draw_trails(trails: Sequence[Trail], ylabel: str, name: str) -> str:
    """Draw values over pages, the early ones wide (a logarithmic axis), each line numbered at its end, from 1.

    Returns an ``<svg>`` element; for ``name`` see :func:`draw_curves`. Trails have a value at least each.
    """
    colours = [colour for colour in STRATEGY_COLOURS.values() if colour != "#000000"]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axes = figure.add_subplot()
        for number, trail in enumerate(trails, 1):
            colour = colours[(number - 1) % len(colours)]
            axes.plot(trail.pages, trail.values, color=colour, linewidth=2, marker=".", markersize=4)
        axes.axhline(0, color=_FAINT, linewidth=1)  # before the labels: it may widen the limits that set them apart
        for number, place in enumerate(_apart([trail.values[-1] for trail in trails], axes.get_ylim()), 1):
            axes.annotate(str(number), (trails[number - 1].pages[-1], place), (6, -3), textcoords="offset points")
        axes.set_xscale("log")
        axes.set_xlabel("pages learned from")
        axes.set_ylabel(ylabel)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.xaxis.set_major_locator(_ticks(trails))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(axis="y")
        return _to_svg(figure, name)


def _ticks(trails: Sequence[Trail]) -> Locator:
    """Place the ticks of a logarithmic axis: at 1, 2, 5, 10, …, or, where that would be hardly any, evenly."""
    first, last = min(min(trail.pages) for trail in trails), max(max(trail.pages) for trail in trails)
    if last < _SHORT * first:
        return MaxNLocator(4, integer=True, steps=[1, 2, 5, 10])
    return LogLocator(subs=(1.0, 2.0, 5.0), numticks=8)


def _apart(places: Sequence[float], limits: tuple[float, float]) -> list[float]:
    """Move the places of labels up until none covers another, and down again from above the plot, where none is drawn."""
    least, shown = (limits[1] - limits[0]) / 16, list(places)
    order = sorted(range(len(shown)), key=lambda number: shown[number])
    for lower, upper in pairwise(order):
        shown[upper] = max(shown[upper], shown[lower] + least)
    shown[order[-1]] = min(shown[order[-1]], limits[1])
    for upper, lower in pairwise(reversed(order)):
        shown[lower] = min(shown[lower], shown[upper] - least)
    return shown


class Bar(NamedTuple):
    """One language of a language distribution."""

    label: str
    pages: int
    share: float
    """0 to 1."""
    is_target: bool


def draw_distribution(bars: Sequence[Bar], strategy: str, name: str) -> str:
    """Draw the languages of one crawl as horizontal bars, as an ``<svg>`` element.

    Target languages have the strategy's colour, all others are grey. Bars where the paper has pies:
    lengths can be compared, also between two plots. For ``name`` see :func:`draw_curves`.
    """
    with mpl.rc_context(_STYLE):
        height = 0.65 + 0.33 * len(bars)
        figure = Figure(figsize=(WIDTH, height))
        figure.set_layout_engine("none")
        # The same margins in every plot, so that lengths can be compared from one to the next.
        axes = figure.add_axes((0.27, 0.55 / height, 0.72, 1 - 0.6 / height))
        places = np.arange(len(bars))[::-1]
        colours = [strategy_colour(strategy) if bar.is_target else _FAINT for bar in bars]
        axes.barh(places, [100 * bar.share for bar in bars], color=colours, height=0.66)
        for place, bar in zip(places, bars, strict=True):
            axes.text(100 * bar.share + 1.5, place, f"{100 * bar.share:.2f} %", va="center")
        axes.set_yticks(places, [bar.label for bar in bars])
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 118)
        axes.set_xticks([0, 20, 40, 60, 80, 100])
        axes.set_xlabel("share of pages downloaded (%)")
        axes.set_ylim(-0.6, len(bars) - 0.4)
        axes.spines["left"].set_visible(False)
        axes.spines["bottom"].set_bounds(0, 100)
        axes.grid(axis="x")
        return _to_svg(figure, name)


def _to_svg(figure: Figure, name: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<(metadata|style)\b.*?</\1>", "", svg, flags=re.DOTALL)
    svg = re.sub(r" font-family: [^;]*;", "", svg)
    svg = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    for drawn, shown in _PAGE_COLOURS.items():
        svg = svg.replace(drawn, shown)
    for attribute in ("width", "height"):
        svg = re.sub(rf'(<svg\b[^>]*?) {attribute}="[^"]*"', r"\1", svg, count=1)
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
