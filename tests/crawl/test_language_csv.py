"""One CSV file a language."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from crawler_project.core.errors import StateError
from crawler_project.core.file_name import file_name
from crawler_project.exporters.language_csv import LanguageCsv
from crawler_project.items import COLUMNS, PageItem


def item(**changes: Any) -> PageItem:
    values: dict[str, Any] = {
        "url": "http://a.example/", "final_url": "http://a.example/", "status": 200, "fetched_at": "2026-01-01T00:00:00.000Z",
        "language": "ko", "language_score": 1.0, "declared_language": "ko", "charset": "utf-8", "title": "제목", "bytes": 10, "depth": 0,
        "distance": 1, "referrer": "", "anchor_text": "", "why": "seed", "digest": "", "position": 1, "host": "a.example",
        "is_target": True, "evidence": "",
    }  # fmt: skip
    return PageItem(**{**values, **changes})


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_csv_has_one_file_a_language_with_one_header(tmp_path: Path) -> None:
    out = LanguageCsv(tmp_path, None, defuse_formulas=True)
    for language in ("ko", "en", "ko"):
        out.write(item(language=language))
    out.close()
    assert [len(rows(tmp_path / name)) for name in ("crawled-ko.csv", "crawled-en.csv")] == [2, 1]
    header = (tmp_path / "crawled-ko.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == ",".join(COLUMNS)


def test_csv_keeps_whatever_a_page_says(tmp_path: Path) -> None:
    title = 'a "quoted", line\nbreak\r\n한국어 \x00 \u2028 🙂'
    out = LanguageCsv(tmp_path, None, defuse_formulas=True)
    out.write(item(title=title, anchor_text="\ud800 lone"))
    out.close()
    (row,) = rows(tmp_path / "crawled-ko.csv")
    assert row["title"] == title
    assert row["anchor_text"] == "? lone"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_csv_defuses_formulas_unless_told_not_to(tmp_path: Path, text: str) -> None:
    for name, defuse, expected in (("a", True, "'" + text), ("b", False, text)):
        folder = tmp_path / name
        folder.mkdir()
        out = LanguageCsv(folder, None, defuse_formulas=defuse)
        out.write(item(title=text))
        out.close()
        assert rows(folder / "crawled-ko.csv")[0]["title"] == expected


def test_csv_is_cut_back_to_the_checkpoint_on_resume(tmp_path: Path) -> None:
    out = LanguageCsv(tmp_path, None, defuse_formulas=True)
    out.write(item(url="http://a.example/1"))
    sizes = out.flush()
    out.write(item(url="http://a.example/2"))
    out.write(item(url="http://a.example/3", language="en"))
    out.close()
    again = LanguageCsv(tmp_path, sizes, defuse_formulas=True)
    again.write(item(url="http://a.example/2"))
    again.write(item(url="http://a.example/3", language="en"))
    again.close()
    assert [row["url"][-1] for row in rows(tmp_path / "crawled-ko.csv")] == ["1", "2"]
    assert [row["url"][-1] for row in rows(tmp_path / "crawled-en.csv")] == ["3"]


def test_csv_that_lost_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "crawled-ko.csv").write_text("short")
    with pytest.raises(StateError, match="shorter"):
        LanguageCsv(tmp_path, {"crawled-ko.csv": 100}, defuse_formulas=True)


@pytest.mark.parametrize("label", ["../../etc/passwd", "ko/../x", "", "a\0b"])
def test_csv_name_stays_in_its_folder(label: str) -> None:
    assert "/" not in file_name(label)
    assert "\0" not in file_name(label)
