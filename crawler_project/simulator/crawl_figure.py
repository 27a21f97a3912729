"""Figures 4 and 5 of Somboonviwat 2006: coverage and harvest rate of several crawls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from crawler_project.simulator.figure_file import save_figure
from crawler_project.simulator.simulated_crawl import SimulatedCrawl

_LEGEND_WIDTH = 120
"""Characters that fit under the figure; longer legends are cut off at its sides."""
_LEGEND_MARK = 8
"""Characters that the piece of line before a name is wide."""
_STYLES = ("-", "--", "-.", ":")


def draw_crawls(crawls: Mapping[str, SimulatedCrawl], colour_of: Callable[[str], str], path: Path) -> None:
    """Draw coverage and harvest rate over downloads, side by side with one legend, into ``path``.

    Args:
        crawls: by the label of their line.
        colour_of: gives the colour of a strategy by its name; further crawls of it take other line styles.

    Raises:
        ConfigurationError: the file cannot be written, or its suffix is of no known format.
    """
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharex=True)
    drawn: dict[str, int] = {}
    for label, crawl in crawls.items():
        name = crawl.strategy.name
        style = _STYLES[drawn.setdefault(name, 0) % len(_STYLES)]
        drawn[name] += 1
        pages = [row.pages for row in crawl.trace]
        line = {"color": colour_of(name), "linestyle": style, "linewidth": 1.8}
        left.plot(pages, [100 * row.coverage for row in crawl.trace], **line)
        right.plot(pages, [100 * row.harvest_rate for row in crawl.trace], label=label, **line)
    _label(left, "coverage (% of all target pages)")
    _label(right, "harvest rate (% of downloaded pages)")
    columns = _LEGEND_WIDTH // (max(map(len, crawls), default=0) + _LEGEND_MARK)
    figure.legend(loc="outside lower center", ncols=max(1, min(4, columns, len(crawls))), frameon=False)
    save_figure(figure, path)


def _label(axes: Axes, what: str) -> None:
    axes.set_xlabel("pages downloaded")
    axes.set_ylabel(what)
    axes.set_xlim(left=0)
    axes.set_ylim(0, 102)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(visible=True, axis="y", color="#dddddd")
