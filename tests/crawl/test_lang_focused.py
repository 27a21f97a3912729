"""A focused crawl from the command line to the files, over real HTTP."""

from __future__ import annotations

import itertools
import signal

import pytest
from aiohttp import web
from web_of_test import ENGLISH, KOREAN, MANY, Crawl, WebServer, html


def small_web(server: WebServer) -> None:
    """A Korean page that links to Korean, English, Korean-TLD and plain pages on several hosts."""
    server.pages = {
        ("ko.example.org", "/"): html(
            "시작",
            KOREAN,
            ("/two", "다음 페이지"),
            ("/en", "English page"),
            ("http://plain.example.kr/", "x"),
            ("https://other.example.com/", "한국어 문서"),
        ),
        ("ko.example.org", "/two"): html("둘", KOREAN, ("/", "처음으로"), ("/three", "세 번째 문서")),
        ("ko.example.org", "/three"): html("셋", KOREAN),
        ("ko.example.org", "/en"): html("English", ENGLISH, ("/more", "more English")),
        ("ko.example.org", "/more"): html("More", ENGLISH),
        ("plain.example.kr", "/"): html("kr", ENGLISH),
        ("other.example.com", "/"): html("다른", KOREAN),
    }


def test_crawl_experimental_keeps_tld_or_anchor_and_says_why(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    crawl.run(seeds=["http://ko.example.org/"])
    found = {row["url"]: (row["language"], row["why"].split()[0], row["referrer"]) for row in crawl.rows()}
    assert found == {
        "http://ko.example.org/": ("ko", "seed", ""),
        "http://ko.example.org/two": ("ko", "anchor", "http://ko.example.org/"),
        "http://ko.example.org/three": ("ko", "anchor", "http://ko.example.org/two"),
        "http://plain.example.kr/": ("en", "tld", "http://ko.example.org/"),
        "https://other.example.com/": ("ko", "anchor", "http://ko.example.org/"),
    }


def test_crawl_control_is_breadth_first(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    crawl.run("-a", "strategy=control", seeds=["http://ko.example.org/"], CONCURRENT_REQUESTS=1)
    assert [row["url"].partition("//")[2] for row in crawl.rows()] == [
        "ko.example.org/", "ko.example.org/two", "ko.example.org/en", "plain.example.kr/", "other.example.com/", "ko.example.org/three",
        "ko.example.org/more",
    ]  # fmt: skip


def test_crawl_writes_one_file_a_language_and_a_summary(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    printed = crawl.run("-a", "strategy=control", seeds=["http://ko.example.org/"])
    assert sorted(path.name for path in crawl.output.iterdir()) == ["crawl.json", "crawled-en.csv", "crawled-ko.csv"]
    summary = crawl.summary()
    assert (summary["target"], summary["strategy"], summary["finish_reason"]) == (["ko"], "control", "finished")
    assert (summary["stats"]["focus/page_count"], summary["stats"]["focus/target_page_count"]) == (7, 4)
    assert "harvest rate 57.1 %" in printed
    assert f"scrapy report {crawl.output}" in printed


def test_crawl_stores_no_more_pages_than_asked_for(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    crawl.run("-a", "strategy=control", "-a", "pages=3", seeds=["http://ko.example.org/"])
    assert len(crawl.rows()) == 3
    assert len([path for path in server.paths() if not path.endswith("robots.txt")]) == 3
    assert crawl.summary()["finish_reason"] == "pages"


def test_crawl_says_who_it_is_and_is_slower_without_a_contact(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    printed = crawl.run("-a", "pages=1", seeds=["http://ko.example.org/"], CRAWLER_CONTACT="", FRONTIER_DELAY=0.01)
    assert "half the speed (every 0.02 s)" in printed
    assert all(agent.startswith("crawler_project/") for agent in server.user_agents)


def test_crawl_fetches_robots_first_and_obeys_it(server: WebServer, crawl: Crawl) -> None:
    small_web(server)
    server.pages["ko.example.org", "/robots.txt"] = "User-agent: *\nDisallow: /two\n"
    crawl.run(seeds=["http://ko.example.org/"])
    assert server.paths()[0] == "ko.example.org/robots.txt"
    assert "ko.example.org/two" not in server.paths()
    assert server.paths().count("ko.example.org/robots.txt") == 1
    assert crawl.stats()["fetch/refused_count/robots.txt"] == 1


def test_crawl_follows_redirects_through_the_frontier(server: WebServer, crawl: Crawl) -> None:
    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": "https://new.example.org/page"})

    server.pages = {("old.example.org", "/"): moved, ("new.example.org", "/page"): html("새", KOREAN)}
    crawl.run(seeds=["http://old.example.org/"])
    (row,) = crawl.rows()
    assert (row["url"], row["final_url"], row["why"]) == (
        "http://old.example.org/",
        "https://new.example.org/page",
        "seed",
    )


def test_crawl_tries_again_after_503_with_retry_after(server: WebServer, crawl: Crawl) -> None:
    answers = iter([503, 429])

    async def busy(request: web.Request) -> web.Response:
        status = next(answers, 200)
        headers = {"Retry-After": "1"} if status != 200 else {}
        return web.Response(status=status, headers=headers, text=html("문", KOREAN), content_type="text/html")

    server.pages = {("a.example.org", "/"): busy}
    crawl.run(seeds=["http://a.example.org/"])
    assert [row["status"] for row in crawl.rows()] == ["200"]
    times = [served.start for served in server.requests if served.path == "/"]
    assert all(later - earlier >= 1.0 for earlier, later in itertools.pairwise(times))


def test_crawl_gives_up_a_url_that_keeps_failing(server: WebServer, crawl: Crawl) -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=500)

    small_web(server)
    server.pages["ko.example.org", "/two"] = broken
    crawl.run(seeds=["http://ko.example.org/"], timeout=120, FRONTIER_MAX_ATTEMPTS=2)
    assert server.paths().count("ko.example.org/two") == 2
    assert crawl.stats()["frontier/dead_count"] == 1


def test_crawl_interrupted_once_ends_cleanly_and_goes_on_later(server: WebServer, crawl: Crawl) -> None:
    hosts = [f"h{number}.example.kr" for number in range(40)]
    server.pages = {(host, f"/{page}"): html("문서", KOREAN) for host in hosts for page in range(5)}
    seeds = [f"http://{host}/{page}" for page in range(5) for host in hosts]
    crawl.seeds.write_text("\n".join(seeds), encoding="utf-8")
    job = crawl.folder / "job"
    process = crawl.start(JOBDIR=job, FRONTIER_DELAY=0.3)
    server.held_after = 100
    server.wait(100, process)
    process.send_signal(signal.SIGINT)
    server.held_after = MANY
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 0, printed
    assert "run the same command again" in printed
    assert 0 < len(crawl.rows()) < 200
    crawl.run(JOBDIR=job, FRONTIER_DELAY=0)
    urls = [row["url"] for row in crawl.rows()]
    assert sorted(urls) == sorted(seeds)
    assert crawl.stats()["focus/page_count"] == 200


@pytest.mark.parametrize("feed", ["pages.jsonl", "pages.parquet:parquet"])
def test_crawl_feeds_other_formats_too(server: WebServer, crawl: Crawl, feed: str) -> None:
    import pandas as pd

    small_web(server)
    crawl.run("-O", feed, seeds=["http://ko.example.org/"])
    path = crawl.folder / feed.partition(":")[0]
    table = pd.read_parquet(path) if feed.endswith("parquet") else pd.read_json(path, lines=True)
    assert set(table["url"]) == {row["url"] for row in crawl.rows()}
    assert set(table["is_target"]) == {True, False}
