"""Crawl the shipped collection for one language, once breadth-first and once focused, and report.

Everything is real but the place: a real crawler, real HTTP, real pages under their real names,
served on loopback.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRAPY = [sys.executable, "-m", "scrapy"]
OUTPUT = ROOT / "demo-output"
MARK = ".demo"
"""A file in each folder that a demo wrote, so that none empties another."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="ko", help="language: ko, ja, zh or th (default: ko)")
    parser.add_argument("--pages", type=at_least_one, default=300, help="page budget of each crawl (default: 300)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="is emptied first, if a demo wrote it")
    arguments = parser.parse_args()
    seeds = ROOT / "demo" / f"seeds-{arguments.target}.txt"
    if not seeds.exists():
        parser.error(f"the collection has no seeds for {arguments.target!r}; choose ko, ja, zh or th")
    arguments.output = arguments.output.absolute()  # the crawls run in the project's folder
    if reason := empty_folder(arguments.output, OUTPUT):
        print(f"run_demo.py: {reason}", file=sys.stderr)
        return 2
    start = time.monotonic()
    server, port = start_server(ROOT / "demo" / "pages.jsonl.zst")
    try:
        folders = [crawl(arguments, seeds, strategy, port) for strategy in ("control", "experimental")]
    finally:
        server.terminate()
        server.wait()
    report = arguments.output / "report.html"
    collection = ["--collection", str(ROOT / "demo" / "pages.jsonl.zst")]  # its labels give the true coverage
    subprocess.run([*SCRAPY, "report", *map(str, folders), *collection, "--output", str(report)], cwd=ROOT, check=True)
    print(f"\nDone in {time.monotonic() - start:.0f} s.")
    print(f"Crawled pages:  {', '.join(str(folder) for folder in folders)} (crawled-*.csv)")
    print(f"Report:         {report}")
    return 0


def at_least_one(text: str) -> int:
    """Read a whole number, 1 or more; argparse says what it is for."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} does not fit; allowed: a whole number, 1 or more")
    return number


def empty_folder(folder: Path, default: Path) -> str:
    """Make ``folder`` an empty one with a mark; gives the reason where that is not to be, and then touches nothing.

    What a demo wrote is removed, and ``default``, which is for demos alone.
    """
    try:
        if folder.exists():
            if folder != default and not (folder / MARK).is_file() and any(folder.iterdir()):
                return f"{folder} holds what no demo wrote; name another folder with --output, or remove it"
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        (folder / MARK).write_text("A demo wrote this folder; the next one empties it.\n", encoding="utf-8")
    except OSError as error:
        return f"{folder} cannot be emptied: {error.strerror or error}; name another folder with --output"
    return ""


def start_server(collection: Path) -> tuple[subprocess.Popen[str], int]:
    """Serve the collection on a free port; the port is in the line that the server prints when it is ready."""
    server = subprocess.Popen(
        [*SCRAPY, "serve", str(collection), "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    for line in server.stdout:
        print(line, end="", flush=True)
        if found := re.search(r"VIRTUAL_WEB=127\.0\.0\.1:(\d+)", line):
            return server, int(found[1])
    raise SystemExit("the demo web server did not start")


def crawl(arguments: argparse.Namespace, seeds: Path, strategy: str, port: int) -> Path:
    """Run the command that the README shows, with the demo's web in place of the world's."""
    folder: Path = arguments.output / strategy
    command = [
        *SCRAPY, "crawl", "lang_focused",
        "-a", f"target={arguments.target}", "-a", f"strategy={strategy}",
        "-a", f"seeds={seeds}", "-a", f"pages={arguments.pages}", "-a", f"output={folder}",
        "-s", f"VIRTUAL_WEB=127.0.0.1:{port}",
        "-s", "CRAWLER_CONTACT=demo@localhost",
        "-s", "FRONTIER_DELAY=0.05",  # it is our own server that is asked
    ]  # fmt: skip
    print(f"\n$ scrapy {' '.join(command[3:])}", flush=True)
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
