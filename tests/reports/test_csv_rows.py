import csv
import io
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from crawl_writer import pages, write_rows
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.items import COLUMNS as WRITTEN
from crawler_project.reports.csv_rows import COLUMNS, complete_size, find_files, read_batches, undefuse

HEADER = ",".join(COLUMNS) + "\r\n"


def test_columns_are_those_that_a_crawl_writes() -> None:
    assert COLUMNS == WRITTEN


@pytest.mark.parametrize(
    ("content", "complete"),
    [
        ("", ""),
        ("a,b", ""),
        ("a,b\r\n", "a,b\r\n"),
        ("a,b\n1,2\n3,", "a,b\n1,2\n"),
        ('a,b\n1,"x\ny', "a,b\n"),
        ('a,b\n1,"x\ny"\n', 'a,b\n1,"x\ny"\n'),
        ('a,b\n1,"x ""q""\n\n\n', "a,b\n"),
        ('a,b\n1,"x"\n2,"""\n', 'a,b\n1,"x"\n'),
    ],
)
def test_complete_size_ends_at_the_last_line_end_outside_of_quotes(tmp_path: Path, content: str, complete: str) -> None:
    path = tmp_path / "crawled-ko.csv"
    path.write_bytes(content.encode())
    assert complete_size(path) == len(complete)


FIELDS = st.text(alphabet='a"\n\r,', max_size=6)


@given(rows=st.lists(st.tuples(FIELDS, FIELDS), max_size=5), cut=st.integers(0, 200), block=st.integers(1, 40))
def test_complete_size_never_splits_a_record_wherever_the_writer_is(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], cut: int, block: int
) -> None:
    ends, text = [0], io.StringIO(newline="")
    for row in rows:
        csv.writer(text).writerow(row)
        ends.append(len(text.getvalue()))
    path = tmp_path_factory.mktemp("csv") / "crawled-ko.csv"
    path.write_bytes(text.getvalue()[:cut].encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crawler_project.reports.csv_rows._BLOCK", block)
        # A lone \r or \n of a record's own \r\n may be cut off: that record is not complete yet.
        assert complete_size(path) == max(end for end in ends if end <= max(cut, 0))


def test_find_files_skips_a_file_whose_header_is_not_written_yet(tmp_path: Path) -> None:
    write_rows(tmp_path, pages(["ko"]))
    (tmp_path / "crawled-ja.csv").write_text("")
    (tmp_path / "crawled-zh.csv").write_text("url,final_u")
    (tmp_path / "feed.csv").write_text("something,else\n")
    assert [path.name for path in find_files(tmp_path)] == ["crawled-ko.csv"]


def test_find_files_takes_a_header_with_a_byte_order_mark_and_more_columns(tmp_path: Path) -> None:
    (tmp_path / "crawled-ko.csv").write_text("\ufeffmore," + HEADER, encoding="utf-8")
    assert len(find_files(tmp_path)) == 1


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, r"does not exist; expected the output directory of `scrapy crawl"),
        (lambda path: path.write_text("x"), "is a file; expected the output directory"),
        (lambda path: path.mkdir(), r"holds no crawled-\*\.csv; expected the output directory"),
    ],
)
def test_find_files_says_what_was_expected(tmp_path: Path, make: object, said: str) -> None:
    path = tmp_path / "crawl"
    make(path)  # type: ignore[operator]
    with pytest.raises(ConfigurationError, match=said):
        find_files(path)


def test_find_files_names_missing_columns(tmp_path: Path) -> None:
    (tmp_path / "crawled-ko.csv").write_text(HEADER.replace("is_target,", "").replace("host,", ""))
    with pytest.raises(ConfigurationError, match="lacks the columns host, is_target; expected a header with url,"):
        find_files(tmp_path)


def test_read_batches_leaves_out_and_counts_damaged_rows(tmp_path: Path) -> None:
    path = tmp_path / "crawled-ko.csv"
    path.write_text("url,bytes\nhttp://a/,1\nhttp://b/\nhttp://c/,3,4\nhttp://d/,\n")
    damaged: list[str] = []
    batches = list(read_batches(path, {"url": pa.string(), "bytes": pa.int64()}, damaged))
    assert [row for batch in batches for row in batch.to_pylist()] == [
        {"url": "http://a/", "bytes": 1},
        {"url": "http://d/", "bytes": None},
    ]
    assert damaged == ["crawled-ko.csv: 1 fields instead of 2", "crawled-ko.csv: 3 fields instead of 2"]


@given(
    rows=st.lists(st.tuples(FIELDS.map(lambda text: f"x{text}"), FIELDS), min_size=1, max_size=8),
    size=st.integers(1, 60),
)
def test_read_batches_gives_every_row_wherever_a_block_ends(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], size: int
) -> None:
    path = tmp_path_factory.mktemp("csv") / "crawled-ko.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([("url", "title"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crawler_project.reports.csv_rows._BATCH", size)
        batches = list(read_batches(path, {"title": pa.string(), "url": pa.string()}, damaged := []))
    assert [(row["url"], row["title"] or "") for batch in batches for row in batch.to_pylist()] == rows
    assert damaged == []


def test_read_batches_runs_no_python_on_other_threads_which_would_abort_a_process_that_ends(tmp_path: Path) -> None:
    class Damaged(list[str]):
        def append(self, row: str) -> None:
            super().append(f"{threading.current_thread() is threading.main_thread()} {row}")

    path = tmp_path / "crawled-ko.csv"
    path.write_text("url,bytes\nhttp://a/,1\nhttp://b/\n")
    batches = list(read_batches(path, {"url": pa.string()}, damaged := Damaged()))
    assert [batch.num_rows for batch in batches] == [1]
    assert damaged == ["True crawled-ko.csv: 1 fields instead of 2"]


def test_read_batches_stops_at_a_record_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crawled-ko.csv"
    path.write_text('url,bytes\nhttp://a/,1\n"http://b/' + 100 * "\nhttp://c/,1" + '"\n')
    for name, value in (("_BATCH", 20), ("_LONGEST", 100)):
        monkeypatch.setattr(f"crawler_project.reports.csv_rows.{name}", value)
    with pytest.raises(
        ConfigurationError, match=r"crawled-ko\.csv is damaged: its record at byte 22 has more than 100 bytes"
    ):
        list(read_batches(path, {"url": pa.string()}, []))


def test_read_batches_replaces_what_is_not_utf_8_and_leaves_out_rows_of_it(tmp_path: Path) -> None:
    path = tmp_path / "crawled-ko.csv"
    path.write_bytes("url,bytes\nhttp://제/,1\nhttp://".encode() + b"\xff/,2\n\xe0\x1b]0;title\x07\n")
    batches = list(read_batches(path, {"url": pa.string(), "bytes": pa.int64()}, damaged := []))
    assert [row for batch in batches for row in batch.to_pylist()] == [
        {"url": "http://제/", "bytes": 1},
        {"url": "http://\ufffd/", "bytes": 2},
    ]
    assert damaged == ["crawled-ko.csv: 1 fields instead of 2"]


@pytest.mark.parametrize("content", [b"url,bytes\nhttp://a/,many\n", b"url,bytes\nhttp://a/,\x1b]0;title\x07\n"])
def test_read_batches_names_the_file_when_a_value_is_of_the_wrong_kind(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "crawled-ko.csv"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"crawled-ko\.csv is damaged or no CSV file of a crawl") as raised:
        list(read_batches(path, {"url": pa.string(), "bytes": pa.int64()}, []))
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("stored", "meant"), [("'=1+1", "=1+1"), ("'-x", "-x"), ("'quoted'", "'quoted'"), ("=", "="), ("", "")]
)
def test_undefuse_takes_away_only_what_was_put_in(stored: str, meant: str) -> None:
    assert undefuse(stored) == meant
