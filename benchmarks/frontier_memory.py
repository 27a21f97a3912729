"""Memory and disk of the embedded frontier: per queued URL, per seen URL, at any size.

    python benchmarks/frontier_memory.py --urls 10000000 [--hosts 100000] [--path FILE]
    python benchmarks/frontier_memory.py --urls 1000000 --fetch

Queues URLs of about 70 characters with anchors of 15, referrers of about 70 and a *why* of 14, found 30 a
page, 70 % of them on the page's host and the rest on one of 6 others. With --fetch all of them are then
leased and settled, so that what is left is the seen-set. Memory is resident memory less that of the
process before the frontier was opened; disk is the file and its log, or the temporary file's pages.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from crawler_project.core.values import Entry, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

PER_PAGE = 30


def links(urls: int, hosts: int, seed: int) -> Iterator[list[Entry]]:
    """Entries of one page after the other."""
    draw = random.Random(seed)
    for page in range(0, urls, PER_PAGE):
        names = [f"www.site{draw.randrange(hosts):07d}.co.kr" for _ in range(7)]
        referrer = f"https://{names[0]}/category{page % 97:02d}/article-{page:09d}-some-words.html"
        made = []
        for number in range(page, min(page + PER_PAGE, urls)):
            host = names[0] if draw.random() < 0.7 else names[1 + draw.randrange(6)]
            url = f"https://{host}/category{number % 97:02d}/article-{number:09d}-some-words.html"
            made.append(Entry(url, host, 0.0, 1, 5, "ko", referrer, "anchor of 15 ch", "anchor ko 0.98"))
        yield made


def resident_bytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def disk_bytes(frontier: EmbeddedFrontier) -> tuple[int, int]:
    """Bytes on disk (with the log), and those of them that are in use."""
    database = frontier._connection
    pages, free, size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    total = pages * size
    if frontier.path:
        total = sum(path.stat().st_size for path in frontier.path.parent.glob(frontier.path.name + "*"))
    return total, (pages - free) * size


def report(title: str, frontier: EmbeddedFrontier, urls: int, before: int, seconds: float) -> None:
    total, used = disk_bytes(frontier)
    memory = resident_bytes() - before
    print(
        f"{title}: {used / urls:.1f} B a URL in the database, memory {memory / 2**20:.0f} MB, disk {total / 2**20:.0f} MB, "
        f"together {(memory + total) / 2**30:.2f} GB; {seconds:.0f} s",
        flush=True,
    )


def sizes_of_tables(frontier: EmbeddedFrontier, urls: int) -> None:
    rows = frontier._connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 6")
    print("  " + ", ".join(f"{name} {size / urls:.1f} B" for name, size in rows), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--path", type=Path, help="durable database; default: a temporary one")
    parser.add_argument("--fetch", action="store_true", help="settle all of them afterwards")
    arguments = parser.parse_args()
    pages = links(arguments.urls, arguments.hosts, seed=1)
    before, started = resident_bytes(), time.process_time()
    frontier = EmbeddedFrontier(arguments.path, identity={"benchmark": "memory"}, delay=0.0)
    for number, page in enumerate(pages, 1):
        frontier.add(page)
        if number % 1000 == 0:
            frontier.checkpoint({"pages": number})
    frontier.checkpoint({})
    print(frontier.status(0.0), flush=True)
    report("queued", frontier, arguments.urls, before, time.process_time() - started)
    sizes_of_tables(frontier, arguments.urls)
    if arguments.fetch:
        started, now = time.process_time(), 0.0
        while leases := frontier.lease(100, now):
            now += 1.0
            for lease in leases:
                frontier.commit(lease, Outcome("page"), now)
        frontier.checkpoint({})
        report("all done", frontier, arguments.urls, before, time.process_time() - started)
        sizes_of_tables(frontier, arguments.urls)
    frontier.close()


if __name__ == "__main__":
    main()
