import csv
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from crawl_writer import page, pages, write_crawl

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.report_files import compare_directories, to_csv, write_report
from crawler_project.reports.tables import languages, why

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
HOSTILE = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{7*7}}"


class Page(HTMLParser):
    """Tags, attributes and text of a page, and whether its tags are balanced."""

    VOID = ("meta", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def report(tmp_path: Path, *directories: Path) -> str:
    output = tmp_path / "report.html"
    write_report(compare_directories(directories), output, NOW)
    return output.read_text(encoding="utf-8")


def hostile_crawls(tmp_path: Path) -> list[Path]:
    """Everything that comes from the web or from a file is markup."""
    rows = [
        page("http://a.kr/<script>", title=HOSTILE, host=HOSTILE, why=HOSTILE, anchor_text=HOSTILE),
        page("http://b.kr/", HOSTILE, host="=cmd|' /C calc'!A0"),
    ]
    info = {
        "parameters": {HOSTILE: HOSTILE},
        "judge": HOSTILE,
        "finish_reason": HOSTILE,
        "started_at": HOSTILE,
        "stats": {f"fetch/refused_count/{HOSTILE}": 1, f"focus/kept_count/{HOSTILE}": 1},
    }
    return [
        write_crawl(tmp_path / "<b>c", rows, "control", **info),
        write_crawl(tmp_path / "e", rows, HOSTILE, **info),
        write_crawl(tmp_path / "f", rows, "experimental", (HOSTILE,), **info),
    ]


def test_report_shows_hostile_text_as_text(tmp_path: Path) -> None:
    html = report(tmp_path, *hostile_crawls(tmp_path))
    parsed = Page(html)
    assert parsed.unbalanced == parsed.open == []
    assert HOSTILE in parsed.text
    assert not {tag for tag, _ in parsed.tags} & {"script", "img", "iframe", "object", "b\"'{{7*7}}"}
    assert not [name for _, attributes in parsed.tags for name in attributes if name.startswith("on")]
    assert "49" not in re.findall(r"onerror=alert\(1\)&gt;[^<]*", html)


def test_report_needs_nothing_but_itself(tmp_path: Path) -> None:
    html = report(tmp_path, write_crawl(tmp_path / "c", pages(["ko", "en"])))
    parsed = Page(html)
    links = [value for _, attributes in parsed.tags for name, value in attributes.items() if name in {"src", "href"}]
    outside = [link for link in links if not link.startswith(("#", "data:", "report/"))]
    assert outside == []
    assert "url(http" not in html
    assert "@import" not in html
    assert "default-src 'none'" in html


def test_report_has_what_telephones_and_screen_readers_need(tmp_path: Path) -> None:
    crawls = [write_crawl(tmp_path / name, pages(["ko", "en"]), name) for name in ("control", "experimental")]
    parsed = Page(report(tmp_path, *crawls))
    tags = parsed.tags
    assert ("html", {"lang": "en"}) in tags
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in [a for t, a in tags if t == "meta"]
    plots = [attributes["aria-label"] for tag, attributes in tags if attributes.get("role") == "img"]
    assert len(plots) == 4
    assert all(re.match(r"(Bar|Line) chart of .*\d %", plot.replace("\xa0", " ")) for plot in plots)
    assert all(attributes.get("aria-label") for tag, attributes in tags if tag == "table")
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [a["href"][1:] for t, a in tags if t == "a" and a["href"].startswith("#")]
    assert set(targets) <= set(ids)


def test_report_titles_the_distributions_as_the_paper_does(tmp_path: Path) -> None:
    names = [(code, strategy) for code in ("ko", "ja", "zh") for strategy in ("control", "experimental")]
    crawls = [write_crawl(tmp_path / "".join(name), pages(["ko"]), name[1], (name[0],)) for name in names]
    text = Page(report(tmp_path, *crawls)).text
    titles = re.findall(r"Figure (\d)\. Language distribution of (\w+) (baseline|experimental) results", text)
    assert titles == [
        ("4", "Korean", "baseline"),
        ("5", "Korean", "experimental"),
        ("6", "Japanese", "baseline"),
        ("7", "Japanese", "experimental"),
        ("8", "Chinese", "baseline"),
        ("9", "Chinese", "experimental"),
    ]


def test_report_of_a_single_crawl_has_no_coverage_and_says_so(tmp_path: Path) -> None:
    text = Page(report(tmp_path, write_crawl(tmp_path / "c", pages(["ko", "en"]), "lswc"))).text
    assert "Coverage is not shown" in text
    assert "coverage along the crawl" not in text
    assert "Language distribution of Korean lswc results" in text


def test_report_of_a_crawl_that_found_nothing_is_made(tmp_path: Path) -> None:
    crawls = [write_crawl(tmp_path / name, pages(["en", "en"]), name) for name in ("control", "experimental")]
    text = Page(report(tmp_path, *crawls)).text
    assert "the focus made no difference (0.0\xa0% against 0.0\xa0%)" in text
    assert "No host had a target page." in text


def test_write_report_puts_the_tables_in_a_folder_of_the_page_s_name(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", pages(["ko", "en"]))
    written = write_report(compare_directories([crawl]), tmp_path / "new" / "korean.html", NOW)
    assert [str(path.relative_to(tmp_path)) for path in written] == [
        "new/korean.html",
        *(f"new/korean/{name}.csv" for name in ("table4", "languages", "harvest", "hosts", "why", "waste")),
    ]
    assert sorted(path.name for path in (tmp_path / "new").rglob("*")) == sorted(
        ["korean", *(path.name for path in written)]
    )
    assert 'href="korean/hosts.csv"' in written[0].read_text(encoding="utf-8")


def test_written_tables_are_csv_that_spreadsheets_do_not_run(tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    write_report(compare_directories(hostile_crawls(tmp_path)), output, NOW)
    with (tmp_path / "report" / "hosts.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["host"] for row in rows} == {HOSTILE, "'=cmd|' /C calc'!A0"}


def test_to_csv_ends_lines_as_rfc_4180_says(tmp_path: Path) -> None:
    made = compare_directories([write_crawl(tmp_path / "c", pages(["ko"]))])
    assert to_csv(why(made)) == (
        "crawl,rule,pages,target_pages,target_share,links_kept\r\nko experimental,seed,1,1,1.0,\r\n"
    )


def test_to_csv_writes_truth_values_as_the_files_of_a_crawl_have_them(tmp_path: Path) -> None:
    made = compare_directories([write_crawl(tmp_path / "c", pages(["ko", "ko", "en"]))])
    assert [line.rpartition(",")[2] for line in to_csv(languages(made)).splitlines()] == ["is_target", "true", "false"]


def test_write_report_refuses_an_output_without_html_suffix(tmp_path: Path) -> None:
    made = compare_directories([write_crawl(tmp_path / "c", pages(["ko"]))])
    with pytest.raises(ConfigurationError, match=r"must end in \.html"):
        write_report(made, tmp_path / "report", NOW)


def test_write_report_says_when_the_output_cannot_be_written(tmp_path: Path) -> None:
    made = compare_directories([write_crawl(tmp_path / "c", pages(["ko"]))])
    (tmp_path / "report").write_text("a file where the folder should be")
    with pytest.raises(ConfigurationError, match=r"the report cannot be written: .*; choose another --output"):
        write_report(made, tmp_path / "report.html", NOW)


def test_write_report_keeps_its_tables_out_of_crawl_directories(tmp_path: Path) -> None:
    made = compare_directories([write_crawl(tmp_path / "korean", pages(["ko"]))])
    with pytest.raises(ConfigurationError, match="would go into the crawl directory"):
        write_report(made, tmp_path / "korean.html", NOW)


def test_compare_directories_refuses_a_directory_given_twice(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "c", pages(["ko"]))
    with pytest.raises(ConfigurationError, match="is given twice"):
        compare_directories([crawl, crawl / ".." / "c"])
