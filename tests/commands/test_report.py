import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "reports"))
from crawl_writer import pages, write_crawl

Scrapy = Callable[..., subprocess.CompletedProcess[str]]


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
    scrapy: Scrapy, tmp_path: Path, arguments: list[str], said: str
) -> None:
    write_crawl(tmp_path / "crawl", pages(["ko"]))
    (tmp_path / "empty").mkdir()
    done = scrapy("report", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("scrapy report: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    shutil.rmtree(tmp_path / "crawl")
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
