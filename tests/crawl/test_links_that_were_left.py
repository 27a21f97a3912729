"""``scrapy explain`` over real crawls: why a link was left, by every part of what it is worth."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from web_of_test import ENGLISH, KOREAN, Crawl, WebServer, html
from workers_of_test import Workers, redis_of_crawls, workers

from crawler_project.strategies.learning.left import read_left

__all__ = ["redis_of_crawls", "workers"]

ROOT = Path(__file__).parent.parent.parent


def explain(crawl: Crawl, *arguments: str) -> list[dict[str, Any]]:
    """Give the JSON objects of ``scrapy explain``."""
    command = [sys.executable, "-m", "scrapy", "explain", *arguments, "--crawl", str(crawl.output), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def serve(server: WebServer) -> None:
    """A Korean host of eight pages, and an English one of twenty that all of them link to."""
    good = [(f"/good{number}", "더 보기") for number in range(7)]
    bad = [(f"http://bad.com/{number}", "read more") for number in range(20)]
    server.pages["a.kr", "/"] = html("seed", KOREAN, *good, *bad, ("/gone", "없음"), ("/a/a/a/a/a/a/", "더"))
    for path, _ in good:
        server.pages["a.kr", path] = html("good", KOREAN, *bad)
    for url, _ in bad:
        server.pages["bad.com", url.removeprefix("http://bad.com")] = html("bad", ENGLISH, ("/deep", "on"))


def check_left(link: dict[str, Any]) -> None:
    assert (link["crawled"], link["left"]["state"]) == (False, "queued")
    assert link["left"]["why"].startswith("learned 0.")
    assert link["left"]["referrer"].startswith("http://a.kr/")
    assert link["chain"][0]["why"] == "seed"
    weighing = link["left"]["weighing"]
    parts = {part["class"].split()[0]: part["log_odds"] for part in weighing["parts"]}
    assert {"parent", "anchor", "host", "directory", "in-links"} <= set(parts)
    assert parts["host"] < 0  # what was downloaded of bad.com was English
    assert 0 < weighing["chance"] < 0.5


@pytest.fixture
def links(server: WebServer) -> list[str]:
    serve(server)
    return ["http://bad.com/19", "http://a.kr/good1", "http://a.kr/gone", "http://a.kr/a/a/a/a/a/a/", "http://c.kr/"]


def test_link_that_was_left_is_explained_part_by_part(server: WebServer, crawl: Crawl, links: list[str]) -> None:
    job = crawl.folder / "job"
    crawl.run(
        "-a", "strategy=adaptive", "-a", "pages=12", "-s", f"JOBDIR={job}", seeds=["http://a.kr/"], ROBOTSTXT_OBEY=0,
        CONCURRENT_REQUESTS=1,
    )  # fmt: skip
    left, good, gone, trap, unknown = explain(crawl, *links, "--jobdir", str(job))
    check_left(left)
    assert left["left"]["next_url"].startswith("http://bad.com/")
    (written,) = read_left(crawl.output / "left.json")  # of each host the best
    assert written.url == left["left"]["next_url"]
    assert written.priority == pytest.approx(left["left"]["next_priority"])
    assert written.referrer
    assert 0 < written.chance < 0.5
    assert (good["crawled"], good["left"]) == (True, None)
    assert gone["left"]["state"] == "done"
    assert (trap["left"]["state"], trap["left"]["reason"]) == (
        "unknown",
        "its address looks like a trap (repeated segments)",
    )
    assert (unknown["left"]["state"], unknown["left"]["reason"]) == ("unknown", "")
    assert explain(crawl, links[0])[0]["left"] is None  # nobody said where the queue is
    (crawl.output / "memory.zip").write_bytes(b"damaged")
    damaged = explain(crawl, links[0], "--jobdir", str(job))[0]["left"]
    assert damaged["weighing"] is None
    assert "memory.zip is damaged" in damaged["note"]
    assert damaged["why"].startswith("learned 0.")


def test_link_that_was_left_on_redis_is_explained_with_what_all_workers_saw(
    server: WebServer, workers: Workers, links: list[str]
) -> None:
    workers.run(2, "-a", "strategy=adaptive", "-a", "pages=12", seeds=["http://a.kr/"], ROBOTSTXT_OBEY=0)
    crawled = {row["url"] for row in workers.export()}
    url = next(f"http://bad.com/{number}" for number in range(20) if f"http://bad.com/{number}" not in crawled)
    left, kept, unknown = explain(workers.crawl, url, min(crawled), links[-1], "--redis", workers.redis.url)
    check_left(left)
    assert (kept["crawled"], kept["left"]) == (True, None)
    assert unknown["left"]["state"] == "unknown"
    files = sorted(workers.crawl.output.glob("left.*.json"))
    assert len(files) == 2
    assert {urlsplit(link.url).netloc for path in files for link in read_left(path)} <= {"a.kr", "bad.com"}
