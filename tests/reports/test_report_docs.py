"""docs/report.md says what the code writes."""

from pathlib import Path

from crawl_writer import pages, write_crawl

from crawler_project.reports.chain import MAX_HOPS
from crawler_project.reports.html_report import report_frames
from crawler_project.reports.report_files import compare_directories

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "report.md").read_text(encoding="utf-8")


def test_docs_name_every_table_with_its_columns(tmp_path: Path) -> None:
    frames = report_frames(compare_directories([write_crawl(tmp_path / "c", pages(["ko", "en"]))]))
    for name, frame in frames.items():
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}.csv`")]
        documented = [column for part in row.split("|")[2].split("`")[1::2] for column in part.split(",")]
        assert documented == list(frame.columns), name


def test_docs_name_the_longest_chain() -> None:
    assert f"more than {MAX_HOPS:,} hops" in PAGE
