"""What the demo's collection holds, what a crawl can show on it, and how fast it is served.

    python benchmarks/demo_collection.py [COLLECTION] [--budget 600] [--requests 20000]

Two orders without a crawler's details, by the labels of the collection itself: breadth-first, and
links whose anchor text is in the target's script or whose host is in its domain, the rest dropped.
An address without a page costs nothing of the budget. The server and the client share the machine;
the CPU seconds are the server's alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import socket
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from selectolax.lexbor import LexborHTMLParser

from crawler_project.core.urls import canonical_url, top_level_domain
from crawler_project.seeding.seed_file import read_seeds
from crawler_project.serving.recorded_lines import recorded_lines

TARGETS = {"ko": ("kr", "[가-힣]"), "ja": ("jp", "[ぁ-ヿ一-龥]"), "zh": ("cn", "[一-龥]"), "th": ("th", "[ก-๛]")}
CONNECTIONS = 16
Rule = Callable[[str, str], bool]


class Link(NamedTuple):
    url: str
    host: str
    anchor: str


class Recorded(NamedTuple):
    host: str
    language: str
    links: list[Link]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", nargs="?", type=Path, default=ROOT / "demo" / "pages.jsonl.zst")
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--requests", type=int, default=20_000)
    arguments = parser.parse_args()
    records = [json.loads(line) for line in recorded_lines(arguments.collection)]
    pages = dict(map(read_page, records))
    show_pages(pages)
    show_links(pages)
    show_orders(pages, arguments.budget)
    show_speed(arguments.collection, [record["url"] for record in records], arguments.requests)


def read_page(record: dict[str, Any]) -> tuple[str, Recorded]:
    parts = canonical_url(record["url"])
    assert parts is not None
    links = []
    for node in LexborHTMLParser(record["html"]).css("a[href], area[href]"):
        target = canonical_url(node.attributes["href"] or "", parts.url)
        if target is not None:
            links.append(Link(*target, node.text().strip()))
    return parts.url, Recorded(parts.host, record["text_lang"] or "und", links)


def show_pages(pages: dict[str, Recorded]) -> None:
    languages = Counter(page.language.partition("-")[0] for page in pages.values())
    hosts = Counter(page.host for page in pages.values())
    print(f"{len(pages)} pages on {len(hosts)} hosts")
    print("by language:", ", ".join(f"{name} {count}" for name, count in languages.most_common()))
    print("by host:", ", ".join(f"{name} {count}" for name, count in hosts.most_common()))


def show_links(pages: dict[str, Recorded]) -> None:
    hosts = {page.host for page in pages.values()}
    kinds: Counter[str] = Counter()
    for page in pages.values():
        for link in page.links:
            target = pages.get(link.url)
            if target is None:
                kinds["to a host of the collection, page absent" if link.host in hosts else "to other hosts"] += 1
                continue
            kinds["inside"] += 1
            kinds["inside, to another language"] += target.language != page.language
            kinds["inside, to another host"] += target.host != page.host
    print("links:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


def show_orders(pages: dict[str, Recorded], budget: int) -> None:
    print(f"\n{'target':<8}{'order':<16}{'budget':>8}{'pages':>8}{'target pages':>14}{'harvest':>9}{'coverage':>10}")
    for language, (tld, script) in TARGETS.items():
        seeds = [parts.url for parts in read_seeds(str(ROOT / "demo" / f"seeds-{language}.txt")).urls]
        wanted = sum(page.language == language for page in pages.values())
        for name, rule in (("breadth-first", _every_link), ("anchor or TLD", _of_target(tld, re.compile(script)))):
            for limit in (budget // 2, budget, len(pages)):
                order = crawl(pages, seeds, rule)[:limit]
                found = sum(pages[url].language == language for url in order)
                shown = "none" if limit == len(pages) else str(limit)
                print(
                    f"{language:<8}{name:<16}{shown:>8}{len(order):>8}{found:>14}{found / max(len(order), 1):>9.2f}"
                    f"{found / wanted:>10.2f}"
                )


def _every_link(host: str, anchor: str) -> bool:
    return True


def _of_target(tld: str, script: re.Pattern[str]) -> Rule:
    return lambda host, anchor: top_level_domain(host) == tld or bool(script.search(anchor))


def crawl(pages: dict[str, Recorded], seeds: list[str], rule: Rule) -> list[str]:
    """The pages that are found, first discovered first."""
    queue, seen, order = deque(seeds), set(seeds), []
    while queue:
        url = queue.popleft()
        if url not in pages:
            continue
        order.append(url)
        for link in pages[url].links:
            if link.url not in seen and rule(link.host, link.anchor):
                seen.add(link.url)
                queue.append(link.url)
    return order


def show_speed(collection: Path, urls: list[str], requests: int) -> None:
    command = [sys.executable, "-m", "scrapy", "serve", str(collection), "--port", "0"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline().rpartition(":")[2])
        idle = _cpu_seconds(server.pid)
        begin = time.perf_counter()
        size = sum(_ask(port, urls[start::CONNECTIONS], requests // CONNECTIONS) for start in range(CONNECTIONS))
        wall, cpu = time.perf_counter() - begin, _cpu_seconds(server.pid) - idle
    finally:
        server.terminate()
        server.wait()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"\nserved {requests} pages, {size / 1e6:.0f} MB: {requests / wall:.0f} pages/s, "
        f"{1000 * cpu / requests:.2f} CPU s per 1,000 pages; at most {memory:.0f} MB of memory"
    )


def _ask(port: int, urls: list[str], count: int) -> int:
    """Ask for ``count`` pages over one connection, one after the other; the bytes that came."""
    size = 0
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answers:
        for number in range(count):
            parts = urlsplit(urls[number % len(urls)])
            connection.sendall(f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            status = answers.readline()
            assert b" 200 " in status, (status, parts)
            length = 0
            while (line := answers.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line[15:])
            size += len(answers.read(length))
    return size


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
