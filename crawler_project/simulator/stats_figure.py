"""Figures 2 and 3 of Somboonviwat 2006."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from crawler_project.simulator.figure_file import save_figure

_BLUE = "#0072B2"


def draw_distances(within: Sequence[float], nearest: Sequence[float], target: str, path: Path) -> None:
    """Draw the share of target pages within a distance from the seeds (from 0), and the distances
    between nearest target pages (from 1, on a logarithmic scale), side by side into ``path``.

    Raises:
        ConfigurationError: the file cannot be written, or its suffix is of no known format.
    """
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(range(len(within)), [100 * share for share in within], "o-", color=_BLUE)
    left.set_ylim(0, 102)
    _label(left, "distance from the seeds (links)", f"{target} pages within the distance (% of pages)")
    right.bar(range(1, len(nearest) + 1), [100 * share for share in nearest], color=_BLUE)
    right.set_yscale("log")
    _label(right, f"distance from the nearest {target} page (links)", f"{target} pages (%)")
    save_figure(figure, path)


def _label(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(visible=True, axis="y", color="#dddddd")
    axes.set_axisbelow(True)
