from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import zstandard

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.seed_file import read_seeds
from crawler_project.serving.virtual_web import VirtualWeb, load_virtual_web

DEMO = Path(__file__).resolve().parents[2] / "demo"
COLLECTION = DEMO / "pages.jsonl.zst"


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    with COLLECTION.open("rb") as file:  # no window named: every decoder can read it
        return [json.loads(line) for line in zstandard.ZstdDecompressor().stream_reader(file).read().splitlines()]


@pytest.fixture(scope="module")
def web() -> VirtualWeb:
    return load_virtual_web(COLLECTION)


@pytest.fixture(scope="module")
def make_collection() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_collection", DEMO / "make_collection.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_collection_is_small_and_every_line_is_a_page(web: VirtualWeb, records: list[dict[str, Any]]) -> None:
    assert COLLECTION.stat().st_size < 5_000_000
    assert (web.bad_lines, len(web)) == ([], len(records))


def test_pages_are_served_in_their_charset(web: VirtualWeb, records: list[dict[str, Any]]) -> None:
    korean = next(record for record in records if record["charset"] == "euc-kr")
    parts = canonical_url(korean["url"])
    assert parts is not None
    page = web.find(parts.host, parts.url.partition(parts.host)[2])
    assert page.body.decode("euc-kr") == korean["html"]
    assert dict(page.headers)["Content-Type"] == "text/html"


def test_every_site_has_a_licence_with_its_source_and_number_of_pages(records: list[dict[str, Any]]) -> None:
    rows = re.findall(
        r"^\| (\S+) \| (\d+) \| (.+) \| .+ \| ([^|]+) \|$", (DEMO / "LICENCES.md").read_text(), re.MULTILINE
    )
    sites = Counter(record["site"] for record in records)
    assert {site: int(count) for site, count, _, _ in rows} == sites
    sources = {record["site"]: record["source"].partition(":")[0] for record in records}
    for site, _, licence, source in rows:
        assert source.startswith(sources[site])
        linked = re.search(r"\]\((.+?)\)", licence)
        assert linked is not None
        assert linked[1].startswith("https://creativecommons.org/licenses/by") or (DEMO / linked[1]).is_file()


def test_readme_counts_what_is_there(records: list[dict[str, Any]]) -> None:
    readme = " ".join((DEMO / "README.md").read_text().split())
    languages = Counter((record["text_lang"] or "").partition("-")[0] for record in records)
    hosts = {record["site"] for record in records}
    assert f"{len(records):,} pages of {len(hosts)} hosts" in readme
    assert (
        f"{languages['ko']} pages are Korean, {languages['ja']} Japanese, {languages['zh']} Chinese, "
        f"{languages['th']} Thai; {languages['en']} are English"
    ) in readme
    assert f"{sum(record['charset'] == 'euc-kr' for record in records)} pages are in EUC-KR" in readme


@pytest.mark.parametrize("language", ["ko", "ja", "zh", "th"])
def test_seeds_are_pages_of_the_collection(language: str, web: VirtualWeb) -> None:
    seeds = read_seeds(str(DEMO / f"seeds-{language}.txt"))
    assert len(seeds.urls) >= 4
    assert seeds.bad == []
    for url, host in seeds.urls:
        assert web.find(host, url.partition(host)[2]).status == 200, url


def test_every_page_can_be_reached_from_the_seeds(make_collection: ModuleType, records: list[dict[str, Any]]) -> None:
    seeds = make_collection.read_seeds(DEMO.glob("seeds-*.txt"))
    assert make_collection.drop_unreachable(records, seeds) == records


def test_make_collection_takes_what_its_rules_say(make_collection: ModuleType) -> None:
    def page(url: str, language: str, html: str = "") -> dict[str, str]:
        return {"url": url, "lang": language, "site": url.split("/")[2], "html": html}

    manual = "https://httpd.apache.org/docs/2.4"
    korean = page(f"{manual}/ko/", "ko", "<a href='../en/'>en</a> <a href='../fr/'>fr</a> <a href='http://[bad'>x</a>")
    taken = [korean, page(f"{manual}/en/", "en"), page("https://hexo.io/pt-br/", "pt-br")]
    left = [
        page(f"{manual}/en/other", "en"),
        page(f"{manual}/fr/", "fr"),
        page("https://im.youronly.one/p/legal/", "en"),
        page("https://unlicensed.org/", "ko"),
    ]
    assert make_collection.select_records([*taken, *left]) == taken
    assert make_collection.drop_unreachable(taken, [korean["url"]]) == taken[:2]
