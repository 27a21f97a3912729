"""CPU seconds per 1,000 pages: this project against plain Scrapy, on one loopback web, in one run.

    python benchmarks/crawl_cost.py [--pages 2000] [--rounds 3]

Both crawl the same URLs from the same server process. Plain Scrapy is a ``CrawlSpider`` with a
``LinkExtractor``, its in-memory queue, one item a page and no language identification; ours
judges every page and every anchor. Where a redis-server is installed, the same plain spider also
runs on scrapy-redis; its server's CPU is not counted. CPU is user + system time of the crawler's process, start
included, as the operating system counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent))
from generated_web import generated_pages

ROOT = Path(__file__).resolve().parent.parent
PLAIN = ("plain", "scrapy-redis")
SEED = "http://host0.test/docs/page-0.html"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        collection = write_collection(folder, arguments.pages, arguments.hosts)
        server, port = serve(collection)
        kinds = ["plain", "control", "experimental"]
        redis = start_redis(folder)
        if redis is not None:
            kinds.insert(1, "scrapy-redis")
        try:
            rounds = [
                {kind: measure(kind, port, folder / f"{kind}-{number}") for kind in kinds}
                for number in range(arguments.rounds)
            ]
        finally:
            server.terminate()
            if redis is not None:
                redis.terminate()
    show(rounds)


def start_redis(folder: Path) -> subprocess.Popen[bytes] | None:
    """A Redis server of our own on a socket in ``folder``, without persistence; ``None``: not installed."""
    if shutil.which("redis-server") is None:
        return None
    return subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", str(folder / "redis.sock"), "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )


def write_collection(folder: Path, pages: int, hosts: int) -> Path:
    path = folder / "pages.jsonl.zst"
    with path.open("wb") as file, zstandard.ZstdCompressor(level=3).stream_writer(file) as writer:
        for page in generated_pages(pages, hosts):
            writer.write(json.dumps(page, ensure_ascii=False).encode() + b"\n")
    return path


def serve(collection: Path) -> tuple[subprocess.Popen[str], str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "serve", str(collection), "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    for line in server.stdout:
        if "VIRTUAL_WEB=" in line:
            return server, line.rpartition(":")[2].strip()
    raise SystemExit("the server did not start")


def measure(kind: str, port: str, output: Path) -> dict[str, float]:
    """Run one crawl in a process of its own; its CPU seconds, wall seconds and pages."""
    if kind in PLAIN:
        redis = [f"unix://{output.parent / 'redis.sock'}"] if kind == "scrapy-redis" else []
        command = [sys.executable, str(ROOT / "benchmarks" / "plain_scrapy.py"), port, SEED, str(output), *redis]
    else:
        seeds = output.with_suffix(".seeds")
        seeds.write_text(SEED + "\n")
        command = [
            sys.executable, "-m", "scrapy", "crawl", "lang_focused", "-a", "target=ko", "-a", f"strategy={kind}",
            "-a", f"seeds={seeds}", "-a", f"output={output}", "-s", f"VIRTUAL_WEB=127.0.0.1:{port}",
            "-s", "FRONTIER_DELAY=0", "-s", "ROBOTSTXT_OBEY=0", "-s", "CRAWLER_CONTACT=bench@localhost", "-s", "LOG_LEVEL=ERROR",
        ]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        cwd=ROOT,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "pages": count_pages(kind, output)}


def count_pages(kind: str, output: Path) -> int:
    if kind in PLAIN:
        return sum(1 for _ in output.open())
    return int(json.loads((output / "crawl.json").read_text())["stats"]["focus/page_count"])


def show(rounds: list[dict[str, dict[str, float]]]) -> None:
    print(f"{'crawler':<14}{'pages':>8}{'CPU s / 1,000 pages':>22}{'min':>8}{'max':>8}{'ratio to plain':>16}")
    for kind in rounds[0]:
        costs = [1000 * r[kind]["cpu"] / r[kind]["pages"] for r in rounds]
        ratios = [c / (1000 * r["plain"]["cpu"] / r["plain"]["pages"]) for c, r in zip(costs, rounds, strict=True)]
        print(
            f"{kind:<14}{rounds[0][kind]['pages']:>8.0f}{statistics.median(costs):>22.2f}{min(costs):>8.2f}{max(costs):>8.2f}"
            f"{statistics.median(ratios):>16.2f}"
        )


if __name__ == "__main__":
    main()
