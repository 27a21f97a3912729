"""A crawl of a made-up web that can be killed at any moment: ``crash_worker.py DATABASE OUTPUT SEED``.

Writes each page's number to OUTPUT, then commits it; checkpoints at random. Says a byte for every step.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from crawler_project.core.values import Entry, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

PAGES = 6000
HOSTS = 50


def entry_of(page: int) -> Entry:
    host = f"h{page * 31 % HOSTS}.kr"
    return Entry(f"https://{host}/{page}", host, float(page % 3), depth=1)


def links_of(page: int) -> list[Entry]:
    targets = (2 * page + 1, 2 * page + 2, page * 7 % PAGES, (page * page + 1) % PAGES)
    return [entry_of(target) for target in targets if target < PAGES]


def open_frontier(path: Path) -> EmbeddedFrontier:
    return EmbeddedFrontier(path, identity={"web": "made-up"}, delay=0.0, retry_delay=0.0)


def crawl(path: Path, output: Path, seed: int) -> None:
    draw = random.Random(seed)
    frontier = open_frontier(path)
    frontier.add([entry_of(0)])
    with output.open("ab") as rows:
        rows.truncate(frontier.outputs().get("rows", 0))
        rows.seek(0, os.SEEK_END)
        until_checkpoint = 1
        while leases := frontier.lease(draw.randrange(1, 5), 0.0):
            for lease in leases:
                os.write(1, b".")
                page = int(lease.entry.url.rpartition("/")[2])
                if draw.random() < 0.05:
                    frontier.release(lease, 0.0)
                elif lease.attempt == 1 and page % 17 == 0:
                    frontier.commit(lease, Outcome("failed"), 0.0)
                else:
                    rows.write(b"%d\n" % page)
                    frontier.commit(lease, Outcome("page", entries=links_of(page)), 0.0)
                until_checkpoint -= 1
                if until_checkpoint <= 0:
                    until_checkpoint = draw.choice([1, 10, 100, 400])
                    rows.flush()
                    os.write(1, b"c")
                    frontier.checkpoint({"rows": rows.tell()})
        rows.flush()
        frontier.checkpoint({"rows": rows.tell()})
    frontier.close()


if __name__ == "__main__":
    crawl(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
