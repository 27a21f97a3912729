"""The strategy that learns beside LSWC and ``perfect``, on generated webs.

    python benchmarks/adaptive.py [--targets th,ko,ja,zh] [--seeds 101,102,103] [--pages 1000000] [--out FILE.csv]

For each target and seed: generates the web, runs LSWC(1,1) and LSWC(3,5) with and without inheritance, ``perfect``
and ``adaptive`` over the first 30 % of downloads, and adds one row to the CSV. *Envelope*: at each of 280 budgets
the best of the four LSWC crawls. *Area*: what ``adaptive`` gained above the envelope, as a share of what
``perfect`` gains, summed over the budgets. Harvest is that of the first fourteenth, coverage that at a tenth of
the pages. The published ``perfect`` follows all ways to target pages in the order of discovery, also the long ones; where
LSWC wastes next to nothing, LSWC is better. So the area is given up to the *oracle* too: as ``perfect``, but target pages
first, which wastes only what it must. *Worst start*: the most points of harvest by which ``adaptive`` was behind the best LSWC within the first
1,000 downloads, looked at after every tenth. Seconds are CPU time of ``adaptive`` over the 30 %; µs are of its
``score_links`` alone, per link.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.crawling.garbage import collect_rarely
from crawler_project.simulator.recipe import Recipe, recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import Web
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.base import Strategy
from crawler_project.strategies.perfect import Perfect

Curve = npt.NDArray[np.int64]

DATA = Path(__file__).resolve().parent / "data"
BUDGETS = 280
SHARE = 0.3
"""Of the pages: the part of the crawl that is looked at."""
START = 1000
LSWC: Sequence[Mapping[str, str]] = [
    {"S": s, "T": t, "inherit": inherit} for s, t in (("1", "1"), ("3", "5")) for inherit in ("true", "false")
]


class TimedAdaptive(Adaptive):
    """Count the time that links take."""

    seconds = 0.0
    links = 0

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        len(list(links))  # made lazily by the simulator: not ours
        begin = process_time()
        scores = super().score_links(visit, links)
        self.seconds += process_time() - begin
        self.links += len(links)
        return scores


class Oracle(Perfect):
    """Knows the whole web: target pages first, then pages that lead to some."""

    def score_links(self, visit: Visit, links: Sequence[Any]) -> Sequence[float | None]:
        return [
            None if not link.leads_to_target else 0.0 if link.view.web.is_target[link.page] else 1.0 for link in links
        ]


def targets_after(simulator: Simulator, limit: int) -> Curve:
    """Give the target pages after each of ``limit`` downloads; a crawl that ends early stays where it is."""
    found = simulator.web.is_target[list(simulator.run(limit))].astype(np.int64)
    return np.cumsum(np.pad(found, (0, limit - len(found))))


def baselines(simulate: Callable[[Strategy], Simulator], limit: int) -> dict[str, Curve]:
    """Run what ``adaptive`` is held against; the envelope is the best LSWC at each moment."""
    lswc = [targets_after(simulate(make_strategy("lswc", **options)), limit) for options in LSWC]
    perfect = targets_after(simulate(make_strategy("perfect")), limit)
    return {"envelope": np.maximum.reduce(lswc), "perfect": perfect, "oracle": targets_after(simulate(Oracle()), limit)}


def measures(web: Web, crawl: Curve, base: Mapping[str, Curve]) -> dict[str, Any]:
    """Compare a crawl with the envelope and with ``perfect``."""
    budgets = np.linspace(0, len(crawl), BUDGETS + 1)[1:].astype(int) - 1
    envelope, perfect, oracle = (base[name][budgets] for name in ("envelope", "perfect", "oracle"))
    ahead = crawl[budgets] - envelope
    first, tenth = web.n_pages // 14 - 1, web.n_pages // 10 - 1
    start = np.arange(10, min(START, len(crawl)) + 1, 10) - 1
    behind = (base["envelope"][start] - crawl[start]) / (start + 1)
    row: dict[str, Any] = {
        "ahead": int((ahead >= 0).sum()),
        "worst_behind": int(max(0, -ahead.min())),
        "area_perfect": float(ahead.sum() / (perfect - envelope).sum()),
        "area_oracle": float(ahead.sum() / (oracle - envelope).sum()),
        "worst_start": float(max(0.0, behind.max())),
    }
    for name, curve in (("", crawl), ("_envelope", base["envelope"]), ("_perfect", base["perfect"])):  # fmt: skip
        row[f"harvest{name}"] = float(curve[first] / (first + 1))
        row[f"coverage{name}"] = float(curve[tenth] / web.is_target.sum())
    return row


def measure(recipe: Recipe, pages: int, seed: int) -> dict[str, Any]:
    """Give one row of the table."""
    web = synthesize(recipe, pages, seed)
    limit = round(SHARE * pages)
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    begin = process_time()
    strategy = TimedAdaptive()
    simulator = Simulator(web, strategy)
    crawl = targets_after(simulator, limit)
    seconds = process_time() - begin
    timing = {"seconds": seconds, "us_a_link": 1e6 * strategy.seconds / strategy.links, "put_back": simulator.postponed}
    return measures(web, crawl, base) | timing


def add_row(path: Path, row: Mapping[str, Any]) -> None:
    """Add a row to a CSV, with a head line if it is the first; print it."""
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
    print(" ".join(f"{key}={value}" for key, value in rounded.items()), flush=True)
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rounded))
        if is_new:
            writer.writeheader()
        writer.writerow(rounded)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="th,ko,ja,zh")
    parser.add_argument("--seeds", default="101,102,103")
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-webs.csv")
    arguments = parser.parse_args()
    collect_rarely()
    for target in arguments.targets.split(","):
        for seed in map(int, arguments.seeds.split(",")):
            row = measure(recipe_for(target), arguments.pages, seed)
            add_row(arguments.out, {"target": target, "pages": arguments.pages, "seed": seed} | row)


if __name__ == "__main__":
    main()
