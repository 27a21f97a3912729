"""Sites are verified over real HTTP, many at once, and a killed verification goes on where it was."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shops_of_test import OTHERS, SHOPS, SITES, add_moved, add_shop, add_six_sites, page
from web_of_test import Crawl, WebServer

QUICK = {"FRONTIER_RETRY_DELAY": 0.01, "ROBOTSTXT_OBEY": 0}


class Verification(Crawl):
    """The real command on the test's web."""

    def command(self, *arguments: str, virtual: bool = True, **settings: Any) -> list[str]:
        command = super().command(*arguments, virtual=virtual, **{**QUICK, **settings})
        command[command.index("lang_focused")] = "site_verifier"
        command[command.index("target=ko")] = "rules=bookshop-ko"
        command[command.index(f"seeds={self.seeds}")] = f"sites={self.seeds}"
        return command

    def sites(self) -> dict[str, dict[str, str]]:
        rows = read_csv(self.output / "sites.csv")
        assert len(rows) == len({row["site"] for row in rows})
        return {row["site"]: row for row in rows}

    def evidence(self) -> dict[str, dict[str, Any]]:
        lines = [
            json.loads(line) for path in self.output.glob("evidence*.jsonl") for line in path.read_bytes().splitlines()
        ]
        return {record["site"]: record for record in lines}


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def verification(server: WebServer, tmp_path: Path) -> Verification:
    return Verification(server, tmp_path)


def check_six_sites(verification: Verification) -> None:
    found = {site: (row["verdict"], row["reason"]) for site, row in verification.sites().items()}
    assert found == {
        **dict.fromkeys(SHOPS, ("true", "enough pages")),
        OTHERS[0]: ("false", "early no"),
        OTHERS[1]: ("false", "exhausted"),
        OTHERS[2]: ("false", "exhausted"),
    }


def test_six_sites_are_told_apart_with_their_evidence(server: WebServer, verification: Verification) -> None:
    add_six_sites(server)
    printed = verification.run(seeds=[*SITES, "http://www.a.shop.example/list?cat=1"])
    check_six_sites(verification)
    assert "6 decided: 3 yes, 3 no" in printed
    shop = verification.evidence()["b.shop.example"]
    assert [one["score"] >= 0.7 for one in shop["good_pages"]] == [True] * 5
    assert len(shop["pages"]) <= 15
    assert next(one for one in shop["classes"] if one["abstract_url"] == "/product/{n}")["expanded"] == 5
    assert shop["parameters"]["classes"] == "generalised"
    assert verification.sites()["moved.example"]["moved_to"] == "http://elsewhere.example/"
    assert ("elsewhere.example", "/") not in [(served.host, served.path) for served in server.requests]
    pages = read_csv(verification.output / "pages.csv")
    assert len(pages) == sum(int(row["pages"]) for row in verification.sites().values())
    outcomes = {row["site"]: row["outcome"] for row in pages}
    assert outcomes["broken.example"] == "status 500"
    assert {row["rules"] for row in pages if row["is_good"] == "true"} == {
        "price, buying online, publisher, author, title, edition, synopsis, isbn"
    }


def test_no_page_is_fetched_twice_and_none_beyond_the_limit(server: WebServer, verification: Verification) -> None:
    add_six_sites(server)
    verification.run("-a", "classes=literal", "-a", "num_exp_pages=20", seeds=[SITES[3], SITES[0]])
    fetched = Counter(server.paths())
    assert set(fetched.values()) == {1}
    assert sum(path.startswith("calendar.example") for path in fetched) == 20
    assert verification.sites()["calendar.example"]["reason"] == "limit"


def test_verification_that_was_killed_goes_on(server: WebServer, verification: Verification) -> None:
    add_six_sites(server)
    verification.seeds.write_text("\n".join(SITES))
    settings = {"JOBDIR": verification.folder / "job", "CHECKPOINT_INTERVAL": 0.05, "FRONTIER_DELAY": 0.02}
    for enough in (8, 20, 40):
        process = verification.start(**settings)
        server.kill_after(enough, process)
    verification.run(**settings)
    check_six_sites(verification)
    pages = read_csv(verification.output / "pages.csv")
    assert len({(row["site"], row["url"]) for row in pages}) == len(pages)
    for site, row in verification.sites().items():
        assert [int(one["number"]) for one in pages if one["site"] == site] == list(range(1, int(row["pages"]) + 1))


def test_page_that_moved_within_its_site_counts_once(server: WebServer, verification: Verification) -> None:
    add_shop(server, "www.shop.example", "/product/{}")
    add_moved(server, "shop.example", "http://www.shop.example/home")
    add_moved(server, "www.shop.example", "http://www.shop.example/login")
    server.pages["www.shop.example", "/home"] = page("home", "", ["/", "/list?cat=0", "/list?cat=1"])
    verification.run(seeds=["http://shop.example/"])
    site = verification.sites()["shop.example"]
    assert (site["verdict"], site["start"], site["moved_to"]) == ("true", "http://shop.example/", "")
    first = read_csv(verification.output / "pages.csv")[0]
    assert (first["url"], first["final_url"]) == ("http://shop.example/", "http://www.shop.example/home")
    assert set(Counter(server.paths()).values()) == {1}


def test_sites_that_robots_txt_closes_are_no_shops(server: WebServer, verification: Verification) -> None:
    add_shop(server, "a.shop.example", "/product/{}")
    server.pages["a.shop.example", "/robots.txt"] = "User-agent: *\nDisallow: /product/\n"
    verification.run(seeds=["http://a.shop.example/"], ROBOTSTXT_OBEY=1)
    assert verification.sites()["a.shop.example"]["verdict"] == "false"
    assert not [path for path in server.paths() if "/product/" in path]
    assert "robots.txt" in {row["outcome"] for row in read_csv(verification.output / "pages.csv")}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-a", "rules=bookshop-xx"], "rules='bookshop-xx' cannot be read"),
        (["-a", "rules="], "no rules; name one of bookshop-en"),
        (["-a", "page_threshold=7"], "page_threshold=7.0 must be a number from 0 to 1"),
        (["-a", "pages=7"], "there is no argument 'pages'"),
        (["-a", "sites="], "no sites; give addresses"),
    ],
)
def test_wrong_argument_is_one_line_and_no_fetch(
    server: WebServer, verification: Verification, arguments: list[str], said: str
) -> None:
    verification.seeds.write_text(SITES[0])
    process = verification.start(*arguments)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert printed.startswith(f"scrapy crawl: {said}")
    assert (printed.count("\n"), server.requests) == (1, [])
