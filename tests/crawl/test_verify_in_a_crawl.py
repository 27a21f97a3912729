"""``-a verify=``: the sites of a language crawl are verified by the pages that it fetches anyway."""

from __future__ import annotations

import csv

from shops_of_test import TEXT, add_shop, page
from web_of_test import ENGLISH, KOREAN, Crawl, WebServer, html

VERIFY = ("-a", "verify=bookshop-ko", "-a", "strategy=control", "-a", "num_exp_pages=15")


def add_web(server: WebServer) -> None:
    """A Korean page that links to two Korean bookshops, a Korean site that is none, and an English page."""
    add_shop(server, "a.shop.example", "/product/{}")
    add_shop(server, "www.b.shop.example", "/item?id={}")
    for (host, path), text in list(server.pages.items()):
        assert isinstance(text, str)
        server.pages[host, path] = text.replace("<body>", f"<body><p>{KOREAN}</p>")
    for number in range(20):
        server.pages["news.example", f"/{number}"] = page(f"소식 {number}", KOREAN + TEXT, [f"/{number + 1}"])
    server.pages["en.example", "/"] = html("English", ENGLISH)
    server.pages["ko.example", "/"] = page(
        "시작",
        KOREAN,
        ["http://a.shop.example/", "http://www.b.shop.example/", "http://news.example/0", "http://en.example/"],
    )


def sites(crawl: Crawl) -> dict[str, tuple[str, str]]:
    with (crawl.output / "sites.csv").open(newline="", encoding="utf-8") as file:
        return {row["site"]: (row["verdict"], row["reason"]) for row in csv.DictReader(file)}


EXPECTED = {
    "a.shop.example": ("true", "enough pages"),
    "b.shop.example": ("true", "enough pages"),
    "news.example": ("false", "limit"),
    "ko.example": ("", "undecided"),
}


def test_sites_of_a_language_crawl_are_listed_beside_its_pages(server: WebServer, crawl: Crawl) -> None:
    add_web(server)
    crawl.run(*VERIFY, seeds=["http://ko.example/"])
    assert sites(crawl) == EXPECTED
    # the crawl itself is as it would be without
    listed = {path.name for path in crawl.output.iterdir()}
    assert listed == {"crawl.json", "crawled-ko.csv", "crawled-en.csv", "sites.csv", "evidence.jsonl"}
    assert len(crawl.rows()) == len(server.pages)


def test_sites_survive_a_kill(server: WebServer, crawl: Crawl) -> None:
    add_web(server)
    crawl.seeds.write_text("http://ko.example/")
    settings = {"JOBDIR": crawl.folder / "job", "CHECKPOINT_INTERVAL": 0.05, "ROBOTSTXT_OBEY": 0}
    for enough in (12, 30):
        process = crawl.start(*VERIFY, FRONTIER_DELAY=0.02, **settings)
        server.kill_after(enough, process)
    crawl.run(*VERIFY, **settings)
    assert sites(crawl) == EXPECTED
    assert len(crawl.rows()) == len({row["url"] for row in crawl.rows()}) == len(server.pages)


def test_verification_is_part_of_what_a_crawl_is(server: WebServer, crawl: Crawl) -> None:
    add_web(server)
    job = crawl.folder / "job"
    crawl.run(*VERIFY, "-a", "pages=3", seeds=["http://ko.example/"], JOBDIR=job)
    process = crawl.start("-a", "verify=bookshop-ja", "-a", "strategy=control", JOBDIR=job)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "verify" in printed
    assert printed.count("\n") == 1
