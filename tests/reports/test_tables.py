import math
from pathlib import Path

import pytest
from crawl_writer import page, pages, write_crawl

from crawler_project.reports import tables
from crawler_project.reports.chan_yamana_2010 import TABLE_4, paper_target_share
from crawler_project.reports.comparison import Comparison, compare
from crawler_project.reports.crawl_data import load_crawl


def comparisons(*directories: Path) -> list[Comparison]:
    return compare([load_crawl(directory) for directory in directories])


def test_table_4_has_the_columns_of_the_paper_and_one_for_each_other_target(tmp_path: Path) -> None:
    korean = write_crawl(tmp_path / "ko", pages(["ko", "ko", "zh", "zh-hant", "ja", "en", "und", "th"]), "control")
    thai = write_crawl(tmp_path / "th", pages(["th", "en"]), "lswc", ("th",))
    frame = tables.table_4(comparisons(korean, thai))
    assert list(frame.columns[3:9]) == ["Chinese", "Japanese", "Korean", "Thai", "Other", "Total"]
    assert frame.iloc[0, 3:9].tolist() == [2, 1, 2, 1, 2, 8]
    assert frame.iloc[1, 3:9].tolist() == [0, 0, 0, 1, 1, 2]
    assert frame["target_share"].tolist() == [0.25, 0.5]
    assert frame["paper_target_share"][0] == pytest.approx(0.6121, abs=5e-5)
    assert math.isnan(frame["paper_target_share"][1])


def test_paper_rows_add_up_to_the_printed_totals_and_shares() -> None:
    assert [row.total for row in TABLE_4.values()] == [130_771, 15_851, 75_736, 13_558, 127_765, 11_394]
    shares = [round(100 * (paper_target_share([target], strategy) or 0), 2) for target, strategy in TABLE_4]
    assert shares == [61.21, 71.47, 87.46, 87.70, 88.38, 88.45]
    assert [row.figure for row in TABLE_4.values()] == [4, 5, 6, 7, 8, 9]
    assert paper_target_share(["ko", "ja"], "control") is None


def test_languages_lists_all_largest_first_and_adds_up_to_one(tmp_path: Path) -> None:
    frame = tables.languages(comparisons(write_crawl(tmp_path / "c", pages(["en", "en", "ko", "tlh"]))))
    assert frame["language"].tolist() == ["en", "ko", "tlh"]
    assert frame["name"].tolist() == ["English", "Korean", "tlh"]
    assert frame["is_target"].tolist() == [False, True, False]
    assert frame["share"].sum() == 1


def test_harvest_traces_every_crawl_to_its_last_page(tmp_path: Path) -> None:
    long = write_crawl(tmp_path / "c", pages(["ko", "en"] * 500), "control")
    short = write_crawl(tmp_path / "e", pages(["ko"] * 3), "experimental")
    frame = tables.harvest(comparisons(long, short)).set_index("crawl")
    assert len(frame.loc["ko control"]) <= tables.CURVE_POINTS
    assert frame.loc["ko control"].iloc[-1].tolist() == [1000, 500, 0.5, 500, 500 / 501]
    assert frame.loc["ko experimental"]["coverage"].tolist() == [1 / 501, 2 / 501, 3 / 501]


def test_harvest_has_no_coverage_for_a_single_crawl(tmp_path: Path) -> None:
    assert tables.harvest(comparisons(write_crawl(tmp_path / "c", pages(["ko"]))))["coverage"].isna().all()


def test_standings_has_the_same_number_of_pages_and_the_end(tmp_path: Path) -> None:
    control = write_crawl(tmp_path / "c", pages(["ko", "en", "en", "ko"]), "control")
    focus = write_crawl(tmp_path / "e", pages(["ko", "ko"]), "experimental")
    rows = tables.standings(comparisons(control, focus)[0]).itertuples(index=False, name=None)
    assert list(rows) == [
        ("ko control", "same", 2, 1, 0.5, 1 / 3),
        ("ko control", "end", 4, 2, 0.5, 2 / 3),
        ("ko experimental", "same", 2, 2, 1.0, 2 / 3),
        ("ko experimental", "end", 2, 2, 1.0, 2 / 3),
    ]


def test_hosts_are_sorted_by_yield_and_count_the_waste(tmp_path: Path) -> None:
    rows = [
        page("http://few.kr/", bytes=10),
        page("http://many.com/1", bytes=10),
        page("http://many.com/2", "en", bytes=7),
        page("http://many.com/3", bytes=10),
        page("http://none.com/", "en", bytes=5),
    ]
    frame = tables.hosts(comparisons(write_crawl(tmp_path / "c", rows)))
    assert frame.drop(columns=["crawl", "target_share"]).to_numpy().tolist() == [
        ["many.com", 3, 2, 1, 27, 7],
        ["few.kr", 1, 1, 0, 10, 0],
        ["none.com", 1, 0, 1, 5, 5],
    ]


def test_why_counts_by_rule_with_the_links_that_each_rule_kept(tmp_path: Path) -> None:
    rows = [
        page("http://a.kr/", why="seed"),
        page("http://b.kr/", why="tld kr"),
        page("http://c.kr/", "en", why="tld kr"),
        page("http://d.com/", why="anchor ko 0.98"),
    ]
    frame = tables.why(comparisons(write_crawl(tmp_path / "c", rows, stats={"focus/kept_count/tld": 70})))
    assert frame["rule"].tolist() == ["tld", "anchor", "seed"]
    assert frame["target_share"].tolist() == [0.5, 1, 1]
    assert frame["links_kept"].fillna(-1).tolist() == [70, -1, -1]


def test_waste_lists_languages_off_target_and_every_reason(tmp_path: Path) -> None:
    stats = {
        "fetch/refused_count/robots": 3,
        "fetch/gone_count/status 404": 2,
        "fetch/gone_count/type": 9,
        "fetch/failed_count/timeout": 1,
        "focus/trap_count/calendar": 8,
        "focus/discarded_count": 40,
    }
    crawl = write_crawl(tmp_path / "c", pages(["ko", "en", "en", "ja"]), stats=stats)
    frame = tables.waste(comparisons(crawl)).drop(columns="crawl")
    assert frame[["kind", "reason", "count"]].to_numpy().tolist() == [
        ["off target", "en", 2],
        ["off target", "ja", 1],
        ["refused", "robots", 3],
        ["gone", "type", 9],
        ["gone", "status 404", 2],
        ["failed", "timeout", 1],
        ["trap", "calendar", 8],
        ["discarded", "link", 40],
    ]
    assert frame["share"].tolist()[:2] == [0.5, 0.25]
    assert frame["bytes"].fillna(-1).tolist() == [2000, 1000, -1, -1, -1, -1, -1, -1]


def test_tables_are_made_of_a_crawl_without_waste_or_stats(tmp_path: Path) -> None:
    made = comparisons(write_crawl(tmp_path / "c", pages(["ko"])))
    assert tables.waste(made).empty
    assert list(tables.waste(made).columns) == ["crawl", "kind", "reason", "count", "share", "bytes"]
