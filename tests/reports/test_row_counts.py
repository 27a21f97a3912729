"""Rows that a crawl counted and its files do not have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from crawl_writer import page, pages, write_crawl, write_rows

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.comparison import compare
from crawler_project.reports.crawl_data import load_crawl
from crawler_project.reports.summary import reckoning_notes

COUNTS = {"language/page_count/ko": 3, "language/page_count/en": 1}
ENDED = "2026-11-21T09:30:00Z"


def crawled(folder: Path, **info: object) -> Path:
    return write_crawl(folder, pages(["ko", "ko", "en", "ko"]), **({"stats": COUNTS} | info))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def behead(path: Path) -> None:
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])


@pytest.mark.parametrize("damage", [empty, cut, behead])
def test_crawl_that_ended_is_refused_without_the_rows_that_it_counted(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    crawl = crawled(tmp_path / "crawl")
    damage(crawl / "crawled-en.csv")
    said = r"crawled-en.csv is damaged: it has no complete row, and crawl.json counts 1 page; restore the file, or move .*crawl.json "
    with pytest.raises(ConfigurationError, match=said):
        load_crawl(crawl)


def test_file_that_was_moved_away_is_said_to_be(tmp_path: Path) -> None:
    """Whoever keeps the pages of one language only has a report of them."""
    crawl = crawled(tmp_path / "crawl")
    (crawl / "crawled-en.csv").unlink()
    assert load_crawl(crawl).remarks == ("crawled-en.csv is not there; the crawl counted 1 page of it.",)


def test_crawl_that_ended_is_refused_when_all_rows_are_gone(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl")
    for path in crawl.glob("*.csv"):
        empty(path)
    with pytest.raises(ConfigurationError, match=r"crawled-en.csv is damaged"):
        load_crawl(crawl)


@pytest.mark.parametrize("finished", [ENDED, None])
def test_crawl_with_all_of_its_rows_has_no_remarks(tmp_path: Path, finished: str | None) -> None:
    assert load_crawl(crawled(tmp_path / "crawl", finished_at=finished)).remarks == ()


def test_damaged_rows_are_no_missing_ones(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl", stats=COUNTS | {"language/page_count/en": 2})
    with (crawl / "crawled-en.csv").open("a") as file:
        file.write("half,a,row\r\n")
    assert (load_crawl(crawl).damaged_rows, load_crawl(crawl).remarks) == (1, ())


def test_file_that_was_cut_back_to_nothing_is_none_of_a_damaged_crawl(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl")
    empty(crawl / "crawled-ja.csv")
    assert load_crawl(crawl).remarks == ()


def test_killed_crawl_may_have_more_rows_and_a_note_says_when_it_has_fewer(tmp_path: Path) -> None:
    stats = COUNTS | {"language/page_count/ko": 1}
    assert load_crawl(crawled(tmp_path / "more", finished_at=None, stats=stats)).remarks == ()
    crawl = crawled(tmp_path / "fewer", finished_at=None)
    empty(crawl / "crawled-en.csv")
    notes = reckoning_notes(compare([load_crawl(crawl)])[0])
    assert "“ko experimental”: crawled-en.csv has no complete row, fewer than the 1 page counted." in notes


def test_note_says_when_a_crawl_that_ended_has_more_rows(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "crawl", stats=COUNTS | {"language/page_count/ko": 2})
    assert load_crawl(crawl).remarks == ("its CSV files have 1 row more than crawl.json counts pages.",)


def test_note_names_empty_files_of_a_crawl_of_which_nothing_is_known(tmp_path: Path) -> None:
    write_rows(tmp_path, pages(["ko", "en"]))
    empty(tmp_path / "crawled-en.csv")
    assert load_crawl(tmp_path).remarks == ("crawled-en.csv has no complete row.",)


def of_workers(folder: Path, finished: str | None) -> Path:
    """Two workers that counted a page each; the first has written a page of the second's as well."""
    crawl = write_crawl(folder, [page("http://a.kr/"), page("http://b.kr/")], finished_at=None)
    rows = (crawl / "crawled-ko.csv").read_bytes().splitlines(keepends=True)
    (crawl / "crawled-ko.csv").unlink()
    common = json.loads((crawl / "crawl.json").read_text())
    for worker, lines in (("w1.x", rows), ("w2", rows[:2])):
        (crawl / f"crawled-ko.{worker}.csv").write_bytes(b"".join(lines))
        info = {**common, "finished_at": finished, "stats": {"language/page_count/ko": 1}}
        (crawl / f"crawl.{worker}.json").write_text(json.dumps(info))
    return crawl


def test_rows_of_workers_are_held_against_what_each_of_them_counted(tmp_path: Path) -> None:
    crawl = load_crawl(of_workers(tmp_path / "whole", ENDED))
    assert (crawl.page_count, crawl.remarks) == (2, ())
    ended, killed = of_workers(tmp_path / "ended", ENDED), of_workers(tmp_path / "killed", None)
    for damaged in (ended, killed):
        behead(damaged / "crawled-ko.w2.csv")
    with pytest.raises(
        ConfigurationError, match=r"crawled-ko.w2.csv is damaged: .*, and crawl.w2.json counts 1 page; "
    ):
        load_crawl(ended)
    assert load_crawl(killed).remarks == ("crawled-ko.w2.csv has no complete row, fewer than the 1 page counted.",)
