"""How a simulation is to be run, and what is to be written of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.figure_file import check_figure_file
from crawler_project.simulator.timed_simulator import Pace

COMPARISON = "comparison.png"
"""Where ``--compare`` draws its curves unless ``--plot`` asks otherwise."""


class SimulationPlan(NamedTuple):
    """What ``scrapy simulate`` is asked of every crawl."""

    limit: int | None
    every: int | None
    gap: int
    pace: Pace | None
    """The time model, or ``None``."""
    order: Path | None
    trace: Path | None
    state: Path | None
    plot: Path | None
    model: Path | None


def read_plan(opts: argparse.Namespace, crawls: int) -> SimulationPlan:
    """Read the options of ``scrapy simulate``.

    Raises:
        ConfigurationError: a value out of range, a file that cannot be written, options that exclude each other.
    """
    if crawls > 1 and (opts.order or opts.trace or opts.state or opts.model):
        raise ConfigurationError("--order, --trace, --state and --model are for one strategy; leave out --compare")
    files = {name: _writable(name, getattr(opts, name)) for name in ("order", "trace", "state", "plot", "model")}
    if opts.compare is not None and not opts.plot:
        files["plot"] = Path(COMPARISON)
    if files["plot"]:
        check_figure_file(files["plot"])
    gap = _whole_number("gap", opts.gap, 0) or 0
    pace = _pace(opts)
    if pace and (gap or files["state"]):
        raise ConfigurationError("--gap and --state do not go with the time model (--workers, --latency, --delay)")
    return SimulationPlan(
        _whole_number("limit", opts.limit, 1), _whole_number("every", opts.every, 1), gap, pace, **files
    )


def _pace(opts: argparse.Namespace) -> Pace | None:
    seconds = {name: _seconds(name, getattr(opts, name)) for name in ("latency", "delay")}
    given = {"workers": _whole_number("workers", opts.workers, 1), **seconds}
    known = {name: value for name, value in given.items() if value is not None}
    return Pace(**known) if known else None  # type: ignore[arg-type]


def _seconds(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise ConfigurationError(f"--{name} {text} does not fit; allowed: seconds, 0 or more")
    return seconds


def _whole_number(name: str, text: str | None, low: int) -> int | None:
    if text is None:
        return None
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if number < low:
        raise ConfigurationError(f"--{name} {text} does not fit; allowed: a whole number, {low} or more")
    return number


def _writable(name: str, value: str | None) -> Path | None:
    if not value:
        return None
    path = Path(value)
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise ConfigurationError(f"--{name} {value} cannot be written: name a file in a folder that exists")
    return path
