"""The part of a report that shows what was learned."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from crawl_writer import pages, write_crawl

from crawler_project.reports.learned import learned_parts
from crawler_project.reports.report_figures import start_figure
from crawler_project.reports.report_files import compare_directories, write_report
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.left import LeftBehind, write_left
from crawler_project.strategies.learning.state import describe_state, write_state

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def learned(tmp_path: Path) -> Path:
    strategy = Adaptive()
    list(Simulator(synthesize(recipe_for("th"), 2000, 1), strategy).run(400))
    for way in (7, 8):
        strategy.learner.ways.add_find(way, way / 2)
    crawl = write_crawl(tmp_path / "adaptive", pages(["ko", "en"]), "adaptive")
    write_state(crawl / "model.json", describe_state(strategy.learner))
    return crawl


def test_learned_tables_show_worth_history_calibration_and_weights(tmp_path: Path) -> None:
    ((name, _, (worth, history, calibration, weights, ways)),) = learned_parts([("adaptive", learned(tmp_path))])
    assert name == "adaptive"
    values = [float(row[2].text) for row in worth.rows]
    assert values == sorted(values, reverse=True)
    assert [row[0].text for row in history.rows] == sorted((row[0].text for row in history.rows), key=int)
    assert sum(int(row[2].text) for row in calibration.rows) in range(380, 401)
    assert len(weights.rows) == 12
    assert 2 <= len(ways.rows) <= 8
    gains = [float(row[1].text) for row in ways.rows]
    assert gains == sorted(gains, reverse=True)


def test_weights_that_moved_are_drawn_over_time_with_their_names_and_numbers(tmp_path: Path) -> None:
    ((_, (figure,), _),) = learned_parts([("adaptive", learned(tmp_path))])
    assert figure.svg.count("<svg") == 1
    assert 2 <= len(figure.numbers.columns) <= 7
    assert all(column.heading in figure.note for column in figure.numbers.columns[1:])
    pages = [int(row[0].text) for row in figure.numbers.rows]
    assert pages[0] >= 100
    assert pages == sorted(pages)
    assert all(cell.text == "–" or float(cell.text) for row in figure.numbers.rows for cell in row[1:])


@pytest.mark.parametrize(
    ("strategy", "count", "wanted"), [("adaptive", 2100, 1), ("adaptive", 1900, 0), ("lswc", 2100, 0)]
)
def test_first_pages_of_a_long_crawl_that_learns_are_drawn_by_themselves(
    tmp_path: Path, strategy: str, count: int, wanted: int
) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko", "en"] * (count // 2)), strategy)
    (comparison,) = compare_directories([crawl])
    figures = list(start_figure(1, comparison))
    assert len(figures) == wanted
    for figure in figures:
        assert figure.numbers.rows[-1][0].text == "1,000"
        assert figure.numbers.rows[-1][1].text.startswith("50.0")


def test_learned_tables_leave_out_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("[]", encoding="utf-8")
    assert learned_parts([("a", tmp_path), ("b", tmp_path / "nowhere")]) == []


def test_learned_tables_of_a_state_without_examples_are_empty(tmp_path: Path) -> None:
    write_state(tmp_path / "model.w1.json", describe_state(Learner()))
    ((name, figures, parts),) = learned_parts([("a", tmp_path)])
    assert name == "a, model.w1.json"
    assert figures == []
    assert [len(part.rows) for part in parts[1:]] == [0, 0, 0, 0]


def test_links_that_were_left_are_shown_where_they_were_written(tmp_path: Path) -> None:
    crawl = learned(tmp_path)
    links = [
        LeftBehind(f"http://h{row}.com/<b>", "http://a.kr/", row / 20, 0.0, "host all of 1 +0.3", 12 + row / 4)
        for row in range(20)
    ]
    write_left(crawl / "left.json", links)
    ((_, _, (*_, left)),) = learned_parts([("adaptive", crawl)])
    assert len(left.rows) == 15
    assert [cell.text for cell in left.rows[1]] == [
        "http://h1.com/<b>",
        "12.25",
        "5.0\u00a0%",
        "0.00",
        "host all of 1 +0.3",
    ]
    assert [column.heading for column in left.columns][1] == "Priority"
    (crawl / "left.json").write_text("{}", encoding="utf-8")
    ((_, _, tables),) = learned_parts([("adaptive", crawl)])
    assert len(tables) == 5


def test_report_shows_what_was_learned_only_where_something_was(tmp_path: Path) -> None:
    other = write_crawl(tmp_path / "control", pages(["ko", "en"]), "control")
    for number, (crawl, wanted) in enumerate(((learned(tmp_path), True), (other, False))):
        output = tmp_path / f"report{number}.html"
        write_report(compare_directories([crawl]), output, NOW)
        assert ("What was learned" in output.read_text(encoding="utf-8")) == wanted
