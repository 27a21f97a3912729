"""Several workers on one Redis are one crawl: each page once, robots.txt once, the pages asked for and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from test_live_and_simulated_orders import EXAMPLE, RUNS, serve, with_anchor_texts
from test_sigkill import linked_web
from web_of_test import KOREAN, MANY, ROOT, Crawl, WebServer, html
from workers_of_test import Workers, redis_of_crawls, workers

from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies import make_strategy

__all__ = ["redis_of_crawls", "workers"]

ORDERS = (
    RUNS if os.environ.get("CRAWL_ALL_ORDERS") else [run for run in RUNS if run[0] in ("experimental", "soft_focused")]
)
"""``CRAWL_ALL_ORDERS=1`` compares all of them."""
SEEDS = [f"http://h{host}.example.org/0" for host in range(12)]


def test_workers_store_each_page_once_and_ask_for_robots_once(server: WebServer, workers: Workers) -> None:
    total = linked_web(server, hosts=12, pages=5)
    workers.run(3, seeds=SEEDS, FRONTIER_DELAY=0.05)
    rows = workers.export()
    assert len(rows) == len({row["url"] for row in rows}) == total
    assert [int(row["position"]) for row in rows] == list(range(1, total + 1))
    assert [row["fetched_at"] for row in rows] == sorted(row["fetched_at"] for row in rows)
    assert Counter(path for path in server.paths() if path.endswith("robots.txt")) == {
        f"h{host}.example.org/robots.txt": 1 for host in range(12)
    }
    assert len(server.requests) == total + 12


def test_report_of_workers_is_the_report_of_one_crawl(server: WebServer, workers: Workers) -> None:
    total = linked_web(server, hosts=4, pages=5)
    workers.run(2, seeds=SEEDS[:4], ROBOTSTXT_OBEY=0, FRONTIER_DELAY=0.05)
    command = [sys.executable, "-m", "scrapy", "report", str(workers.crawl.output)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    page = (workers.crawl.output / "report.html").read_text(encoding="utf-8")
    assert f">{total}<" in page
    parts = [json.loads(path.read_text()) for path in workers.crawl.output.glob("crawl.*.json")]
    assert sum(part["stats"].get("focus/page_count", 0) for part in parts) == total


def test_pages_are_the_budget_of_all_workers_together(server: WebServer, workers: Workers) -> None:
    linked_web(server, hosts=12, pages=5)
    printed = workers.run(3, "-a", "pages=31", seeds=SEEDS, ROBOTSTXT_OBEY=0)
    assert len(workers.export()) == 31
    assert len(server.requests) == 31
    assert all("Crawl ended (finished)" in text for text in printed)
    workers.run(1, "-a", "pages=40", ROBOTSTXT_OBEY=0)
    assert len(workers.export()) == 40


def test_refused_and_missing_pages_do_not_count_for_the_budget(server: WebServer, workers: Workers) -> None:
    server.pages = {(f"h{host}.example.org", "/0"): html("문서", KOREAN) for host in range(6)}
    server.pages["h0.example.org", "/robots.txt"] = "User-agent: *\nDisallow: /\n"
    workers.run(2, "-a", "pages=5", seeds=[*SEEDS[:6], "http://h1.example.org/missing"])
    assert len(workers.export()) == 5


@pytest.mark.parametrize(("name", "parameters"), ORDERS, ids=str)
def test_order_of_one_worker_is_the_order_of_the_strategy(
    server: WebServer, workers: Workers, name: str, parameters: dict[str, Any]
) -> None:
    web, _ = read_golden(EXAMPLE)
    urls = web.urls.to_pylist()
    simulated = [urls[page] for page in Simulator(with_anchor_texts(web), make_strategy(name, **parameters)).run()]
    serve(server, web)
    arguments = [part for key, value in parameters.items() for part in ("-a", f"{key}={value}")]
    workers.name = "order-" + "-".join([name, *map(str, parameters.values())])
    workers.run(
        1, "-a", "target=th", "-a", "judge=title_judge.TitleJudge", "-a", f"strategy={name}", *arguments,
        seeds=[urls[seed] for seed in web.seeds], CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0, FOCUS_USE_HREFLANG=0,
    )  # fmt: skip
    assert [row["url"] for row in workers.export()] == simulated


def test_stopped_crawl_goes_on_with_other_workers(server: WebServer, workers: Workers) -> None:
    total = linked_web(server, hosts=12, pages=5)
    workers.crawl.seeds.write_text("\n".join(SEEDS))
    server.held_after = 16
    workers.start(1, ROBOTSTXT_OBEY=0, FRONTIER_DELAY=0.1)
    workers.until(lambda: len(server.requests) > 15)
    workers.processes[0].terminate()
    server.held_after = MANY
    assert "Crawl ended (shutdown)" in workers.finish()[0]
    workers.run(1, ROBOTSTXT_OBEY=0)
    assert {row["url"] for row in workers.export()} == {
        f"http://h{h}.example.org/{p}" for h in range(12) for p in range(5)
    }
    assert len(server.requests) == total  # a clean stop gives back what it has, nothing is fetched twice


def test_redirected_robots_is_followed_once_for_all_workers(server: WebServer, workers: Workers, crawl: Crawl) -> None:
    from aiohttp import web as answers

    async def moved(request: Any) -> Any:
        return answers.Response(status=301, headers={"Location": "/rules.txt"})

    for page in range(6):
        server.pages["a.example.kr", f"/{page}"] = html("문서", KOREAN)
    server.pages["a.example.kr", "/robots.txt"] = moved
    server.pages["a.example.kr", "/rules.txt"] = "User-agent: *\nDisallow: /3\n"
    workers.run(3, seeds=[f"http://a.example.kr/{page}" for page in range(6)], FRONTIER_DELAY=0.1)
    asked = Counter(server.paths())
    assert (asked["a.example.kr/robots.txt"], asked["a.example.kr/rules.txt"]) == (1, 1)
    assert len(workers.export()) == 5
