"""Run the benchmarks that need nothing but this repository, one after the other: `make bench`.

Each prints its own table; see the head of each script for what it measures and for larger runs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = (
    ("crawl_cost.py", "--pages", "1500", "--rounds", "2"),
    ("harvest.py", "--budgets", "0.05,0.1,0.15,0.25"),
    ("page_parse.py",),
    ("page_mutations.py", "--pages", "2000"),
    ("frontier_speed.py", "--queued", "100000"),
    ("frontier_memory.py", "--urls", "500000"),
    ("demo_collection.py",),
    ("simulator_strategies.py", "--pages", "100000"),
    (
        "adaptive_link_time.py",
        "--pages",
        "300",
        "--rounds",
        "1",
        "--out",
        str(HERE / "results" / "adaptive-link-time.csv"),
    ),
    (
        "adaptive_workers.py",
        "--seed-sets",
        "1",
        "--plans",
        "one worker alone,one mind,nothing is told,lessons and notes",
        "--out",
        str(HERE / "results" / "adaptive-workers.csv"),
    ),
    (
        "adaptive_random_webs.py",
        "--seeds",
        "1",
        "3",
        "--pages",
        "10000",
        "--out",
        str(HERE / "results" / "adaptive-random-webs.csv"),
    ),
)


def main() -> int:
    failed = []
    for script, *arguments in RUNS:
        print(f"\n=== {script} {' '.join(arguments)}".rstrip(), flush=True)
        if subprocess.run([sys.executable, str(HERE / script), *arguments], check=False).returncode:
            failed.append(script)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
