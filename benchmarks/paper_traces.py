"""Simulate Somboonviwat's crawls and Tamura's filters on generated webs, and keep their traces.

    python benchmarks/paper_traces.py [--pages 13999847] [--seed 1] [--out DIR] [STRATEGY[:PARAM=VALUE…] …]

One process, one strategy after the other (about 4 GB and 2 to 10 minutes each at the paper's size). Writes into
``notebooks/traces/PAGES`` what ``scrapy web stats --json`` would print (``web.json``) and one CSV a crawl with about
210 rows, and ``runs.csv`` with time and peak memory of each; crawls whose file is there are not run again, so that it
can be stopped and continued. After a change of the generator delete the folder first. ``notebooks/02-somboonviwat-lswc.ipynb`` reads the result.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import deque
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.simulator.recipe import GENERATOR_VERSION, recipe_for
from crawler_project.simulator.simulated_crawl import TraceRow, follow
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.stats import (
    language_table,
    link_counts,
    nearest_target_distances,
    target_share_by_distance,
)
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import Web
from crawler_project.strategies import make_strategy

PAPER_PAGES = 13_999_847
ROWS = 210
"""A multiple of 14: the paper draws its harvest rates at the first fourteenth of the crawl."""
RUN_COLUMNS = ("strategy", "pages", "harvest_rate", "coverage", "peak_queue", "seconds", "cpu_seconds", "peak_rss_bytes")  # fmt: skip
STRATEGIES = (
    "lswc:S=1:T=1", "lswc:S=3:T=5", "perfect", "hard_focused", "server_filter:new=aggressive",
    "server_filter:new=conservative", "server_filter:new=tld", "directory_filter:new=conservative:recheck=true", "control",
    "soft_focused", "directory_filter:new=conservative", "experimental", "directory_filter:new=aggressive",
)  # fmt: skip
SENSITIVITY = (
    *(f"lswc:S={s}:T={t}" for s in (1, 2, 3, 5) for t in (1, 2, 5)),
    *(f"server_filter:m={m}:theta={theta}" for m in (1, 5, 20) for theta in (0.05, 0.1, 0.5)),
    *(
        f"{name}:inherit=false"
        for name in (*STRATEGIES[:2], "hard_focused", "soft_focused", STRATEGIES[4], STRATEGIES[10])
    ),
    "server_filter:recheck=true", "directory_filter:recheck=true", "directory_filter:new=tld",
)  # fmt: skip
"""Run on smaller webs only."""


def describe(web: Web, seed: int) -> dict[str, object]:
    """Measure Tables 3 to 5 and Figures 2 and 3."""
    rows = zip(("target", "other"), link_counts(web), strict=True)
    return {
        "generator_version": GENERATOR_VERSION,
        "seed": seed,
        "pages": web.n_pages,
        "links": web.n_links,
        "hosts": web.n_hosts,
        "table_3": language_table(web),
        "tables_4_5": {name: {kind: ratio.share for kind, ratio in row._asdict().items()} for name, row in rows},
        "figure_2": target_share_by_distance(web),
        "figure_3": nearest_target_distances(web),
    }


def forget_peak() -> None:
    """Let the kernel count the peak memory of this process anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_rss() -> int:
    """Give the peak since the last `forget_peak`, the web included, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def simulate(web: Web, spec: str, path: Path) -> None:
    forget_peak()
    begin, cpu = perf_counter(), process_time()
    name, *parameters = spec.split(":")
    simulator = Simulator(web, make_strategy(name, **dict(text.split("=") for text in parameters)))
    crawl = deque(follow(simulator, every=max(1, web.n_pages // ROWS)), maxlen=1)[0]
    seconds, cpu_seconds, row = perf_counter() - begin, process_time() - cpu, crawl.last
    rates = f"{row.harvest_rate:.5f}", f"{row.coverage:.5f}"
    append(
        path.parent / "runs.csv",
        (spec, row.pages, *rates, crawl.peak_queue, f"{seconds:.1f}", f"{cpu_seconds:.1f}", peak_rss()),
    )
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(TraceRow._fields)
        writer.writerows(
            (*row[:2], f"{row.harvest_rate:.5f}", f"{row.coverage:.5f}", row.queued) for row in crawl.trace
        )
    print(
        f"{spec}: {row.pages:,} downloads, harvest {row.harvest_rate:.1%}, coverage {row.coverage:.1%}, "
        f"{seconds:.0f} s",
        flush=True,
    )


def append(path: Path, row: tuple[object, ...]) -> None:
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(RUN_COLUMNS)
        writer.writerow(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=PAPER_PAGES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="default: notebooks/traces/PAGES")
    parser.add_argument("strategies", nargs="*")
    options = parser.parse_args()
    out = options.out or Path(__file__).resolve().parents[1] / "notebooks" / "traces" / str(options.pages)
    out.mkdir(parents=True, exist_ok=True)
    all_of_them = STRATEGIES if options.pages == PAPER_PAGES else dict.fromkeys((*STRATEGIES, *SENSITIVITY))
    begin = perf_counter()
    web = synthesize(recipe_for("th"), options.pages, options.seed)
    print(f"{web.n_pages:,} pages, {web.n_links:,} links: {perf_counter() - begin:.0f} s", flush=True)
    (out / "web.json").write_text(json.dumps(describe(web, options.seed), indent=1) + "\n", encoding="utf-8")
    for spec in options.strategies or all_of_them:
        path = out / f"{spec.replace(':', '_')}.csv"
        if not path.exists():
            simulate(web, spec, path)


if __name__ == "__main__":
    main()
