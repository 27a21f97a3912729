"""The frontier on Redis beside scrapy-redis' queue and dupefilter, on one server: speed, CPU, memory, latency.

    python benchmarks/redis_frontier.py [--urls 1000000] [--hosts 20000] [--index] [--no-aof]

Starts a redis-server of its own (append-only file on, fsync every second) in a temporary folder. Links are
made up with the lengths of real ones (path 37 B, anchor 18 B, as on the pages of the demo collection): 60 a
page, half of them seen before; half of the new ones on the page's own host, the others on five hosts drawn
with Zipf's law (pages of the demo collection bring new URLs on 2.3 hosts, 4 each).
Both sides run in this process, one after the other; what is timed is what a worker has to do for a
page: lease and commit here, page by page and in groups of 16 as workers do; a Request, its fingerprint, SADD and, if it is new, ZADD for each link, and one
pop, there.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import redis
from scrapy import Request, Spider
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import PriorityQueue

sys.path[:0] = [
    str(Path(__file__).resolve().parent.parent),
    str(Path(__file__).resolve().parent.parent / "tests" / "frontier"),
]

from redis_fixture import RedisServer

from crawler_project.core.values import Entry, Outcome
from crawler_project.crawling.durable_rows import MOST_ROWS
from crawler_project.frontier.redis_frontier import RedisFrontier

LINKS = 60
WORDS = [
    "news",
    "board",
    "view",
    "article",
    "list",
    "story",
    "archive",
    "item",
    "korea",
    "seoul",
    "notice",
    "event",
    "blog",
    "post",
    "product",
    "guide",
]
ANCHORS = [
    "공지사항",
    "자세히 보기",
    "회사 소개",
    "Read more",
    "다음 글",
    "Latest news",
    "오늘의 주요 뉴스 모음",
    "목록",
]


class Links:
    """Pages of made-up links; the same seed gives the same ones."""

    def __init__(self, hosts: int, seed: int = 1) -> None:
        self._rng = random.Random(seed)
        self._hosts = [f"www{number}.example{number % 97}.kr" for number in range(hosts)]
        weights = [1 / (rank + 10) for rank in range(hosts)]
        self._cumulative = [0.0]
        for weight in weights:
            self._cumulative.append(self._cumulative[-1] + weight)
        del self._cumulative[0]
        self._count = 0
        self._old: list[tuple[str, str]] = []

    def seeds(self) -> list[Entry]:
        return [Entry(f"https://{host}/", host, why="seed") for host in self._hosts]

    def page(self, host: str, referrer: str, new: int = LINKS // 2) -> list[Entry]:
        """60 links of a page, ``new`` of them never seen."""
        rng = self._rng
        others = rng.choices(self._hosts, cum_weights=self._cumulative, k=5)
        far = rng.choices(others, k=new - new // 2)
        fresh = [self._new_url(name) for name in [host] * (new // 2) + far]
        again = [rng.choice(self._old) for _ in range(LINKS - new)] if self._old else []
        if len(self._old) < 200_000:
            self._old += fresh
        urls = fresh + again
        rng.shuffle(urls)
        return [
            Entry(
                url, name, 0.0, 1, 3, "ko", referrer, ANCHORS[number % len(ANCHORS)], f"anchor ko 0.{90 + number % 10}"
            )
            for number, (url, name) in enumerate(urls)
        ]  # fmt: skip

    def _new_url(self, host: str) -> tuple[str, str]:
        self._count += 1
        rng = self._rng
        words = "-".join(rng.choices(WORDS, k=3))
        return f"https://{host}/{WORDS[self._count % 16]}/{words}-{self._count:07d}.html", host


def cpu(client: redis.Redis) -> float:
    info = client.info("cpu")
    return info["used_cpu_user"] + info["used_cpu_sys"]


def memory(client: redis.Redis) -> int:
    return client.info("memory")["used_memory"]


def bench_ours(client: redis.Redis, pages: int, hosts: int, group: int) -> dict[str, float]:
    """``group``: pages that are leased together, and committed together, as a worker does when its rows are on disk."""
    client.flushall()
    links = Links(hosts)
    frontier = RedisFrontier(client, "speed", identity={}, delay=0.0, best_priority=0.0)
    frontier.add(links.seeds())
    scripts_before = client.info("commandstats").get("cmdstat_evalsha", {"usec": 0})["usec"]
    took, used, count = 0.0, 0.0, 0
    for start in range(0, pages, 200):
        part = []
        for number in range(start, min(start + 200, pages)):
            host = links._hosts[number * 7 % hosts]
            part.append(links.page(host, f"https://{host}/news/page-{number}.html"))
        used -= cpu(client)
        begin = time.perf_counter()
        for at in range(0, len(part), group):
            pages_of_group = part[at : at + group]
            leases = frontier.lease(len(pages_of_group), time.time())
            outcomes = [Outcome("page", entries=entries) for entries in pages_of_group]
            frontier.commit_all(list(zip(leases, outcomes, strict=True)), time.time())
        took += time.perf_counter() - begin
        used += cpu(client)
        count += sum(len(entries) for entries in part)
    return {
        "links/s": count / took,
        "redis us/link": used / count * 1e6,
        "ms/page": took / pages * 1000,
        "us/link in scripts": (client.info("commandstats")["cmdstat_evalsha"]["usec"] - scripts_before) / count,
    }


def bench_scrapy_redis(client: redis.Redis, pages: int, hosts: int) -> dict[str, float]:
    links = Links(hosts)
    spider = Spider(name="speed")
    queue, seen = PriorityQueue(client, spider, "%(spider)s:requests"), RFPDupeFilter(client, "speed:dupefilter")
    took, used, count = 0.0, 0.0, 0
    for number in range(pages):
        host = links._hosts[number * 7 % hosts]
        referrer = f"https://{host}/news/page-{number}.html"
        entries = links.page(host, referrer)
        used -= cpu(client)
        begin = time.perf_counter()
        for entry in entries:
            meta = {"anchor": entry.anchor_text, "why": entry.why, "depth": 3}
            request = Request(entry.url, meta=meta, headers={"Referer": referrer})
            if not seen.request_seen(request):
                queue.push(request)
        queue.pop()
        took += time.perf_counter() - begin
        used += cpu(client)
        count += len(entries)
    return {"links/s": count / took, "redis us/link": used / count * 1e6, "ms/page": took / pages * 1000}


def weigh_scrapy_redis(client: redis.Redis, urls: int) -> dict[str, float]:
    """Bytes a URL of the dupefilter and of the queue (measured on at most 100,000: both grow evenly)."""
    urls = min(urls, 100_000)
    links = Links(1000)
    spider = Spider(name="weight")
    queue, seen = PriorityQueue(client, spider, "%(spider)s:requests"), RFPDupeFilter(client, "weight:dupefilter")
    client.flushall()
    before = memory(client)
    requests = []
    while len(requests) < urls:
        referrer = f"https://www1.example1.kr/news/page-{len(requests)}.html"
        requests += [
            Request(entry.url, meta={"anchor": entry.anchor_text, "why": entry.why, "depth": 3}, headers={"Referer": referrer})
            for entry in links.page("www1.example1.kr", referrer, new=LINKS)
        ]  # fmt: skip
    for request in requests:
        seen.request_seen(request)
    middle = memory(client)
    for request in requests:
        queue.push(request)
    return {"seen B/URL": (middle - before) / len(requests), "queued B/URL": (memory(client) - middle) / len(requests)}


def fill(frontier: RedisFrontier, links: Links, urls: int) -> int:
    """Queue the hosts' first pages, then new URLs as pages bring them, 30 at a time; how many were added."""
    added, number = frontier.add(links.seeds()).added, 0
    while added < urls:
        host = links._hosts[number * 7919 % len(links._hosts)]
        batch = links.page(host, f"https://{host}/news/page-{number}.html", new=LINKS // 2)[:LINKS]
        added += frontier.add(batch).added
        number += 1
    return added


def groups(client: redis.Redis, prefix: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for key in client.scan_iter(match=prefix.replace("{", "\\{") + "*", count=5000):
        found.setdefault(key[len(prefix) :].split(b":")[0].decode(), []).append(key)
    return found


def latencies(frontier: RedisFrontier, links: Links, rounds: int) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {"lease": [], "commit": []}
    for number in range(rounds):
        begin = time.perf_counter()
        lease = frontier.lease(1, time.time())[0]
        took["lease"].append(time.perf_counter() - begin)
        entries = links.page(lease.entry.host, lease.entry.url)
        begin = time.perf_counter()
        frontier.commit(lease, Outcome("page", entries=entries), time.time())
        took["commit"].append(time.perf_counter() - begin)
        del number
    return took


def percentiles(values: list[float]) -> str:
    cuts = statistics.quantiles(values, n=1000)
    return f"p50 {cuts[499] * 1000:.2f} ms, p99 {cuts[989] * 1000:.2f} ms, p99.9 {cuts[998] * 1000:.2f} ms, most {max(values) * 1000:.2f} ms"


def weigh(client: redis.Redis, urls: int, hosts: int, best_priority: float) -> None:
    client.flushall()
    links = Links(hosts)
    frontier = RedisFrontier(client, "weight", identity={}, delay=1.0, best_priority=best_priority)
    before = memory(client)
    begin = time.perf_counter()
    added = fill(frontier, links, urls)
    status = frontier.status(time.time())
    print(f"  {added:,} URLs on {status.hosts_ready:,} hosts queued in {time.perf_counter() - begin:.0f} s")
    client.config_resetstat()
    client.slowlog_reset()
    client.config_set("slowlog-log-slower-than", 5000)
    for name, values in latencies(frontier, links, 3000).items():
        print(f"  {name}: {percentiles(values)} (as the worker sees it)")
    calls = client.info("commandstats")["cmdstat_evalsha"]
    print(f"  inside Redis: {calls['usec_per_call']:.0f} us a script; scripts over 5 ms: {client.slowlog_len()}")
    total, status = memory(client) - before, frontier.status(time.time())
    seen, added = status.seen, status.queued
    print(f"  {status}")
    print(
        f"  memory {total / 1e6:,.0f} MB = {total / added:.1f} B/URL, of which (measured by deleting each kind of key):"
    )
    queued = 0.0
    for kind, keys in sorted(groups(client, frontier.prefix).items(), key=lambda item: (item[0] != "s", item[0])):
        had = memory(client)
        for start in range(0, len(keys), 10_000):
            client.delete(*keys[start : start + 10_000])
        freed = had - memory(client)
        queued += freed if kind != "s" else 0
        if freed > added / 10:
            print(f"    {kind:6} {len(keys):9,} keys {freed / added:6.1f} B/URL")
        if kind == "s":
            print(f"  seen: {freed / seen:.2f} B/URL")
    print(f"  queued: {queued / added:.1f} B/URL without the seen-set, hosts included")
    client.flushall()


def table(rows: dict[str, dict[str, float]]) -> Iterator[str]:
    for name, row in rows.items():
        yield f"  {name:14}" + "  ".join(f"{key} {value:,.1f}" for key, value in row.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=20_000)
    parser.add_argument("--pages", type=int, default=3000, help="pages of the speed test")
    parser.add_argument(
        "--index", action="store_true", help="keep queued URLs findable (strategies of several priorities)"
    )
    parser.add_argument("--no-aof", action="store_true", help="without an append-only file")
    parser.add_argument("--skip-speed", action="store_true")
    parser.add_argument("--skip-weight", action="store_true")
    arguments = parser.parse_args()
    options = ("--appendonly", "no" if arguments.no_aof else "yes", "--appendfsync", "everysec")
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), *options) as server:
        client = server.client()
        print(f"Redis {client.info('server')['redis_version']}")
        if not arguments.skip_speed:
            compare_speed(client, arguments.pages, arguments.hosts)
        if not arguments.skip_weight:
            rows = {"scrapy-redis": weigh_scrapy_redis(client, arguments.urls)}
            print("weight of scrapy-redis:", *table(rows), "weight of this project:", sep="\n")
            weigh(client, arguments.urls, arguments.hosts, float("-inf") if arguments.index else 0.0)


def compare_speed(client: redis.Redis, pages: int, hosts: int) -> None:
    rows = {"scrapy-redis": bench_scrapy_redis(client, max(pages // 20, 20), hosts)}
    rows["page by page"] = bench_ours(client, pages, hosts, 1)
    rows["in groups"] = bench_ours(client, pages, hosts, MOST_ROWS)
    print("speed, one worker, 60 links a page, half new:", *table(rows), sep="\n")
    for measure in ("links/s", "redis us/link"):
        for name in ("page by page", "in groups"):
            theirs, ours = rows["scrapy-redis"][measure], rows[name][measure]
            print(f"  {measure}, {name}: {max(theirs, ours) / min(theirs, ours):.1f} x better")
    client.flushall()


if __name__ == "__main__":
    main()
