"""The strategy that learns on webs that take its evidence away, and under politeness.

    python benchmarks/adaptive_stress.py [stress|polite] [--pages 200000] [--seeds 101] [--out FILE.csv]

``stress``: the Thai recipe, changed in one way at a time, in the measures of ``adaptive.py``. *flat hosts*: all hosts of the
target's web are equally full of it; *impure hosts*: these hosts hold 12 instead of 32 % target pages; *useless anchors*: an
anchor says nothing of the page behind it; *many gateways*: a fifth of the target pages is behind pages off target, not a
twentieth; *no neighbourhood*: 20 instead of 72 % of the links of target pages stay on their server, and as many of them
lead to target pages wherever they go; *noisy labels*: a tenth of the target pages is taken for others and one in fifty other pages
for a target page, by LSWC too; what is counted is the truth.

``polite``: all four recipes, each host rests for ten downloads after each of its own (``gap``), or eight workers with half a second a
fetch and a second's rest for a host (``workers``), for LSWC and the oracle as well. Compared at equal downloads and at equal times.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from adaptive import BUDGETS, DATA, LSWC, SHARE, Oracle, add_row, baselines, measures

from crawler_project.simulator import synth_hosts, synth_targets
from crawler_project.simulator.recipe import RECIPES, THAI, Recipe
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.timed_simulator import Pace, TimedSimulator
from crawler_project.simulator.web import Web
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.base import Strategy

FLAT = {"PURITY_SPREAD": 0.0, "PURITY_BY_SIZE": 0.0}
IMPURE = {"TARGET_SHARE_AT_HOME": 0.12}
MISSED, FALSE = 0.10, 0.02
"""Noisy labels: share of target pages that are missed, of other pages that are taken for one."""


def _recipes() -> Iterator[tuple[str, Recipe, Mapping[str, float]]]:
    """Give name, recipe and constants of the generator that differ."""
    yield "as published", THAI, {}
    yield "flat hosts", THAI, FLAT
    yield "impure hosts", THAI, IMPURE
    yield "flat and impure hosts", THAI, FLAT | IMPURE
    on, off = (
        anchors._replace(target_behind=links.target)
        for anchors, links in ((THAI.anchors_on_target, THAI.from_target), (THAI.anchors_on_others, THAI.from_others))
    )
    yield "useless anchors", replace(THAI, anchors_on_target=on, anchors_on_others=off), {}
    yield "many gateways", replace(THAI, hidden=0.2), {}
    share = THAI.from_target.target
    far = THAI.from_target._replace(
        same_server=0.2,
        same_domain=0.25,
        target_same_server=share,
        target_sister_server=share,
        target_other_domain=share,
    )
    yield "no neighbourhood", replace(THAI, from_target=far), {}
    yield "noisy labels", THAI, {}


@contextlib.contextmanager
def _constants(values: Mapping[str, float]) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for name, value in values.items():
            module = synth_targets if hasattr(synth_targets, name) else synth_hosts
            stack.enter_context(mock.patch.object(module, name, value))
        yield


def noisy(web: Web, seed: int) -> Web:
    """Give the web with wrong labels."""
    chance = np.random.default_rng(seed).random(web.n_pages)
    target, other = web.lang_names.index(web.target_lang), web.lang_names.index("other")
    langs = np.where(web.is_target & (chance < MISSED), other, web.langs)
    return replace(web, langs=np.where(~web.is_target & (chance < FALSE), target, langs).astype(np.int16))


def true_targets_after(web: Web, simulator: Simulator, limit: int) -> Any:
    """Count by the labels of ``web``, not by those that the crawl saw."""
    found = web.is_target[list(simulator.run(limit))].astype(np.int64)
    return np.cumsum(np.pad(found, (0, limit - len(found))))


def stress(pages: int, seed: int, out: Path) -> None:
    for name, recipe, constants in _recipes():
        with _constants(constants):
            web = synthesize(recipe, pages, seed)
        limit = round(SHARE * pages)
        seen = noisy(web, seed) if name == "noisy labels" else web

        def simulate(strategy: Strategy, seen: Web = seen, web: Web = web) -> Simulator:
            return Simulator(web if strategy.needs_whole_web else seen, strategy)

        def count(simulator: Simulator, limit: int, web: Web = web) -> Any:
            return true_targets_after(web, simulator, limit)

        with mock.patch("adaptive.targets_after", count):
            base = baselines(simulate, limit)
        row = measures(web, count(simulate(Adaptive()), limit), base)
        add_row(out, {"web": name, "pages": pages, "seed": seed} | row)


class Timed(NamedTuple):
    """The target pages after each download, and when that was: in turns or in seconds."""

    targets: Any
    times: Any

    def at(self, moments: Any) -> Any:
        return np.concatenate([[0], self.targets])[np.searchsorted(self.times, moments, side="right")]


def timed(simulator: Simulator, limit: int) -> Timed:
    """Crawl, and look at the clock at each download."""
    pages, times = [], []
    for page in simulator.run(limit):
        pages.append(page)
        times.append(
            simulator.seconds if isinstance(simulator, TimedSimulator) else simulator.downloads + simulator.idle
        )
    return Timed(np.cumsum(simulator.web.is_target[pages].astype(np.int64)), np.array(times, dtype=float))


def compare_in_time(simulate: Callable[[Strategy], Simulator], limit: int) -> dict[str, Any]:
    """Compare by downloads and by time: who waits for good hosts downloads better pages, but fewer."""
    lswc = [timed(simulate(make_strategy("lswc", **options)), limit) for options in LSWC]
    ours, oracle = timed(simulate(Adaptive()), limit), timed(simulate(Oracle()), limit)
    ends = [crawl.times[-1] for crawl in [*lswc, ours] if len(crawl.times) == limit]
    moments = np.linspace(0, min(ends), BUDGETS + 1)[1:]
    downloads = np.linspace(0, limit, BUDGETS + 1)[1:].astype(int)
    row: dict[str, Any] = {}
    by_download = [
        np.pad(crawl.targets, (0, limit - len(crawl.targets)), mode="edge")[downloads - 1]
        for crawl in (*lswc, ours, oracle)
    ]
    by_time = [crawl.at(moments) for crawl in (*lswc, ours, oracle)]
    for name, curves in (("downloads", by_download), ("time", by_time)):
        *others, own, best = curves
        envelope = np.maximum.reduce(others)
        row[f"ahead_{name}"] = int((own >= envelope).sum())
        row[f"area_oracle_{name}"] = float((own - envelope).sum() / (best - envelope).sum())
        row[f"mean_targets_{name}"] = float(own.mean())
        row[f"mean_targets_envelope_{name}"] = float(envelope.mean())
    return row


def polite(pages: int, seed: int, out: Path) -> None:
    for target, recipe in RECIPES.items():
        web = synthesize(recipe, pages, seed)
        ways: Mapping[str, Callable[[Strategy], Simulator]] = {
            "gap": partial(Simulator, web, gap=10),
            "workers": partial(TimedSimulator, web, pace=Pace(workers=8)),
        }
        for name, simulate in ways.items():
            row = compare_in_time(simulate, round(SHARE * pages))
            add_row(out, {"politeness": name, "target": target, "pages": pages, "seed": seed} | row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="?", choices=("stress", "polite"), default="stress")
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--seeds", default="101")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    run = {"stress": stress, "polite": polite}[arguments.kind]
    for seed in map(int, arguments.seeds.split(",")):
        run(arguments.pages, seed, arguments.out or DATA / f"adaptive-{arguments.kind}.csv")


if __name__ == "__main__":
    main()
