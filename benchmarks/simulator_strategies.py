"""Harvest, coverage, time and memory of every strategy on one generated web.

    python benchmarks/simulator_strategies.py [--pages 1000000] [--web DIR] [STRATEGY[:PARAM=VALUE…] …]

Generates the Thai web (seed 1) into DIR unless it is there, then runs each strategy in a process of its
own, one after the other, and prints a Markdown table. *read* is the time to read and check the Parquet
files, *simulate* the crawl to its end; peak RSS is of the whole process.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.simulator.read_web import read_web
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulated_crawl import follow
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web_writer import write_web
from crawler_project.strategies import make_strategy

STRATEGIES = [
    "control", "experimental", "hard_focused", "hard_focused:inherit=false", "soft_focused",
    "server_filter", "server_filter:new=conservative", "server_filter:new=tld", "server_filter:recheck=true",
    "directory_filter", "directory_filter:new=conservative",
    "lswc:S=1:T=1", "lswc", "lswc:inherit=false", "perfect",
]  # fmt: skip


def peak_rss() -> float:
    """Peak memory of this process in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)


def generate(folder: Path, pages: int) -> None:
    begin = perf_counter()
    web = synthesize(recipe_for("th"), pages, 1)
    made = perf_counter() - begin
    write_web(web, folder)
    print(
        json.dumps({"links": web.n_links, "generate": made, "write": perf_counter() - begin - made, "rss": peak_rss()})
    )


def measure(folder: Path, spec: str) -> None:
    begin = perf_counter()
    web = read_web(folder)
    read = perf_counter() - begin
    name, *parameters = spec.split(":")
    simulator = Simulator(web, make_strategy(name, **dict(text.split("=") for text in parameters)))
    crawl = deque(follow(simulator, every=1000), maxlen=1)[0]
    print(json.dumps({**crawl.summary(), "read": read, "simulate": perf_counter() - begin - read, "rss": peak_rss()}))


def in_own_process(*arguments: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--web", type=Path)
    parser.add_argument("--only", choices=["generate", "measure"], help=argparse.SUPPRESS)
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    options = parser.parse_args()
    folder = options.web or Path(tempfile.gettempdir()) / f"simulator-benchmark-{options.pages}"
    if options.only == "generate":
        return generate(folder, options.pages)
    if options.only == "measure":
        return measure(folder, options.strategies[0])
    print(f"{platform.machine()}, Python {platform.python_version()}, {options.pages:,} pages, one run each\n")
    if not (folder / "meta.json").exists():
        made = in_own_process("--only", "generate", "--web", str(folder), "--pages", str(options.pages))
        print(
            f"generated {made['links']:,} links in {made['generate']:.0f} s, written in {made['write']:.0f} s, {made['rss']:.2f} GB\n"
        )
    print("| strategy | downloads | harvest | coverage | peak queue | read s | simulate s | peak RSS GB |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for spec in options.strategies:
        row = in_own_process("--only", "measure", "--web", str(folder), spec)
        print(
            f"| `{spec}` | {row['pages']:,} | {row['harvest_rate']:.1%} | {row['coverage']:.1%} | {row['peak_queue']:,} "
            f"| {row['read']:.1f} | {row['simulate']:.1f} | {row['rss']:.2f} |",
            flush=True,
        )
    return None


if __name__ == "__main__":
    main()
