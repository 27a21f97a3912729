import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from in_process import run_command

sys.path.append(str(Path(__file__).resolve().parents[1] / "reports"))
from crawl_writer import pages, write_crawl

from crawler_project.commands.report import Command

Scrapy = Callable[..., subprocess.CompletedProcess[str]]


def run(*arguments: str) -> int:
    return run_command(Command(), *arguments)


def test_report_writes_the_page_and_says_where_it_is(scrapy: Scrapy, tmp_path: Path) -> None:
    control = write_crawl(tmp_path / "control", pages(["en", "ko"]), "control")
    focus = write_crawl(tmp_path / "focus", pages(["ko", "ko"]), "experimental")
    done = scrapy("report", str(control), str(focus), "--output", str(tmp_path / "two.html"))
    assert (done.returncode, done.stderr) == (0, "")
    first, *_, last = done.stdout.splitlines()
    assert first.startswith(
        "Of the first 2 pages of each crawl, 2 of “ko experimental” and 1 of “ko control” are Korean"
    )
    assert last == f"Report: {tmp_path / 'two.html'} (tables in {tmp_path / 'two'})"
    assert "<title>Crawl report: Korean</title>" in (tmp_path / "two.html").read_text(encoding="utf-8")
    assert (tmp_path / "two" / "table4.csv").exists()


def test_report_of_one_crawl_lies_with_the_crawl_and_a_comparison_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawls = [write_crawl(tmp_path / name, pages(["ko"]), name) for name in ("control", "lswc")]
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert run(str(crawls[0])) == run(*map(str, crawls)) == 0
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*.html"))] == [
        "control/report.html",
        "here/report.html",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name at least one crawl directory; usage: scrapy report DIR"),
        (["nowhere"], "nowhere does not exist; expected the output directory of `scrapy crawl lang_focused"),
        (["empty"], "empty holds no crawled-*.csv; expected the output directory"),
        (["crawl", "--bogus"], "unknown option --bogus; usage: scrapy report DIR"),
        (["crawl", "--output", "page.pdf"], "output 'page.pdf' must end in .html"),
        (["crawl", "--collection", "none.jsonl"], "expected JSON Lines with the fields url and text_lang"),
    ],
)
def test_report_says_in_one_line_what_to_change(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    write_crawl(tmp_path / "crawl", pages(["ko"]))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("scrapy report: ")
    assert said in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl", "empty"]
