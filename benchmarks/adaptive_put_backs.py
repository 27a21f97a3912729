"""What it costs a live crawl on Redis that the strategy that learns puts leased URLs back.

    python benchmarks/adaptive_put_backs.py [--targets th,ko] [--pages 30000] [--downloads 9000] [--seed 101] [--at-once 1,8]

A worker without HTTP: a generated web instead of downloads, but the strategy, the frontier on a redis-server of its own (append-only
file, synced every second) and each call of a worker as in a live crawl. CPU of the worker is that of this process, of the calls
to the frontier and of scoring again; CPU of Redis is its own count (INFO). *None*: nothing is put back, so that what is left is the price of leases and
commits alone. *Embedded*: the frontier of a crawl of one process. *By one*: a release and a lease for each URL that is put back, as it was before ``exchange``. ``--at-once``: URLs that a worker leases and
fetches at a time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

import redis

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from worker_scaling import redis_cpu, start_redis

from crawler_project.core.seams import Frontier, SharedFrontier
from crawler_project.core.values import Entry, Lease, Outcome, Visit
from crawler_project.crawling.put_backs import PutBacks
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulated_link import SimulatedLink, WebView
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import Web
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.base import distance_of_links

T = TypeVar("T")
PARTS = ("lease", "judge", "release", "commit")


class NothingPutBack(Adaptive):
    """Downloads whatever is leased."""

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        return None


class Done(NamedTuple):
    """What a crawl took."""

    downloads: int
    seconds: float
    redis_cpu: float
    scripts: int


@dataclass
class Worker:
    """Crawls a generated web as a live worker would, but for the downloads."""

    web: Web
    strategy: Adaptive
    at_once: int
    cpu: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    put_back: int = 0
    targets: int = 0

    def begin(self, frontier: Frontier, shared: SharedFrontier | None) -> None:
        """Queue the seeds."""
        self.frontier = frontier
        self.put_backs = PutBacks(frontier, shared, self.reconsider, self.count)
        self.numbers = {url: page for page, url in enumerate(self.web.urls.to_pylist())}
        self.view = WebView(self.web)
        self.frontier.add(
            [Entry(self.web.url(page), self.web.host(page), why="seed") for page in self.web.seeds.tolist()]
        )

    def crawl(self, downloads: int) -> int:
        """Download so many pages; how many there were."""
        done = 0
        while done < downloads:
            leases = self.timed("lease", self.put_backs.lease, self.at_once, time.time())
            if not leases:
                return done
            wanted = [lease for lease in leases if self.is_wanted(lease)]
            if wanted:
                self.timed("release", self.put_backs.flush, time.time())
            for lease in wanted:
                self.settle(lease)
                done += 1
        return done

    def is_wanted(self, lease: Lease) -> bool:
        """Score a leased URL again, and put it back if it has become worse."""
        later = self.reconsider(lease.entry)
        if later is not None:
            self.timed("release", self.put_backs.add, lease, later)
        return later is None

    def reconsider(self, entry: Entry) -> float | None:
        return self.timed("judge", self.strategy.reconsider, entry.url, entry.host, entry.priority, entry.evidence)

    def count(self, put_back: int) -> None:
        self.put_back += put_back

    def settle(self, lease: Lease) -> None:
        """Learn from a page, and commit it with its links."""
        entry, page = lease.entry, self.numbers[lease.entry.url]
        visit = self.visit(entry, page)
        self.targets += visit.is_target
        self.strategy.learn_one(entry.evidence, visit)
        links = self.links(page, visit)
        scores = self.strategy.score_links(visit, links)
        best = {}
        for link, score in zip(links, scores, strict=True):
            if score is not None and (link.page not in best or score < best[link.page][0]):
                best[link.page] = score, link
        distance = distance_of_links(visit)
        entries = [
            Entry(
                url=link.url,
                host=link.host,
                priority=score,
                distance=distance,
                depth=entry.depth + 1,
                parent_language=visit.effective_language,
                referrer=visit.url,
                why=self.strategy.explain(visit, link, score),
                evidence=self.strategy.evidence(visit, link),
            )
            for score, link in best.values()
        ]
        counts = self.frontier.counts([visit.host])[0]
        verdict = self.strategy.judge_host_of(
            visit, counts._replace(pages=counts.pages + 1, target_pages=counts.target_pages + visit.is_target)
        )
        outcome = Outcome("page", is_target=visit.is_target, entries=entries, verdicts={visit.host: verdict})
        self.timed("commit", self.frontier.commit, lease, outcome, time.time())

    def visit(self, entry: Entry, page: int) -> Visit:
        web = self.web
        language = web.lang_names[web.langs[page]]
        is_target = bool(web.is_target[page])
        return Visit(entry.url, entry.host, language, language, is_target, is_target, entry.distance, entry.depth == 0)

    def links(self, page: int, visit: Visit) -> Sequence[SimulatedLink]:
        web = self.web
        start, end = web.offsets[page : page + 2].tolist()
        targets = web.targets[start:end].tolist()
        units = self.frontier.counts([web.host(target) for target in targets])
        return [
            SimulatedLink(
                view=self.view,
                page=target,
                same_host=bool(web.hosts[target] == web.hosts[page]),
                tld_is_target=bool(web.tld_is_target[target]),
                anchor_is_target=bool(anchor),
                counts=counts,
            )
            for target, anchor, counts in zip(targets, web.anchors[start:end].tolist(), units, strict=True)
        ]

    def timed(self, name: str, call: Callable[..., T], *arguments: object) -> T:
        """Count the CPU time of a call, without that of others that are counted within it."""
        before, start = sum(self.cpu.values()), time.process_time()
        answer = call(*arguments)
        self.cpu[name] += time.process_time() - start - (sum(self.cpu.values()) - before)
        return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="th,ko")
    parser.add_argument("--pages", type=int, default=30_000)
    parser.add_argument("--downloads", type=int, default=9_000)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--at-once", default="1,8")
    arguments = parser.parse_args()
    print(
        f"{'web':<5}{'put back':<10}{'at once':>8}{'downloads':>10}{'targets':>8}{'times':>9}{'a download':>11}{'s':>7}"
        f"   worker us a download: {'lease':>7}{'judge':>7}{'release':>8}{'commit':>7}{'Redis us':>10}{'scripts':>9}"
    )
    for target in arguments.targets.split(","):
        web = synthesize(recipe_for(target), arguments.pages, arguments.seed)
        for at_once in map(int, arguments.at_once.split(",")):
            run(target, "none", Worker(web, NothingPutBack(), at_once), arguments.downloads)
            run(target, "by one", Worker(web, Adaptive(), at_once), arguments.downloads)
            run(target, "exchange", Worker(web, Adaptive(), at_once), arguments.downloads)
        run_embedded(target, Worker(web, NothingPutBack(), 1), arguments.downloads)
        run_embedded(target, Worker(web, Adaptive(), 1), arguments.downloads)


def run(target: str, how: str, worker: Worker, downloads: int) -> None:
    """Crawl on a server of its own, and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        process, url = start_redis(Path(folder))
        try:
            with redis.Redis.from_url(url) as client:
                frontier = RedisFrontier(client, "puts", identity={}, delay=0.0)
                worker.begin(frontier, None if how == "by one" else frontier)
                before, start = redis_cpu(url), time.monotonic()
                client.config_resetstat()
                done = worker.crawl(downloads)
                seconds, cpu = time.monotonic() - start, redis_cpu(url) - before
                calls = client.info("commandstats")["cmdstat_evalsha"]["calls"]
        finally:
            process.terminate()
            process.wait()
    show(target, how, worker, Done(done, seconds, cpu, calls))


def run_embedded(target: str, worker: Worker, downloads: int) -> None:
    """Crawl with a frontier of this process, and print what it took."""
    frontier = EmbeddedFrontier(None, identity={}, delay=0.0)
    worker.begin(frontier, None)
    start = time.monotonic()
    done = worker.crawl(downloads)
    show(target, "embedded", worker, Done(done, time.monotonic() - start, 0.0, 0))
    frontier.close()


def show(target: str, how: str, worker: Worker, done: Done) -> None:
    micro = 1e6 / done.downloads
    print(
        f"{target:<5}{how:<10}{worker.at_once:>8}{done.downloads:>10}{worker.targets:>8}{worker.put_back:>9}"
        f"{worker.put_back / done.downloads:>11.2f}{done.seconds:>7.1f}{'':<25}"
        + "".join(f"{worker.cpu[part] * micro:>7.0f}" + " " * (part == "judge") for part in PARTS)
        + f"{done.redis_cpu * micro:>10.0f}{done.scripts / done.downloads:>9.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
