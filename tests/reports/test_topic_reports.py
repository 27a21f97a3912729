"""What a report says of crawls by topic, and of such beside others."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from crawl_writer import page, write_crawl

from crawler_project.reports.aim import Aim
from crawler_project.reports.collection_labels import CollectionLabels
from crawler_project.reports.comparison import Comparison, compare
from crawler_project.reports.crawl_data import load_crawl
from crawler_project.reports.report_files import compare_directories, write_report
from crawler_project.reports.summary import apart_sentences, reckoning_notes, summary_sentences

NOW = datetime(2026, 11, 21, tzinfo=UTC)
KOREAN_ON_TOPIC = [("ko", "true"), ("ko", "false"), ("ko", "false"), ("en", "false"), ("en", "false")]
ON_TOPIC = [("react", "true"), ("other", "false"), ("und", "false")]


def topic_crawl(
    folder: Path, pages: list[tuple[str, str]], target: str = "ko", strategy: str = "cbp_slc", **info: object
) -> Path:
    rows = [page(f"http://a.kr/{at}", code, is_target=is_target) for at, (code, is_target) in enumerate(pages)]
    return write_crawl(folder, rows, strategy, (target,), **({"judge": "topic react"} | info))


def one(crawl: Path) -> Comparison:
    return compare([load_crawl(crawl)])[0]


@pytest.mark.parametrize(
    ("aim", "name", "said", "pages"),
    [
        (Aim(("ko",)), "Korean", "Korean", "Korean pages"),
        (Aim((), "react"), "topic react", "on topic react", "pages on topic react"),
        (Aim(("ko",), "react"), "Korean on topic react", "Korean and on topic react", "Korean pages on topic react"),
        (Aim(()), "any language", "on target", "target pages"),
    ],
)
def test_aim_is_said_in_words(aim: Aim, name: str, said: str, pages: str) -> None:
    assert (aim.name, aim.said_of_pages, aim.pages) == (name, said, pages)


def test_pages_of_a_topic_crawl_are_said_to_be_on_the_topic(tmp_path: Path) -> None:
    both, alone = (
        one(topic_crawl(tmp_path / "both", KOREAN_ON_TOPIC)),
        one(topic_crawl(tmp_path / "alone", ON_TOPIC, "react")),
    )
    assert summary_sentences(both) == [
        "“ko react cbp_slc”: 1 of 5 pages downloaded are Korean and on topic react, a harvest rate of 20.0\xa0%."
    ]
    assert summary_sentences(alone) == [
        "“react cbp_slc”: 1 of 3 pages downloaded are on topic react, a harvest rate of 33.3\xa0%."
    ]
    assert "says that its own language is a target and it is on topic react; nobody" in reckoning_notes(both)[0]
    assert "says that it is on topic react; nobody" in reckoning_notes(alone)[0]


def test_gain_of_a_topic_crawl_is_in_pages_on_the_topic(tmp_path: Path) -> None:
    crawls = [
        topic_crawl(tmp_path / "c", [*KOREAN_ON_TOPIC[1:], ("ko", "true")], strategy="control"),
        topic_crawl(tmp_path / "e", KOREAN_ON_TOPIC),
    ]
    first, *_ = summary_sentences(compare(map(load_crawl, crawls))[0])
    assert "1 of “ko react cbp_slc” and 1 of “ko react control” are Korean and on topic react: " in first


def test_crawls_by_topic_and_by_language_are_not_compared(tmp_path: Path) -> None:
    crawls = [
        topic_crawl(tmp_path / "topic", KOREAN_ON_TOPIC, strategy="experimental"),
        topic_crawl(tmp_path / "language", KOREAN_ON_TOPIC, strategy="control", judge="combined"),
        topic_crawl(tmp_path / "other", KOREAN_ON_TOPIC, judge="topic vue"),
    ]
    comparisons = compare_directories(crawls)
    assert [comparison.aim.name for comparison in comparisons] == [
        "Korean on topic react",
        "Korean",
        "Korean on topic vue",
    ]
    assert all(not comparison.gains() for comparison in comparisons)
    (said,) = apart_sentences(comparisons)
    assert said.startswith("Crawls by topic and crawls by language are not compared with each other: ")
    assert apart_sentences(comparisons[:1]) == apart_sentences(comparisons[::2]) == []
    page, *tables = write_report(comparisons, tmp_path / "report.html", NOW)
    html = page.read_text(encoding="utf-8")
    assert said in html
    assert "<title>Crawl report: Korean on topic react, Korean, Korean on topic vue</title>" in html
    (table_4,) = (table for table in tables if table.name == "table4.csv")
    shares = [row.rpartition(",")[2] != "" for row in table_4.read_text(encoding="utf-8").splitlines()[1:]]
    assert shares == [False, True, False]  # the paper's crawls had no topic


def test_crawl_by_topic_alone_has_no_table_of_languages(tmp_path: Path) -> None:
    page, *tables = write_report(
        [one(topic_crawl(tmp_path / "alone", ON_TOPIC, "react"))], tmp_path / "report.html", NOW
    )
    html = page.read_text(encoding="utf-8")
    assert "Table 4" not in html
    assert "Topic distribution of cbp_slc results, topic react" in html
    assert "table4.csv" not in {path.name for path in tables}


def test_labels_of_languages_say_nothing_of_a_topic(tmp_path: Path) -> None:
    labels = CollectionLabels(Path("pages.jsonl"), {1: "ko"})
    (comparison,) = compare([load_crawl(topic_crawl(tmp_path / "both", KOREAN_ON_TOPIC))], labels)
    assert not comparison.has_coverage
    assert "the labels of a collection say nothing of a topic" in reckoning_notes(comparison)[1]
