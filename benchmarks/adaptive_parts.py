"""What the parts of the strategy that learns are worth.

    python benchmarks/adaptive_parts.py [groups|rescore|yield|explore|bound] [--target th] [--pages 50000] [--seeds 101,102] [--out FILE.csv]

``groups``: each group of evidence left out in turn, and what pages lead to (``ways``); in the measures of ``adaptive.py``.
``rescore``: all queued URLs scored anew after every 500 downloads, which no live crawl could do, beside what the strategy does, and beside
putting URLs back to where they belong at once, and not at all.
``bound``: with and without a bound of what is believed of new hosts; *wasted*: pages off target in the first tenth.
``explore``: other values of the parameter, and how many hosts were met. ``yield``: the expected share of target pages in the next 1,000 downloads, and what they were, after every thousandth download.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from adaptive import DATA, SHARE, add_row, baselines, measures, targets_after

from crawler_project.core.values import Visit
from crawler_project.simulator.host_queue import QUEUED
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import Web
from crawler_project.strategies import adaptive
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import GROUPS, Group
from crawler_project.strategies.learning.lookup import Kept, Lookup, Place, place_of, unpack
from crawler_project.strategies.learning.memory import CrawlMemory
from crawler_project.strategies.learning.model import MOST
from crawler_project.strategies.learning.new_hosts import NewHosts
from crawler_project.strategies.learning.ways import Ways

EVERY = 500


class NoWays(Ways):
    """Nothing leads on."""

    def _set_worth(self, way: int) -> None:
        self.worth[way] = 0.0


class Unbounded(NewHosts):
    """New hosts may be believed in as far as their links go."""

    def __init__(self) -> None:
        super().__init__()
        self.most = MOST

    def add(self, score: float, is_target: bool) -> None:
        """Nothing is learned from how hosts began."""


def with_and_without_bound() -> Iterator[tuple[str, Adaptive]]:
    """Give the strategy as it is, and one that believes in new hosts as far as their links go."""
    yield "with", Adaptive()
    unbounded = Adaptive()
    unbounded.learner.new_hosts = Unbounded()
    yield "without", unbounded


class Without(Lookup):
    """All links look alike to one group."""

    def __init__(self, memory: CrawlMemory, group: Group) -> None:
        super().__init__(memory)
        self._group = group

    def classes(self, kept: Kept, place: Place) -> tuple[list[int], int]:
        classes, way = super().classes(kept, place)
        start, stop = self._group.start, self._group.start + self._group.size
        return [start if start <= row < stop else row for row in classes], way


def without(name: str) -> Adaptive:
    """Make a strategy that looks no more at a group, nor believes anything of it."""
    strategy = Adaptive()
    if name == "ways":
        strategy.learner.ways = NoWays()
    elif name in GROUPS:
        group = GROUPS[name]
        strategy.learner.model.weights[group.start : group.start + group.size] = [0.0] * group.size
        strategy.learner.lookup = Without(strategy.learner.memory, group)
    return strategy


class Rescoring(Simulator):
    """Scores all queued URLs anew from time to time."""

    def _download(self, page: int) -> None:
        super()._download(page)
        if self.downloads % EVERY == 0:
            for queued in np.flatnonzero(np.frombuffer(bytes(self._queue.state), np.uint8) == QUEUED).tolist():
                self._score_anew(queued)

    def _score_anew(self, page: int) -> None:
        strategy = self.strategy
        assert isinstance(strategy, Adaptive)
        kept = unpack(self._evidence.get(page, ""))
        if kept is None:
            return
        now = strategy._priority_now(kept, place_of(self.web.url(page), self.web.host(page)))
        if now != self._queue.priorities[page]:
            self._queue.push(page, now)


class Never(Adaptive):
    """Puts nothing back."""

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        return None


class Watched(Adaptive):
    """Notes what it expects after every thousandth download."""

    seen = 0

    @cached_property
    def notes(self) -> list[float]:
        return []

    def learn_one(self, evidence: str, visit: Visit) -> None:
        super().learn_one(evidence, visit)
        self.seen += 1
        if self.seen % 1000 == 0:
            self.notes.append(self.learner.expected.value)


def groups(web: Web, limit: int, about: dict[str, Any], out: Path) -> None:
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    groups_here = [name for name in GROUPS if not name.endswith("words")]  # generated paths have none
    for name in ("nothing", *groups_here, "ways"):
        crawl = targets_after(Simulator(web, without(name)), limit)
        add_row(out, about | {"left_out": name} | measures(web, crawl, base))


def rescore(web: Web, limit: int, about: dict[str, Any], out: Path) -> None:
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    far = {"LOWEST": -99.0, "DROP": 99.0}
    runs: Sequence[tuple[str, dict[str, float], type[Simulator], type[Adaptive]]] = [
        ("as it is", {}, Simulator, Adaptive),
        ("nothing is put back", far, Simulator, Never),
        ("put back where it belongs", far, Simulator, Adaptive),
        ("all every 500", far, Rescoring, Adaptive),
    ]
    for name, constants, simulator, strategy in runs:
        with mock.patch.multiple(adaptive, **constants) if constants else contextlib.nullcontext():
            crawl = simulator(web, strategy())
            found = targets_after(crawl, limit)
        add_row(out, about | {"scored": name, "put_back": crawl.postponed} | measures(web, found, base))


def bound(web: Web, limit: int, about: dict[str, Any], out: Path) -> None:
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    tenth = web.n_pages // 10
    for said, strategy in with_and_without_bound():
        crawl = targets_after(Simulator(web, strategy), limit)
        wasted = {"wasted": tenth - int(crawl[tenth - 1])}
        add_row(out, about | {"bound": said} | wasted | measures(web, crawl, base))


def explore(web: Web, limit: int, about: dict[str, Any], out: Path) -> None:
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    for value in (-1.0, 0.0, 0.5, 1.0, 2.0):
        order = list(Simulator(web, Adaptive(explore=value)).run(limit))
        hosts = {"hosts": len(np.unique(web.hosts[order]))}
        add_row(out, about | {"explore": value} | hosts | measures(web, np.cumsum(web.is_target[order]), base))


def expected_yield(web: Web, limit: int, about: dict[str, Any], out: Path) -> None:
    strategy = Watched()
    found = np.concatenate([[0], targets_after(Simulator(web, strategy), limit)])
    for thousand, expected in enumerate(strategy.notes, 1):
        at = 1000 * thousand
        if at + 1000 <= limit:
            came = float(found[at + 1000] - found[at]) / 1000
            add_row(out, about | {"downloads": at, "expected": expected, "came": came})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    runs = {"groups": groups, "rescore": rescore, "yield": expected_yield, "explore": explore, "bound": bound}
    parser.add_argument("kind", nargs="?", choices=list(runs), default="groups")
    parser.add_argument("--target", default="th")
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--seeds", default="101")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    out = arguments.out or DATA / f"adaptive-{arguments.kind}.csv"
    for seed in map(int, arguments.seeds.split(",")):
        web = synthesize(recipe_for(arguments.target), arguments.pages, seed)
        runs[arguments.kind](
            web,
            round(SHARE * arguments.pages),
            {"target": arguments.target, "pages": arguments.pages, "seed": seed},
            out,
        )


if __name__ == "__main__":
    main()
