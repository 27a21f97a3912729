import json
from pathlib import Path

import pytest
from crawl_writer import pages, write_crawl, write_rows

from crawler_project.reports.collection_labels import load_collection_labels
from crawler_project.reports.comparison import Comparison, compare
from crawler_project.reports.crawl_data import load_crawl
from crawler_project.reports.summary import reckoning_notes, summary_sentences


def two_crawls(tmp_path: Path, control: str, focus: str, **info: object) -> Comparison:
    """Letters as in ``kke``: Korean, Korean, English."""
    names = {"k": "ko", "e": "en"}
    paths = [
        write_crawl(tmp_path / "c", pages(names[x] for x in control), "control"),
        write_crawl(tmp_path / "e", pages(names[x] for x in focus), "experimental", **info),
    ]
    return compare(map(load_crawl, paths))[0]


@pytest.mark.parametrize(
    ("control", "focus", "said"),
    [
        (
            "ekek",
            "kkk",
            "the focus gained 2 pages, +66.7 percentage points of harvest rate (100.0\xa0% against 33.3\xa0%)",
        ),
        ("kee", "eke", "the focus made no difference"),
        ("kke", "eek", "the focus lost 1 page, −33.3 percentage points"),
    ],
)
def test_summary_says_what_the_focus_gained_or_lost(tmp_path: Path, control: str, focus: str, said: str) -> None:
    first, *_ = summary_sentences(two_crawls(tmp_path, control, focus))
    assert first.startswith("Of the first 3 pages of each crawl, ")
    assert said in first


def test_summary_says_how_many_downloads_the_same_finds_took(tmp_path: Path) -> None:
    _, second = summary_sentences(two_crawls(tmp_path, "ekek", "kkkk"))
    assert second == ("For the 2 Korean pages that took the control crawl 4 downloads, it needed 2 (50.0\xa0% fewer).")


def test_summary_says_what_the_longer_crawl_found_in_the_end(tmp_path: Path) -> None:
    assert summary_sentences(two_crawls(tmp_path, "ekekk", "kk"))[-1] == (
        "At their ends, the crawls had found Korean pages as follows: "
        "2 in 2 downloads for “ko experimental”, 3 in 5 downloads for “ko control”."
    )


def test_summary_of_crawls_without_control_gives_each_result(tmp_path: Path) -> None:
    crawl = load_crawl(write_crawl(tmp_path / "c", pages(["ko", "ja", "en"]), "lswc", ("ja", "ko")))
    assert summary_sentences(compare([crawl])[0]) == [
        "“ja,ko lswc”: 2 of 3 pages downloaded are Japanese and Korean, a harvest rate of 66.7\xa0%."
    ]


def test_notes_name_what_else_differs_between_the_crawls(tmp_path: Path) -> None:
    notes = " ".join(reckoning_notes(two_crawls(tmp_path, "ke", "kk", judge="ngram", seeds=9, finished_at=None)))
    assert "judge (ko control: combined, ko experimental: ngram)" in notes
    assert "seeds (ko control: 3, ko experimental: 9)" in notes
    assert "“ko experimental” was still running" in notes
    assert "2 pages are few" in notes
    assert "of the 2 that the compared crawls found together" in notes


def test_notes_of_like_crawls_have_no_warnings(tmp_path: Path) -> None:
    notes = reckoning_notes(two_crawls(tmp_path, "ke" * 60, "kk" * 60))
    assert [note.partition(":")[0] for note in notes] == [
        "Harvest rate",
        "The crawls are compared after the same number of pages, 120",
        "Relative coverage",
    ]


def test_notes_say_what_is_missing_and_what_was_left_out(tmp_path: Path) -> None:
    write_rows(tmp_path / "c", pages(["ko"]))
    with (tmp_path / "c" / "crawled-ko.csv").open("a") as file:
        file.write("half,a,row\n")
    notes = " ".join(reckoning_notes(compare([load_crawl(tmp_path / "c")])[0]))
    assert "has no crawl.json" in notes
    assert "1 damaged row of" in notes
    assert "Coverage is not shown" in notes


def test_notes_give_the_agreement_of_judge_and_labels(tmp_path: Path) -> None:
    records = [{"url": f"http://example.org/{number}", "text_lang": "ko"} for number in (1, 2, 3)]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, records)))
    labels = load_collection_labels(tmp_path / "pages.jsonl")
    crawl = load_crawl(write_crawl(tmp_path / "c", pages(["ko", "en"])))
    notes = " ".join(reckoning_notes(compare([crawl], labels)[0]))
    assert "of the 3 pages that the collection “pages.jsonl” labels" in notes
    assert "agree on target or not for 50.0\xa0% of 2 labelled pages" in notes
