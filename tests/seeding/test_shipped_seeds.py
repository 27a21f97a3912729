from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from crawler_project.core.target import TLDS_BY_LANGUAGE
from crawler_project.seeding.seed_file import read_seeds

SEEDS = Path(__file__).resolve().parents[2] / "seeds"
LISTS = sorted(SEEDS.glob("*.txt"))
DIRECTORY = """<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
%s
</RDF>
"""
ENTRY = '<ExternalPage about="%s"><d:Title>t</d:Title><topic>Top/World/%s</topic></ExternalPage>'


@pytest.fixture(scope="module")
def make_seeds() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_seeds", SEEDS / "make_seeds.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_seeds_are_shipped_for_the_main_languages() -> None:
    assert {"ko", "ja", "zh", "th"} <= {path.stem for path in LISTS} <= set(TLDS_BY_LANGUAGE)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_shipped_list_has_one_address_a_host_and_says_where_it_is_from(path: Path) -> None:
    seeds = read_seeds(str(path))
    assert seeds.bad == []
    assert 10 <= len({parts.host for parts in seeds.urls}) == len(seeds.urls) <= 300
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith(f"# {len(seeds.urls)} addresses of pages in '{path.stem}'")
    assert lines[1].startswith("# From: ")


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_shipped_list_has_no_address_of_adult_or_malware_sites(path: Path) -> None:
    unwanted = re.compile(r"porn|xxx|adult|sexy?\b|escort|casino|malware|phish|warez", re.IGNORECASE)
    assert [parts.url for parts in read_seeds(str(path)).urls if unwanted.search(parts.url)] == []


def test_readme_counts_the_addresses_of_each_list() -> None:
    readme = (SEEDS / "README.md").read_text("utf-8")
    counted = {language: int(count) for language, count in re.findall(r"\| ([a-z]{2}) \| (\d+) ", readme)}
    assert counted == {path.stem: len(read_seeds(str(path)).urls) for path in LISTS}


def test_make_seeds_takes_one_address_a_host_that_is_at_home_in_one_language(
    make_seeds: ModuleType, tmp_path: Path
) -> None:
    entries = [ENTRY % (f"https://site{n}.kr/", "Korean/News") for n in range(30)]
    entries += [ENTRY % (f"https://book{n}.kr/long/way", "Korean/Computers") for n in range(20)]
    entries += [
        ENTRY % ("https://book1.kr/short", "Korean/Computers"),
        ENTRY % ("https://everywhere.com/1", "Korean/Computers"),
        ENTRY % ("https://everywhere.com/2", "Japanese/Computers"),
        ENTRY % ("https://file.kr/book.PDF", "Korean/Computers"),
        ENTRY % ("https://unlicensed.kr/", "Korean/컴퓨터"),
        ENTRY % ("https://ko.wikipedia.org", "Korean/Other"),
        ENTRY % ("https://tourism.kr/", "Korean/Other"),
        ENTRY % ("ftp://odd.kr/", "Korean/Computers"),
        ENTRY % ("https://few.jp/", "Japanese/Computers"),
        ENTRY.replace(">t<", ">日本語のページです<") % ("https://notkorean.com/", "Korean/Computers"),
    ]
    source = tmp_path / "content.rdf.u8"
    source.write_text(DIRECTORY % "\n".join(entries), "utf-8")
    assert make_seeds.main([str(source), "--output", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.glob("*.txt")] == ["ko.txt"]
    found = [parts.url for parts in read_seeds(str(tmp_path / "ko.txt")).urls]
    assert sum("site" in url for url in found) == make_seeds.MOST_FACTS
    others = {url for url in found if "site" not in url}
    assert others == {
        "https://book1.kr/short",
        "https://ko.wikipedia.org/",
        *(f"https://book{n}.kr/long/way" for n in range(20) if n != 1),
    }
    assert found == sorted(found)
