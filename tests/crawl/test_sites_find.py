"""``scrapy sites find``: real servers that answer as providers do, or do not, and the sites that they name."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from shops_of_test import OTHERS, SHOPS, SITES, add_six_sites
from web_of_test import ROOT, WebServer

BRAVE = "api.search.brave.com"
KEY = "a-good-key"
KEYWORDS = ["인터넷 서점", "장바구니 책"]


class Finding:
    """The real command, with two keyword sets."""

    def __init__(self, server: WebServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.out = folder / "found"
        self.keywords = folder / "keywords.txt"
        self.keywords.write_text("# two\n" + "\n".join(KEYWORDS) + "\n\n", encoding="utf-8")

    @property
    def here(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def start(self, *arguments: object, key: str = KEY, **settings: Any) -> subprocess.Popen[str]:
        options = {
            "VIRTUAL_WEB": f"127.0.0.1:{self.server.port}", "FRONTIER_DELAY": 0, "FRONTIER_RETRY_DELAY": 0.01, "ROBOTSTXT_OBEY": 0,
            "METASEARCH_DELAY": 0, "METASEARCH_TIMEOUT": 0.5, "CRAWLER_CONTACT": "tests@localhost", "CHECKPOINT_INTERVAL": 0.05, **settings,
        }  # fmt: skip
        return subprocess.Popen(
            [
                sys.executable, "-m", "scrapy", "sites", "find", "-a", "rules=bookshop-ko", "--out", str(self.out),
                "--keywords", str(self.keywords), *(part for name, value in options.items() for part in ("-s", f"{name}={value}")), *map(str, arguments),
            ],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "crawler_project.settings", "BRAVE_SEARCH_API_KEY": key},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *arguments: object, code: int = 0, **settings: Any) -> tuple[str, list[str]]:
        """Run to the end; standard output, and the complaints on standard error."""
        process = self.start(*arguments, **settings)
        printed, errors = process.communicate(timeout=60)
        assert process.returncode == code, printed + errors
        assert "Traceback" not in errors
        return printed, [line for line in errors.splitlines() if line.startswith("scrapy sites: ")]

    def table(self, name: str) -> list[dict[str, str]]:
        with (self.out / name).open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def finding(server: WebServer, tmp_path: Path) -> Finding:
    add_six_sites(server)
    return Finding(server, tmp_path)


def answers(body: Any, status: int = 200, **headers: str) -> Any:
    async def answer(request: web.Request) -> web.Response:
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(status=status, text=text, headers=headers, content_type="application/json")

    return answer


def add_searxng(server: WebServer, urls: list[str]) -> None:
    """An instance that knows these for the first keyword set, and nothing for others."""

    async def search(request: web.Request) -> web.Response:
        assert request.query["format"] == "json"
        is_known = request.query["q"] == KEYWORDS[0] and request.query["pageno"] == "1"
        results = [{"url": url, "title": "=1+1", "engine": "one", "engines": ["one"]} for url in urls]
        body = {"query": request.query["q"], "results": results if is_known else [], "unresponsive_engines": [["two", "timeout"]]}  # fmt: skip
        return web.json_response(body)

    serve(server, f"127.0.0.1:{server.port}", "/search", search)


def add_brave(server: WebServer, urls: list[str]) -> None:
    """Brave's API under its own name; the second keyword set has a result too."""

    async def search(request: web.Request) -> web.Response:
        if request.headers.get("X-Subscription-Token") != KEY:
            return web.json_response(
                {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}, status=422
            )
        chosen = urls if request.query["q"] == KEYWORDS[0] else urls[:1]
        results = [{"url": url, "title": "서점"} for url in chosen]
        return web.json_response(
            {"type": "search", "query": {"more_results_available": False}, "web": {"results": results}}
        )

    serve(server, BRAVE, "/res/v1/web/search", search)


def serve(server: WebServer, host: str, path: str, answer: Any) -> None:
    """Answer a path of a host whatever its query is."""

    class Pages(dict[tuple[str, str], Any]):
        def get(self, key: tuple[str, str], default: Any = None) -> Any:
            found = routes.get((key[0], key[1].partition("?")[0]))
            return found or super().get(key, default)

    routes = getattr(server.pages, "routes", {})
    routes[host, path] = answer
    pages = Pages(server.pages)
    pages.routes = routes  # type: ignore[attr-defined]
    server.pages = pages


def check_sites(finding: Finding) -> None:
    found = {row["site"]: (row["verdict"], row["reason"]) for row in finding.table("sites.csv")}
    assert found == {
        **dict.fromkeys(SHOPS, ("true", "enough pages")),
        OTHERS[0]: ("false", "early no"),
        OTHERS[1]: ("false", "exhausted"),
        OTHERS[2]: ("false", "exhausted"),
    }


def test_sites_of_two_providers_are_merged_verified_and_measured(finding: Finding, server: WebServer) -> None:
    add_searxng(server, [SITES[0], SITES[3], SITES[1], SITES[0] + "list?cat=1", "no address"])
    add_brave(server, [SITES[1], SITES[2], SITES[4], SITES[5]])
    printed, complaints = finding.run("--provider", f"searxng={finding.here}", "--provider", "brave")
    check_sites(finding)
    assert complaints == [f"scrapy sites: searxng {finding.here}: two: timeout (3 times)"]
    assert "6 sites, 1 of them from several providers" in printed
    found_by = {row["site"]: row["found_by"] for row in finding.table("sites.csv")}
    assert found_by["b.shop.example"] == "searxng 3, brave 1"
    assert found_by["a.shop.example"] == "searxng 1"
    found = finding.table("found.csv")
    assert len(found) == 8
    assert {row["title"] for row in found if row["provider"] == "searxng"} == {"'=1+1"}
    measures = {(row["provider"], row["query"]): row for row in finding.table("measures.csv")}
    total = measures["*", "*"]
    assert [total[name] for name in ("sites", "verified", "relevant", "relevance_rate")] == ["6", "6", "3", "0.5000"]
    assert measures["brave", KEYWORDS[1]]["relevance_rate"] == "1.0000"
    assert int(total["pages"]) == sum(int(row["pages"]) for row in finding.table("sites.csv"))
    hosts = {served.host for served in server.requests}
    assert "elsewhere.example" not in hosts


def test_providers_that_fail_are_a_line_each_and_the_others_go_on(finding: Finding, server: WebServer) -> None:
    async def silent(request: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    async def huge(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Encoding": "deflate"})
        await response.prepare(request)
        await response.write(b"not deflate")
        return response

    port = server.port
    serve(server, f"127.0.0.1:{port}", "/silent/search", silent)
    serve(server, f"127.0.0.1:{port}", "/nonsense/search", answers("<html>Are you a robot?"))
    serve(server, f"127.0.0.1:{port}", "/closed/search", answers("Forbidden", 403))
    serve(server, f"127.0.0.1:{port}", "/busy/search", answers("Too many", 429, **{"Retry-After": "3600"}))
    serve(server, f"127.0.0.1:{port}", "/moved/search", answers("", 302, Location="http://169.254.169.254/"))
    serve(server, f"127.0.0.1:{port}", "/broken/search", huge)
    add_brave(server, [])
    (finding.folder / "list.txt").write_text("\n".join(SITES))
    places = [f"searxng={finding.here}/{name}" for name in ("silent", "nonsense", "closed", "busy", "moved", "broken")]
    names = [*places, "brave", "searxng=http://127.0.0.1:9", "file=list.txt"]
    _, complaints = finding.run(*(part for name in names for part in ("--provider", name)), key="a-wrong-key")
    check_sites(finding)
    said = [
        re.sub(r"searxng-\d", "searxng", line.removeprefix("scrapy sites: ").replace(finding.here, ""))
        for line in complaints
    ]
    assert said == [
        "searxng /silent: time-out: no answer within 0.5 s; 0 of 2 keyword sets answered",
        "searxng /nonsense: nonsense: the answer is no JSON object (application/json, 22 bytes); 0 of 2 keyword sets answered",
        "searxng /closed: refused: status 403; its settings.yml must list json (search: formats: [html, json]); 0 of 2 keyword sets answered",
        "searxng /busy: rate limit: too many requests (status 429); ask again in 3,600 s; 0 of 2 keyword sets answered",
        "searxng /moved: refused: is at http://169.254.169.254/ (status 302); name that address; 0 of 2 keyword sets answered",
        said[5],
        "brave: key: the key in BRAVE_SEARCH_API_KEY is refused (status 422, SUBSCRIPTION_TOKEN_INVALID); 0 of 2 keyword sets answered",
        said[7],
    ]
    assert said[5].startswith("searxng /broken: no connection: ")
    assert said[7].startswith("searxng http://127.0.0.1:9: no connection: ")
    outcomes = {one["place"] or one["provider"]: one["queries"][0]["outcome"] for one in json.loads((finding.out / "search.json").read_text())["providers"]}  # fmt: skip
    assert (outcomes[f"{finding.here}/silent"], outcomes["brave"], outcomes["list.txt"]) == ("time-out", "key", "ok")
    assert "a-wrong-key" not in (finding.out / "search.json").read_text()


def test_own_network_is_asked_only_where_the_user_has_named_it(finding: Finding, server: WebServer) -> None:
    _, complaints = finding.run("--provider", "brave", code=1, VIRTUAL_WEB="", METASEARCH_TIMEOUT=5)
    assert complaints[0].startswith("scrapy sites: brave: no connection: ")
    assert complaints[1] == "scrapy sites: no provider has found a site"
    assert server.requests == []


def test_killed_search_goes_on_without_asking_again(finding: Finding, server: WebServer) -> None:
    add_searxng(server, SITES)
    process = finding.start("--provider", f"searxng={finding.here}", FRONTIER_DELAY=0.02)
    server.kill_after(12, process)
    asked = sum(served.path.startswith("/search") for served in server.requests)
    printed, _ = finding.run("--provider", f"searxng={finding.here}", FRONTIER_DELAY=0.02)
    assert "found by an earlier run" in printed
    assert sum(served.path.startswith("/search") for served in server.requests) == asked == 3
    check_sites(finding)
    assert {row["found_by"] for row in finding.table("sites.csv")} == {f"searxng {rank}" for rank in range(1, 7)}
    _, complaints = finding.run("--provider", f"searxng={finding.here}", "--pages", 1, code=2)
    assert complaints[-1].endswith(
        "holds another search (other providers, keyword sets or pages); choose another folder"
    )


def test_saved_page_and_directory_need_no_network(finding: Finding, server: WebServer) -> None:
    anchors = "".join(f'<a href="{url}">서점</a>' for url in SITES[:2])
    (finding.folder / "saved.html").write_text(f"<html>{anchors}</html>", encoding="utf-8")
    (finding.folder / "dir.csv").write_text(f"url,title\n{SITES[1]},인터넷 서점\n{SITES[2]},뉴스\n", encoding="utf-8")
    printed, complaints = finding.run(
        "--provider", "page=saved.html", "--provider", "file=dir.csv", "--no-verify", "--most", 9
    )
    assert complaints == []
    assert "page saved.html: 1 of 1 keyword sets answered, 2 hits, 2 sites" in printed
    rows = finding.table("sites.csv")
    assert [(row["site"], row["verdict"], row["found_by"]) for row in rows] == [
        ("b.shop.example", "", "page 2, file"),
        ("a.shop.example", "", "page 1"),
    ]
    assert server.requests == []


def test_providers_of_a_kind_are_told_apart(finding: Finding) -> None:
    (finding.folder / "one.txt").write_text(f"{SITES[0]}\n{SITES[1]}\n")
    (finding.folder / "two.txt").write_text(f"{SITES[1]}\n")
    printed, _ = finding.run("--provider", "file=one.txt", "--provider", "file=two.txt", "--no-verify")
    assert [line.rpartition(", ")[2] for line in printed.splitlines()[:2]] == ["2 sites", "1 sites"]
    assert [row["found_by"] for row in finding.table("sites.csv")] == ["file, file-2", "file"]


def test_common_crawl_index_names_sites_by_words_of_their_addresses(finding: Finding, server: WebServer) -> None:
    async def index(request: web.Request) -> web.Response:
        assert "=status:200" in request.query.getall("filter")
        if request.query["page"] != "0":
            return web.json_response({"message": "Page 1 invalid: First Page is 0, Last Page is 0"}, status=400)
        return web.Response(
            text="".join(json.dumps({"url": url}) + "\n" for url in SITES[:2]), content_type="text/x-ndjson"
        )

    serve(server, f"127.0.0.1:{server.port}", "/CC-MAIN-2026-43-index", index)
    provider = f"commoncrawl={finding.here}/CC-MAIN-2026-43-index?url=*.example"
    printed, complaints = finding.run("--provider", provider, "--most", 1)
    assert complaints == []
    assert "2 of 2 keyword sets answered, 4 hits, 2 sites" in printed
    assert [(row["site"], row["verdict"], row["found_by"]) for row in finding.table("sites.csv")] == [
        ("a.shop.example", "true", "commoncrawl")
    ]
