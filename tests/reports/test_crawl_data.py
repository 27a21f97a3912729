from pathlib import Path

import pytest
from crawl_writer import page, pages, write_crawl, write_rows

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import url_hash
from crawler_project.reports.crawl_data import load_crawl, page_hash


def test_load_crawl_puts_the_rows_of_all_files_in_order_of_download(tmp_path: Path) -> None:
    rows = [page("http://a.kr/"), page("http://b.com/", "en"), page("http://c.kr/"), page("http://d.com/", "en")]
    crawl = load_crawl(write_crawl(tmp_path / "crawl", rows))
    assert list(crawl.pages["language"]) == ["ko", "en", "ko", "en"]
    assert list(crawl.pages["host"]) == ["a.kr", "b.com", "c.kr", "d.com"]
    assert crawl.is_target.tolist() == [True, False, True, False]
    assert (crawl.page_count, crawl.target_count, crawl.target) == (4, 2, ("ko",))


def test_load_crawl_reads_what_is_complete_while_the_crawl_writes(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko"] * 5), finished_at=None)
    path = crawl / "crawled-ko.csv"
    whole = path.read_bytes()
    last = whole.rindex(b"http://example.org/5", 0, whole.rindex(b"http://example.org/5"))
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert load_crawl(crawl).page_count == 4, whole[last:size]
    path.write_bytes(whole)
    assert load_crawl(crawl).page_count == 5


def test_load_crawl_keeps_the_first_word_of_why_and_names_for_what_is_empty(tmp_path: Path) -> None:
    rows = [
        page("http://a.kr/", why="anchor ko 0.98"),
        page("http://b.kr/", why="anchor ko 0.61"),
        page("http://c.kr/", "und", why="", host="'-odd.kr"),
    ]
    frame = load_crawl(write_crawl(tmp_path / "crawl", rows)).pages
    assert list(frame["rule"]) == ["anchor", "anchor", "unknown"]
    assert list(frame["host"])[2] == "-odd.kr"
    assert list(frame["language"])[2] == "und"


def test_load_crawl_survives_what_pages_and_servers_can_hold(tmp_path: Path) -> None:
    odd = page("http://a.kr/?q=\u202e%00", title='<script>"\r\n\x00\u2028', anchor_text="'=1+1", bytes="", why="NA")
    frame = load_crawl(write_crawl(tmp_path / "crawl", [odd, page("http://b.kr/", "no")])).pages
    assert list(frame["bytes"]) == [0, 1000]
    assert list(frame["rule"]) == ["NA", "seed"]
    assert list(frame["language"]) == ["ko", "no"]


def test_load_crawl_does_without_crawl_json(tmp_path: Path) -> None:
    write_rows(tmp_path, pages(["ko", "en"]))
    crawl = load_crawl(tmp_path)
    assert not crawl.info.is_recorded
    assert crawl.target == ("ko",)


def test_load_crawl_counts_damaged_rows(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko", "ko"]))
    with (crawl / "crawled-ko.csv").open("a") as file:
        file.write("http://half.kr/,200\r\n")
    assert load_crawl(crawl).damaged_rows == 1
    assert load_crawl(crawl).page_count == 2


def test_load_crawl_refuses_a_crawl_without_pages(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko"]))
    path = crawl / "crawled-ko.csv"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(ConfigurationError, match="without a complete row; expected at least one page"):
        load_crawl(crawl)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", r"cannot be read as JSON \(.*\); expected format 'crawler-project-crawl/1'"),
        ("[1]", r"has format '\[1\]'; expected 'crawler-project-crawl/1'"),
        ('{"format": "crawler-project-crawl/9"}', "has format 'crawler-project-crawl/9'; expected"),
        ("\udcff", "cannot be read as JSON"),
    ],
)
def test_load_crawl_refuses_a_foreign_crawl_json(tmp_path: Path, content: str, said: str) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko"]))
    (crawl / "crawl.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigurationError, match=said):
        load_crawl(crawl)


def test_load_crawl_takes_values_of_the_wrong_type_in_crawl_json_for_missing(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko"]), parameters=3, seeds="many", stats=["x"], budget=True)
    info = load_crawl(crawl).info
    assert (info.parameters, info.seeds, info.stats, info.budget) == ({}, None, {}, None)


def test_stats_under_gives_the_rest_of_the_key_largest_first(tmp_path: Path) -> None:
    stats = {"fetch/gone_count/status 404": 2, "fetch/gone_count/type": 5, "fetch/gone_count": 7, "odd": "x"}
    crawl = write_crawl(tmp_path / "crawl", pages(["ko"]), stats=stats)
    assert list(load_crawl(crawl).info.stats_under("fetch/gone_count").items()) == [("type", 5), ("status 404", 2)]


def test_page_hash_is_that_of_the_canonical_final_address() -> None:
    assert page_hash("http://a.kr/", "") == url_hash("http://a.kr/")
    assert page_hash("http://a.kr/", "HTTP://B.kr:80/x#y") == url_hash("http://b.kr/x")
    assert page_hash("http://a.kr/", "no address") == url_hash("no address")
