import json
from pathlib import Path

import numpy as np
import pytest
from crawl_writer import page, pages, write_crawl

from crawler_project.reports.collection_labels import load_collection_labels
from crawler_project.reports.comparison import compare
from crawler_project.reports.crawl_data import load_crawl


def crawl(directory: Path, languages: str, strategy: str, start: str = "http://a.kr/", **info: object) -> Path:
    """A crawl from letters: ``k`` is a Korean page, ``e`` an English one; pages are numbered from ``start``."""
    names = {"k": "ko", "e": "en"}
    return write_crawl(directory / strategy, pages([names[letter] for letter in languages], start), strategy, **info)


def test_compare_groups_by_target_with_the_control_crawl_first(tmp_path: Path) -> None:
    rows = pages(["ko", "ja"])
    crawls = [
        write_crawl(tmp_path / "a", rows, "experimental", ("ko",)),
        write_crawl(tmp_path / "b", rows, "lswc", ("ja",)),
        write_crawl(tmp_path / "c", rows, "control", ("ko",)),
    ]
    comparisons = compare(map(load_crawl, crawls))
    assert [[member.label for member in c.members] for c in comparisons] == [
        ["ko control", "ko experimental"],
        ["ja lswc"],
    ]


def test_compare_tells_crawls_of_one_strategy_apart_by_their_directories(tmp_path: Path) -> None:
    rows = pages(["ko"])
    paths = [write_crawl(tmp_path / name, rows) for name in ("x/run", "y/run", "z")]
    labels = [member.label for member in compare(map(load_crawl, paths))[0].members]
    assert labels == [f"ko experimental ({paths[0]})", f"ko experimental ({paths[1]})", "ko experimental (z)"]


def test_gain_is_reckoned_at_the_length_of_the_shorter_crawl(tmp_path: Path) -> None:
    control, focus = crawl(tmp_path, "kekeekkkkkkkk", "control"), crawl(tmp_path, "kkekkk", "experimental")
    (gain,) = compare(map(load_crawl, [control, focus]))[0].gains()
    assert (gain.pages, gain.focus_targets, gain.control_targets) == (6, 5, 3)
    assert gain.extra_targets == 2
    assert gain.points == pytest.approx(100 * 2 / 6)
    assert gain.pages_to_match == 4


def test_gain_has_no_match_when_the_focus_never_found_as_many(tmp_path: Path) -> None:
    control, focus = crawl(tmp_path, "kkk", "control"), crawl(tmp_path, "kee", "experimental")
    (gain,) = compare(map(load_crawl, [control, focus]))[0].gains()
    assert (gain.extra_targets, gain.pages_to_match) == (-2, None)


@pytest.mark.parametrize("strategies", [("experimental", "lswc"), ("control",)])
def test_no_gain_is_reckoned_without_a_control_crawl_or_another(tmp_path: Path, strategies: tuple[str, ...]) -> None:
    crawls = [load_crawl(crawl(tmp_path, "ke", strategy)) for strategy in strategies]
    assert compare(crawls)[0].gains() == []


def test_no_gain_is_reckoned_against_two_control_crawls(tmp_path: Path) -> None:
    crawls = [crawl(tmp_path / "1", "ke", "control"), crawl(tmp_path / "2", "kk", "control"), crawl(tmp_path, "k", "x")]
    assert compare(map(load_crawl, crawls))[0].gains() == []


def test_relative_coverage_is_of_what_the_compared_crawls_found_together(tmp_path: Path) -> None:
    control = crawl(tmp_path, "kek", "control")  # finds /1 and /3
    focus = crawl(tmp_path, "kkkk", "experimental")  # finds /1 to /4
    comparison = compare(map(load_crawl, [control, focus]))[0]
    assert comparison.target_pages_known == 4
    assert [comparison.coverage_at(member, 3) for member in comparison.members] == [0.5, 0.75]
    assert comparison.found_curve(comparison.members[0], 1).relevant.tolist() == [1, 1, 2]


def test_coverage_counts_a_page_once_that_two_addresses_lead_to(tmp_path: Path) -> None:
    rows = [page("http://a.kr/x"), page("http://a.kr/y", final_url="http://a.kr/x"), page("http://a.kr/z")]
    single = compare([load_crawl(write_crawl(tmp_path / "c", rows))])[0]
    assert single.target_pages_known == 2
    assert single.found_curve(single.members[0], 1).relevant.tolist() == [1, 1, 2]
    assert not single.has_coverage


def test_coverage_with_labels_is_of_all_labelled_pages_whatever_the_judge_said(tmp_path: Path) -> None:
    languages = {"1": "ko", "2": "ko", "3": None, "8": "ko", "9": "ko"}
    lines = [json.dumps({"url": f"http://a.kr/{name}", "text_lang": code}) for name, code in languages.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    labels = load_collection_labels(tmp_path / "pages.jsonl")
    comparison = compare([load_crawl(crawl(tmp_path, "ekk", "experimental"))], labels)[0]
    (member,) = comparison.members
    assert comparison.has_coverage
    assert comparison.coverage_at(member, 3) == 0.5  # /1 and /2 of four; /3 has no label
    assert comparison.judge_agreement(member) == (1, 2)


def test_comparand_counts_at_any_number_of_pages(tmp_path: Path) -> None:
    (member,) = compare([load_crawl(crawl(tmp_path, "kekk", "control"))])[0].members
    assert [member.targets_at(pages) for pages in (0, 1, 2, 4, 99)] == [0, 1, 1, 3, 3]
    assert member.harvest_at(2) == 0.5
    assert [member.pages_to_find(targets) for targets in (0, 1, 2, 3, 4)] == [0, 1, 3, 4, None]
    assert np.array_equal(member.harvest_curve(3).pages, [3, 4])
