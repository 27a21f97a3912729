"""SIGKILL at any moment and a restart: every page exactly once in the files."""

from __future__ import annotations

import os
import random

from web_of_test import KOREAN, Crawl, WebServer, html

KILLS = int(os.environ.get("CRAWL_KILLS", "4"))
"""20 for the full show: ``CRAWL_KILLS=20 pytest tests/crawl/test_sigkill.py``."""


def linked_web(server: WebServer, hosts: int, pages: int) -> int:
    """A web of ``hosts`` × ``pages``: each page links to the next on its host, and to two on other hosts."""
    for host in range(hosts):
        for page in range(pages):
            links = [(f"/{page + 1}", "다음 문서")] if page + 1 < pages else []
            links += [
                (f"http://h{(host * 7 + page + k) % hosts}.example.org/{(page * 3 + k) % pages}", "관련 한국어 문서")
                for k in (1, 2)
            ]
            server.pages[f"h{host}.example.org", f"/{page}"] = html(f"문서 {host} {page}", KOREAN, *links)
    return hosts * pages


def test_killed_crawl_loses_nothing_and_repeats_nothing(server: WebServer, crawl: Crawl) -> None:
    rng = random.Random(KILLS)
    total = linked_web(server, hosts=40, pages=10 * KILLS)
    crawl.seeds.write_text("\n".join(f"http://h{host}.example.org/0" for host in range(40)))
    settings = {"JOBDIR": crawl.folder / "job", "ROBOTSTXT_OBEY": 0, "CHECKPOINT_INTERVAL": 0.2}
    for _ in range(KILLS):
        enough = len(server.requests) + rng.randrange(1, 2 * total // (3 * KILLS))
        process = crawl.start(FRONTIER_DELAY=0.02, **settings)
        server.kill_after(enough, process)
    crawl.run(timeout=300, **settings)
    urls = [row["url"] for row in crawl.rows()]
    assert len(urls) == len(set(urls)) == total
    assert [int(row["position"]) for row in crawl.rows()] == list(range(1, total + 1))
    assert crawl.stats()["focus/page_count"] == total
    assert len(server.requests) > total  # the kills did interrupt something
