"""What content blocks and link contexts cost on real pages of about 30 KB.

    python benchmarks/topic_blocks.py [--pages 200] [--rounds 5]

Pages of 25 to 35 KB of the collection that this repository ships. For each page the least of the rounds, CPU milliseconds: the tree alone
(lexbor), the tree cut into blocks with the contexts of all links (``cut_html``), and a whole page as a crawl parses it
(``parse_page``), without and with blocks. Writes benchmarks/data/topic-blocks.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crawler_project.page.blocks import Cut, cut_html
from crawler_project.page.parse import parse_page
from crawler_project.serving.recorded_lines import recorded_lines

SIZES = range(25_000, 35_000)


class Saved(NamedTuple):
    """A page, as text and as bytes."""

    url: str
    html: str
    body: bytes


STEPS: dict[str, Callable[[Saved], Any]] = {
    "tree alone": lambda page: LexborHTMLParser(page.html),
    "tree, blocks, contexts: paper": lambda page: cut_html(page.html),
    "tree, blocks, contexts: html5": lambda page: cut_html(page.html, Cut(tags="html5")),
    "parse_page": lambda page: parse_page(page.body, page.url),
    "parse_page with blocks": lambda page: parse_page(page.body, page.url, cut=Cut()),
}


def read(most: int) -> list[Saved]:
    found = []
    for line in recorded_lines(ROOT / "demo" / "pages.jsonl.zst"):
        row = json.loads(line)
        body = row["html"].encode()
        if len(body) in SIZES:
            found.append(Saved(row["url"], row["html"], body))
    return found[:: max(1, len(found) // most)][:most]


def milliseconds(step: Callable[[Saved], Any], page: Saved, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        step(page)
        times.append(time.process_time() - begin)
    return 1000 * min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pages = read(options.pages)
    links = [sum(len(block.links) for block in cut_html(page.html).blocks) for page in pages]
    print(f"{len(pages)} pages, median {np.median([len(page.body) for page in pages]) / 1000:.1f} KB and {np.median(links):.0f} links")  # fmt: skip
    rows = []
    for name, step in STEPS.items():
        times = [milliseconds(step, page, options.rounds) for page in pages]
        median, high, most = np.median(times), np.quantile(times, 0.95), max(times)
        rows.append(
            {"step": name, "median_ms": round(median, 2), "p95_ms": round(high, 2), "slowest_ms": round(most, 2)}
        )
        print(f"{name:<32} median {median:6.2f} ms   95 % {high:6.2f}   slowest {most:6.2f}")
    with (ROOT / "benchmarks" / "data" / "topic-blocks.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
