"""The strategy that learns beside the published ones, live: a recorded web over loopback HTTP, alone and with workers on Redis.

    python benchmarks/adaptive_live.py [--collection PAGES.jsonl.zst] [--targets ko,th,ja] [--pages 600]
                                       [--strategies control,experimental,lswc:S=1:T=1,lswc,adaptive]
                                       [--workers 0,3] [--requests 1] [--out FOLDER]

Without ``--collection`` the pages that this repository ships are crawled, from the seeds of the demo; otherwise from one page in the
target language of each host, that with the shortest address. All strategies of a target start from the same seeds. ``--workers 0`` is one
process with the embedded frontier, any other number so many processes on one redis-server that is started for it (append-only
file, synced every second). ``--requests`` is how many pages each process fetches at a time: with 1 the order is the strategy's alone,
with more it is also that of the hosts that are free.

The table has pages on target, as the crawler's judge sees them, after 10, 20, 30, 50 and 100 % of ``--pages`` (in brackets: the crawl
had ended before); *area*: their mean over all budgets, as a share of what a crawl has that meets target pages only (as many as the
collection's labels say there are); *off*: pages off target; *none*: answers without a page (missing pages, hosts that were not recorded,
redirects), which the budget does not count; *put back*: URLs that a learning strategy thought less of when their turn came. One report of
all crawls is written: FOLDER/report.html; and each row of the table is added to ``--csv``.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from crawl_cost import ROOT, serve
from harvest import collection_labels, demo_seeds, own_seeds
from worker_scaling import children_cpu, redis_cpu, start_redis

from crawler_project.reports.merged_rows import merged_rows

SHIPPED = ROOT / "demo" / "pages.jsonl.zst"
SHARES = (0.1, 0.2, 0.3, 0.5, 1.0)
HEAD = (
    f"{'target':<7}{'workers':<8}{'strategy':<20}{''.join(f'{share:>8.0%}' for share in SHARES)}"
    f"{'area':>8}{'off':>7}{'none':>7}{'put back':>9}{'s':>8}{'CPU s':>7}{'Redis CPU s':>12}"
)
STRATEGIES = "control,experimental,lswc:S=1:T=1,lswc,adaptive"


class Place(NamedTuple):
    """Where crawls run."""

    port: str
    redis_url: str
    """Empty: no Redis is used."""
    pages: int
    requests: int


class Wanted(NamedTuple):
    """One crawl of those that are asked for."""

    target: str
    workers: int
    """0: one process, no Redis."""
    strategy: str


class Run(NamedTuple):
    """What one crawl came to."""

    is_target: list[bool]
    """Of each page, in the order of the crawl."""
    stats: Mapping[str, int]
    """Of all workers together."""
    seconds: float
    worker_cpu: float
    """Of all workers together, their starts included, s."""
    redis_cpu: float


def main() -> None:
    arguments = parse_arguments()
    labels = collection_labels(arguments.collection)
    is_shipped = arguments.collection.resolve() == SHIPPED
    arguments.out.mkdir(parents=True, exist_ok=True)
    server, port = serve(arguments.collection.resolve())
    print(HEAD)
    folders = []
    try:
        for wanted in combinations(arguments):
            folder = arguments.out / f"{wanted.target}-{wanted.strategy.replace(':', '-')}-{wanted.workers or 'alone'}"
            seeds = arguments.out / f"seeds-{wanted.target}.txt"
            seeds.write_text(demo_seeds(wanted.target) if is_shipped else own_seeds(labels, wanted.target), "utf-8")
            run = crawl(wanted, seeds, folder, Place(port, "", arguments.pages, arguments.requests))
            there = sum(label == wanted.target for label in labels.values())
            about = {"data": arguments.collection.resolve().parent.name, "requests": arguments.requests}
            row = about | wanted._asdict() | {"budget": arguments.pages} | measures(run, there, arguments.pages)
            show(row, arguments.pages)
            if arguments.csv:
                keep(row, arguments.csv)
            folders.append(folder)
    finally:
        server.terminate()
        server.wait()
    report = ["report", *map(str, folders), "--collection", str(arguments.collection.resolve())]
    scrapy([*report, "--output", str(arguments.out / "report.html")])
    print(f"Report: {arguments.out / 'report.html'}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", type=Path, default=SHIPPED)
    parser.add_argument("--targets", default="ko,th,ja")
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--workers", default="0,3")
    parser.add_argument("--requests", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "demo-output" / "adaptive", help="a folder for the crawls")
    parser.add_argument("--csv", type=Path, help="a file that the rows are added to")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    if any(arguments.out.glob("*/crawl*.json")):
        parser.error(f"{arguments.out} holds crawls already; choose another folder with --out")
    return arguments


def combinations(arguments: argparse.Namespace) -> Iterator[Wanted]:
    for target in arguments.targets.split(","):
        for workers in arguments.workers.split(","):
            for strategy in arguments.strategies.split(","):
                yield Wanted(target, int(workers), strategy)


def crawl(wanted: Wanted, seeds: Path, folder: Path, place: Place) -> Run:
    """Run one crawl; with workers on a redis-server of its own."""
    if not wanted.workers:
        return run_workers(command(wanted, seeds, folder, place), 1, folder, place)
    with tempfile.TemporaryDirectory() as data:
        database, url = start_redis(Path(data))
        try:
            shared = place._replace(redis_url=url)
            return run_workers(command(wanted, seeds, folder, shared), wanted.workers, folder, shared)
        finally:
            database.terminate()
            database.wait()


def command(wanted: Wanted, seeds: Path, folder: Path, place: Place) -> list[str]:
    name, *parameters = wanted.strategy.split(":")
    return [
        sys.executable, "-m", "scrapy", "crawl", "lang_focused", "-a", f"target={wanted.target}", "-a", f"strategy={name}",
        *(part for parameter in parameters for part in ("-a", parameter)),
        "-a", f"seeds={seeds}", "-a", f"pages={place.pages}", "-a", f"output={folder}", "-s", f"VIRTUAL_WEB=127.0.0.1:{place.port}",
        "-s", "FRONTIER_DELAY=0", "-s", f"CONCURRENT_REQUESTS={place.requests}", "-s", "CRAWLER_CONTACT=bench@localhost",
        "-s", "LOG_LEVEL=ERROR", *(["-a", "crawl=live"] if place.redis_url else []),
    ]  # fmt: skip


def run_workers(of_worker: list[str], count: int, folder: Path, place: Place) -> Run:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    if place.redis_url:
        environment["REDIS_URL"] = place.redis_url
    before, start = children_cpu(), time.monotonic()
    processes = [subprocess.Popen(of_worker, cwd=ROOT, env=environment) for _ in range(count)]
    if max(abs(process.wait()) for process in processes):
        raise SystemExit("a worker failed")
    seconds = time.monotonic() - start
    cpu, of_redis = children_cpu() - before, redis_cpu(place.redis_url) if place.redis_url else 0.0
    return Run([row["is_target"] == "true" for row in merged_rows(folder)], added_stats(folder), seconds, cpu, of_redis)


def added_stats(folder: Path) -> dict[str, int]:
    """Counts of all workers of a crawl."""
    parts = sorted(folder.glob("crawl.*.json")) or [folder / "crawl.json"]
    added: dict[str, int] = {}
    for part in parts:
        for name, value in json.loads(part.read_text(encoding="utf-8")).get("stats", {}).items():
            if isinstance(value, int):
                added[name] = added.get(name, 0) + value
    return added


def measures(run: Run, targets: int, budget: int) -> dict[str, Any]:
    """The columns of the table; a crawl that ends early keeps what it has."""
    found = np.zeros(budget, dtype=np.int64)
    on_target = np.array(run.is_target[:budget], dtype=np.int64)
    found[: len(on_target)] = on_target
    found = found.cumsum()
    no_page = sum(
        count for name, count in run.stats.items() if name.startswith(("fetch/gone_count/", "fetch/redirect_count"))
    )
    return {
        "pages": len(on_target),
        **{f"at {share:.0%}": int(found[round(share * budget) - 1]) for share in SHARES},
        "area": round(float(found.sum() / np.minimum(np.arange(1, budget + 1), targets).sum()), 4),
        "off target": len(on_target) - int(on_target.sum()),
        "no page": no_page,
        "put back": run.stats.get("frontier/postponed_count", 0),
        "seconds": round(run.seconds, 1),
        "worker CPU s": round(run.worker_cpu, 1),
        "Redis CPU s": round(run.redis_cpu, 2),
    }


def show(row: Mapping[str, Any], budget: int) -> None:
    def cell(share: float) -> str:
        value = row[f"at {share:.0%}"]
        return f"({value})" if row["pages"] < round(share * budget) else str(value)

    print(
        f"{row['target']:<7}{row['workers'] or 'alone':<8}{row['strategy']:<20}{''.join(f'{cell(share):>8}' for share in SHARES)}"
        f"{row['area']:>8.3f}{row['off target']:>7}{row['no page']:>7}{row['put back']:>9}{row['seconds']:>8}{row['worker CPU s']:>7}{row['Redis CPU s']:>12}",
        flush=True,
    )  # fmt: skip


def keep(row: Mapping[str, Any], path: Path) -> None:
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def scrapy(arguments: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "scrapy", *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
