"""CPU time of a commit, a lease and a checkpoint of the embedded frontier.

    python benchmarks/frontier_speed.py --queued 100000 [--path FILE] [--strategy bfs|classes]

Prints median and 95th percentile over --commits pages, each with 60 links: 30 to URLs that were never
seen, 30 to URLs that are known. Of the links 70 % stay on the page's host (72 % in Somboonviwat's
Table 4), the others go to 6 other hosts, drawn from all. ``classes`` gives links one of three priorities
at random and compares distances, so that known URLs have to be looked at for improvement (R5); with
``bfs`` all priorities are equal. A checkpoint follows every 500 pages.
CPU seconds of this process, the same clock for all figures; a single run, no other load.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from crawler_project.core.values import Entry, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

LINKS, NEW_LINKS, LOCAL, OTHER_HOSTS = 60, 30, 0.7, 6


class Web:
    """Draws links of pages; remembers some of the drawn URLs for links to known ones."""

    def __init__(self, hosts: int, classes: int, seed: int) -> None:
        self._random = random.Random(seed)
        self._hosts = hosts
        self._classes = classes
        self._made = 0
        self._known: dict[str, list[tuple[str, str]]] = {}

    def new_url(self, host: str) -> tuple[str, str]:
        self._made += 1
        url = f"https://{host}/news/{self._made % 97:02d}/article-{self._made:09d}-some-words.html"
        known = self._known.setdefault(host, [])
        if len(known) < 100:
            known.append((url, host))
        else:
            known[self._random.randrange(100)] = (url, host)
        return url, host

    def host(self) -> str:
        return f"www.site{self._random.randrange(self._hosts):06d}.co.kr"

    def links(self, page: str, page_host: str) -> list[Entry]:
        others = [self.host() for _ in range(OTHER_HOSTS)]
        hosts = [page_host if self._random.random() < LOCAL else self._random.choice(others) for _ in range(LINKS)]
        targets = [self.new_url(host) for host in hosts[:NEW_LINKS]]
        targets += [self._random.choice(self._known[host]) for host in hosts[NEW_LINKS:] if host in self._known]
        self._random.shuffle(targets)
        return [self._entry(url, host, page) for url, host in targets]

    def _entry(self, url: str, host: str, page: str) -> Entry:
        priority = float(self._random.randrange(self._classes))
        return Entry(url, host, priority, 1 + int(priority), 3, "ko", page, "a text of anchor", "anchor ko 0.98")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--queued", type=int, default=100_000)
    parser.add_argument("--hosts", type=int, default=3_000)
    parser.add_argument("--commits", type=int, default=2_000)
    parser.add_argument("--strategy", choices=("bfs", "classes"), default="bfs")
    parser.add_argument("--path", type=Path, help="durable database; default: a temporary one")
    arguments = parser.parse_args()
    classes = arguments.strategy == "classes"
    frontier = EmbeddedFrontier(arguments.path, identity={"benchmark": "speed"}, delay=0.0, compare_distance=classes)
    web = Web(arguments.hosts, 3 if classes else 1, seed=1)
    times: dict[str, list[float]] = {"lease": [], "commit": [], "checkpoint": []}
    frontier.add([web._entry(*web.new_url(web.host()), "") for _ in range(1000)])
    page = 0
    while frontier.status(float(page)).queued < arguments.queued or len(times["commit"]) < arguments.commits:
        page += 1
        is_measured = frontier.status(float(page)).queued >= arguments.queued
        started = time.process_time()
        (lease,) = frontier.lease(1, float(page))
        leased = time.process_time()
        outcome = Outcome("page", is_target=True, entries=web.links(lease.entry.url, lease.entry.host))
        ready = time.process_time()
        result = frontier.commit(lease, outcome, float(page))
        committed = time.process_time()
        if page % 500 == 0:
            frontier.checkpoint({"pages": page})
            if is_measured:
                times["checkpoint"].append(time.process_time() - committed)
        if is_measured:
            times["lease"].append(leased - started)
            times["commit"].append(committed - ready)
    print(
        f"{arguments.queued} queued, {arguments.strategy}, {'durable' if arguments.path else 'temporary'}; last: {result}"
    )
    for name, values in times.items():
        if not values:
            continue
        ordered = sorted(values)
        tail = ordered[int(len(ordered) * 0.95)]
        print(
            f"{name:10} median {statistics.median(ordered) * 1e6:7.0f} us   95 % {tail * 1e6:7.0f} us   ({len(ordered)})"
        )
    frontier.close()


if __name__ == "__main__":
    main()
