"""Harvest and coverage of strategies on a recorded collection, crawled live over loopback HTTP.

    python benchmarks/harvest.py [--collection demo/pages.jsonl.zst] [--targets ko,ja,zh,th]
                                 [--strategies control,experimental] [--budgets 0.1,0.25,0.5]

Seeds are those of the demo, or with ``--own-seeds`` of each host the target page with the shortest
address. A budget is a share of the collection's pages. Harvest is judged by
the crawler's own language judge; coverage counts the pages whose *label* in the collection
(``text_lang``) is the target, found / all.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import zstandard

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from crawl_cost import serve

from crawler_project.core.urls import canonical_url

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", type=Path, default=ROOT / "demo" / "pages.jsonl.zst")
    parser.add_argument("--targets", default="ko,ja,zh,th")
    parser.add_argument("--strategies", default="control,experimental")
    parser.add_argument("--budgets", default="0.1,0.25,0.5", help="shares of the collection")
    parser.add_argument("--own-seeds", action="store_true", help="a page of each host of the collection")
    arguments = parser.parse_args()
    labels = collection_labels(arguments.collection)
    budgets = [int(float(share) * len(labels)) for share in arguments.budgets.split(",")]
    server, port = serve(arguments.collection)
    print(f"{len(labels):,} pages; harvest % / coverage % after so many pages")
    print(f"{'target':<8}{'strategy':<16}" + "".join(f"{budget:>16,}" for budget in budgets) + f"{'stored':>10}")
    try:
        for target in arguments.targets.split(","):
            for strategy in arguments.strategies.split(","):
                seeds = own_seeds(labels, target) if arguments.own_seeds else demo_seeds(target)
                rows = crawl(target, strategy, seeds, max(budgets), port)
                cells = [measure(rows[:budget], target, labels) if len(rows) >= budget else "–" for budget in budgets]
                if len(rows) < max(budgets):
                    cells[-1] = f"({measure(rows, target, labels)})"
                print(
                    f"{target:<8}{strategy:<16}" + "".join(f"{cell:>16}" for cell in cells) + f"{len(rows):>10,}",
                    flush=True,
                )
    finally:
        server.terminate()


def collection_labels(path: Path) -> dict[str, str]:
    """URL (without scheme) → ``text_lang``."""
    with path.open("rb") as file:
        lines = io.TextIOWrapper(
            zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file), encoding="utf-8"
        )
        pages = [json.loads(line) for line in lines]
    return {key(page["url"]): page.get("text_lang") or "" for page in pages if not page["url"].endswith("/robots.txt")}


def key(url: str) -> str:
    parts = canonical_url(url)
    assert parts is not None
    return parts.url.partition("//")[2]


def demo_seeds(target: str) -> str:
    return (ROOT / "demo" / f"seeds-{target}.txt").read_text(encoding="utf-8")


def own_seeds(labels: dict[str, str], target: str) -> str:
    """Of each host the page in the target language with the shortest address."""
    pages = sorted((url for url, label in labels.items() if label == target), key=lambda url: (len(url), url))
    by_host = {url.partition("/")[0]: url for url in reversed(pages)}
    return "\n".join(f"https://{url}" for url in sorted(by_host.values()))


def crawl(target: str, strategy: str, seeds: str, pages: int, port: str) -> list[dict[str, str]]:
    """Rows in the order of the crawl."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out"
        seed_file = Path(folder) / "seeds.txt"
        seed_file.write_text(seeds, encoding="utf-8")
        name, *parameters = strategy.split(":")
        command = [
            sys.executable, "-m", "scrapy", "crawl", "lang_focused", "-a", f"target={target}", "-a", f"strategy={name}",
            *(part for parameter in parameters for part in ("-a", parameter)),
            "-a", f"seeds={seed_file}", "-a", f"pages={pages}", "-a", f"output={output}",
            "-s", f"VIRTUAL_WEB=127.0.0.1:{port}", "-s", "FRONTIER_DELAY=0", "-s", "CRAWLER_CONTACT=bench@localhost", "-s", "LOG_LEVEL=ERROR",
        ]  # fmt: skip
        subprocess.run(
            command,
            cwd=ROOT,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        )
        rows: list[dict[str, str]] = []
        for path in output.glob("crawled-*.csv"):
            with path.open(newline="", encoding="utf-8") as file:
                rows += csv.DictReader(file)
    return sorted(rows, key=lambda row: int(row["position"]))


def measure(rows: list[dict[str, str]], target: str, labels: dict[str, str]) -> str:
    harvest = sum(row["is_target"] == "true" for row in rows) / len(rows)
    wanted = {url for url, label in labels.items() if label == target}
    found = {key(row["final_url"]) for row in rows} & wanted
    return f"{100 * harvest:.1f} / {100 * len(found) / len(wanted):.1f}"


if __name__ == "__main__":
    main()
