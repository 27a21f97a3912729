"""How fast and in how much memory ``scrapy seeds extract`` reads a dump of DMOZ's size.

Generates a dump in DMOZ's form (4 million entries, 2 GB; one entry in a thousand has a fault), extracts it as a user
would, and prints entries a second, CPU seconds and peak memory::

    python benchmarks/seeds_extract.py [--entries 4000000] [--folder DIR] [--gzip]
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" '
    'xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
)
WORDS = [
    "검색",
    "안내",
    "information",
    "日本語",
    "ニュース",
    "company",
    "page",
    "of",
    "the",
    "official",
    "site",
    "and",
    "中文",
    "新闻",
    "ข่าว",
    "société",
    "für",
    "música",
    "guide",
]
FAULTS = ("R&D &nbsp; ", "\x01\x0b", "1 < 2 ", "</d:Title>")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=4_000_000)
    parser.add_argument("--folder", type=Path, help="where the dump is kept (default: a temporary folder)")
    parser.add_argument("--gzip", action="store_true", help="compress the dump")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        dump = Path(folder) / ("content.rdf.u8.gz" if arguments.gzip else "content.rdf.u8")
        start = time.monotonic()
        faults = write_dump(dump, arguments.entries, gzipped=arguments.gzip)
        print(
            f"generated {dump.stat().st_size:,} bytes in {time.monotonic() - start:.0f} s, {faults:,} entries with a fault"
        )
        extract(dump, Path(folder) / "urls.csv", arguments.entries)
    return 0


def write_dump(path: Path, entries: int, *, gzipped: bool) -> int:
    """Write a dump; gives the number of entries with a fault."""
    with gzip.open(path, "wt", 1, "utf-8") if gzipped else path.open("w", encoding="utf-8") as file:
        file.write(BEGIN)
        for entry in generated(entries):
            file.write(entry)
        file.write("</RDF>\n")
    return len(range(0, entries, 1_000))


def generated(entries: int) -> Iterator[str]:
    draw = random.Random(0)
    texts = [" ".join(draw.choices(WORDS, k=22)) for _ in range(2_000)]
    for number in range(entries):
        title, description = texts[number % 1_999][:40], texts[number * 7 % 1_997]
        fault = FAULTS[number // 1_000 % len(FAULTS)] if number % 1_000 == 0 else ""
        topic = f"Top/World/Korean/Topic_{number // 40}"
        links = f'<Topic r:id="{topic}">\n<catid>{number}</catid>\n</Topic>\n' if number % 40 == 0 else ""
        yield (
            f'{links}<ExternalPage about="http://www.site{number}.co.kr/page/{number % 17}.html?a=1&amp;b={number}">\n'
            f"  <d:Title>{fault}{title}</d:Title>\n  <d:Description>{description}</d:Description>\n"
            f"  <topic>{topic}</topic>\n</ExternalPage>\n"
        )


def extract(dump: Path, output: Path, entries: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "crawler_project.settings"}
    start = time.monotonic()
    command = [sys.executable, "-m", "scrapy", "seeds", "extract", str(dump)]
    with output.open("wb") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, text=True, env=environment, check=True)
    seconds = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime
    print(*done.stderr.splitlines()[-4:], sep="\n")
    print(
        f"{seconds:.1f} s, {cpu:.1f} s of CPU: {entries / cpu:,.0f} entries/s a core; peak memory {usage.ru_maxrss / 1024:.0f} MB"
    )


if __name__ == "__main__":
    raise SystemExit(main())
