"""What a link costs in a live crawl with the strategy that learns: a recorded web over loopback HTTP, one process.

    python benchmarks/adaptive_link_time.py [--collection PAGES.jsonl.zst] [--targets ko,ja,th] [--pages 1000] [--rounds 3] [--out FILE.csv]

Microseconds of elapsed time, each the median of the rounds, by link on a page (a URL that a page has twice is two):
*anchor*: to judge its text, which every strategy waits for; *score*: ``score_links`` after that; *words*: ``explain``, why it is kept;
*keep*: ``evidence``, what is kept with it, both for the best link to each URL of a page. And by page: *learn* (``learn_one``), *again*
(``revisions``: earlier links scored again). In a crawl other work comes between any two pages, so that a link costs more than in a
loop over links alone. One request at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from adaptive import DATA, add_row
from adaptive_live import SHIPPED, Place, Wanted, command
from crawl_cost import ROOT, serve
from harvest import collection_labels, demo_seeds, own_seeds

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.adaptive import Adaptive

SPENT_IN = "CRAWL_TIMES"
"""Environment variable of a crawl to be timed: the file that its times are written to."""


class Stopwatch:
    """Adds up seconds and calls by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.links = self.pages = 0

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time added up."""

        @wraps(function)
        def watched(*arguments: Any) -> Any:
            begin = perf_counter()
            answer = function(*arguments)
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - begin
            return answer

        return watched


def crawl_timed(arguments: Sequence[str]) -> None:
    """Be ``scrapy`` with these arguments, and write down what the strategy's methods took."""
    from scrapy.cmdline import execute

    stopwatch = Stopwatch()
    judge = stopwatch.watch("anchor", lambda links: [link.anchor_is_target for link in links])
    score = stopwatch.watch("score", Adaptive.score_links)

    def score_links(strategy: Adaptive, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        stopwatch.links += len(links)
        stopwatch.pages += 1
        judge(links)
        return score(strategy, visit, links)

    Adaptive.score_links = score_links  # type: ignore[method-assign]
    for name, method in (("words", "explain"), ("keep", "evidence"), ("learn", "learn_one"), ("again", "revisions")):
        setattr(Adaptive, method, stopwatch.watch(name, getattr(Adaptive, method)))
    try:
        execute(["scrapy", *arguments])
    finally:
        record = {"links": stopwatch.links, "pages": stopwatch.pages} | stopwatch.seconds
        Path(os.environ[SPENT_IN]).write_text(json.dumps(record), "utf-8")


def timed_round(target: str, seeds: Path, folder: Path, place: Place) -> dict[str, float]:
    """Crawl once in a process of its own; microseconds by link and by page."""
    spent = folder.with_suffix(".json")
    scrapy = command(Wanted(target, 0, "adaptive"), seeds, folder, place)
    child = [sys.executable, __file__, "--crawl", *scrapy[scrapy.index("crawl") :]]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    subprocess.run(child, cwd=ROOT, env=os.environ | {SPENT_IN: str(spent), "PYTHONPATH": path}, check=True)
    record = json.loads(spent.read_text("utf-8"))
    row = {"links": record["links"], "pages": record["pages"]}
    for name in ("anchor", "score", "words", "keep"):
        row[f"us_{name}_a_link"] = 1e6 * record[name] / record["links"]
    for name in ("learn", "again"):
        row[f"us_{name}_a_page"] = 1e6 * record[name] / record["pages"]
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", type=Path, default=SHIPPED)
    parser.add_argument("--targets", default="ko,ja,th")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-link-time.csv")
    arguments = parser.parse_args()
    collection = arguments.collection.resolve()
    labels = collection_labels(collection)
    server, port = serve(collection)
    try:
        for target in arguments.targets.split(","):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                seeds = folder / "seeds.txt"
                seeds.write_text(demo_seeds(target) if collection == SHIPPED else own_seeds(labels, target), "utf-8")
                place = Place(port, "", arguments.pages, 1)
                rounds = [timed_round(target, seeds, folder / str(turn), place) for turn in range(arguments.rounds)]
            medians = {name: statistics.median([row[name] for row in rounds]) for name in rounds[0]}
            add_row(arguments.out, {"data": collection.parent.name, "target": target, "rounds": len(rounds)} | medians)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--crawl"]:
        crawl_timed(sys.argv[2:])
    else:
        main()
