"""1, 2 and 4 workers on one Redis: pages a second, CPU of a worker and of Redis for each page, beside scrapy-redis.

    python benchmarks/worker_scaling.py [--pages 3000] [--hosts 600] [--workers 1 2 4]

All crawl the same generated web (30 KB pages, 60 links) from one server process, on one redis-server with an
append-only file synced every second. The CPU of a worker is user + system time of its process, its start
(measured apart, with one page) taken off; that of Redis is its own count (INFO). Pages a second depend on how many cores
are free for server, Redis and workers; the CPU figures do not, and where one Redis ends is reckoned from them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import redis
from crawl_cost import ROOT, SEED, serve, write_collection


class Run(NamedTuple):
    """What one crawl came to."""

    pages: int
    seconds: float
    worker_cpu: float
    """Of all workers together, s."""
    redis_cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=600)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, port = serve(write_collection(folder, arguments.pages, arguments.hosts))
        database, url = start_redis(folder)
        try:
            start = crawl(folder / "start", port, url, workers=1, budget=1).worker_cpu
            theirs = scrapy_redis(folder / "theirs.jsonl", port, url)
            runs = {count: crawl(folder / f"w{count}", port, url, workers=count) for count in arguments.workers}
        finally:
            for process in (server, database):
                process.terminate()
                process.wait()
    show(theirs, runs, start)


def start_redis(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    path = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    if path is None:
        raise SystemExit("no redis-server here (Debian: apt install redis-server)")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    process = subprocess.Popen([path, *options], stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    return process, f"redis://127.0.0.1:{port}/0"


def crawl(output: Path, port: str, url: str, *, workers: int, budget: int | None = None) -> Run:
    """Crawl the whole web with so many workers at once."""
    output.mkdir()
    seeds = output.with_suffix(".seeds")
    seeds.write_text(SEED + "\n")
    command = [
        sys.executable, "-m", "scrapy", "crawl", "lang_focused", "-a", "target=ko", "-a", "strategy=control",
        "-a", f"seeds={seeds}", "-a", f"output={output}", "-a", f"crawl={output.name}", "-s", f"VIRTUAL_WEB=127.0.0.1:{port}",
        "-s", "FRONTIER_DELAY=0", "-s", "ROBOTSTXT_OBEY=0", "-s", "CRAWLER_CONTACT=bench@localhost", "-s", "LOG_LEVEL=ERROR",
        *(["-a", f"pages={budget}"] if budget else []),
    ]  # fmt: skip
    return measure([command] * workers, url, lambda: pages_of(output))


def scrapy_redis(output: Path, port: str, url: str) -> Run:
    command = [sys.executable, str(ROOT / "benchmarks" / "plain_scrapy.py"), port, SEED, str(output), url]
    return measure([command], url, lambda: sum(1 for _ in output.open()))


def measure(commands: list[list[str]], url: str, pages: object) -> Run:
    """Run commands side by side; their CPU, that of Redis, and the time from the first page on."""
    environment = {
        **os.environ,
        "REDIS_URL": url,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    before, redis_before, start = children_cpu(), redis_cpu(url), time.monotonic()
    processes = [subprocess.Popen(command, cwd=ROOT, env=environment) for command in commands]
    codes = [process.wait() for process in processes]
    if any(codes):
        raise SystemExit("a worker failed")
    seconds = time.monotonic() - start
    assert callable(pages)
    return Run(pages(), seconds, children_cpu() - before, redis_cpu(url) - redis_before)


def pages_of(output: Path) -> int:
    parts = [json.loads(path.read_text())["stats"] for path in output.glob("crawl.*.json")]
    return sum(part.get("focus/page_count", 0) for part in parts)


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def redis_cpu(url: str) -> float:
    with redis.Redis.from_url(url) as client:
        cpu = client.info("cpu")
        return float(cpu["used_cpu_user"]) + float(cpu["used_cpu_sys"])


def show(theirs: Run, runs: dict[int, Run], start: float) -> None:
    print(f"start of a worker: {start:.2f} s of CPU, taken off below for each of ours (not for scrapy-redis)")
    print(f"{'crawler':<16}{'pages':>8}{'s':>8}{'pages/s':>9}{'worker CPU s/1,000 pages':>26}{'Redis CPU us/page':>19}")
    line("scrapy-redis, 1", theirs, 0.0)
    for count, run in runs.items():
        line(f"workers: {count}", run, start * count)
    run = runs[max(runs)]
    a_page, worker = run.redis_cpu / run.pages, (run.worker_cpu - start * max(runs)) / run.pages
    print(
        f"One Redis ends at about {1 / a_page:,.0f} pages/s (its one thread, at {a_page * 1e6:.0f} us a page): "
        f"{worker / a_page:.0f} workers with a core each at {1 / worker:.0f} pages/s."
    )


def line(name: str, run: Run, start: float) -> None:
    cpu = 1000 * (run.worker_cpu - start) / run.pages
    print(
        f"{name:<16}{run.pages:>8}{run.seconds:>8.1f}{run.pages / run.seconds:>9.1f}{cpu:>26.2f}{1e6 * run.redis_cpu / run.pages:>19.0f}"
    )


if __name__ == "__main__":
    main()
