"""Every form of seed source: told by its content, read, and damaged."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
import zstandard
from directory_text import directory, entry
from fastwarc.warc import WarcRecord, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import FORMS, read_entries, read_form, tell_form
from crawler_project.seeding.seed_row import SeedRow

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>'
LOC = "<url><loc> %s </loc><lastmod>2026-01-01</lastmod></url>"
OPML = (
    '<opml version="2.0"><head><title>x</title></head><body><outline text="뉴스 &amp; 더"><outline text="A" '
    'xmlUrl="http://a.kr/feed" htmlUrl="http://a.kr/?x=1&y=2" description="D"/></outline>'
    '<outline title="B" xmlUrl="http://b.kr/rss"/><outline text="C" xmlUrl="nowhere"/></body></opml>'
)
BOOKMARKS = (
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Menu</H1>\n<DL><p>\n"
    '<DT><H3 ADD_DATE="1">한국</H3>\n<DL><p>\n<DT><A HREF="http://a.kr/" ADD_DATE="2">에이</A>\n<DD>설명 글\n'
    '<DT><A HREF="javascript:alert(1)">x</A>\n<DT><A HREF="ftp://z.kr/">z</A></DL><p>\n'
    '<DT><A HREF="http://c.kr/?a=1&b=2">c</A>\n</DL>'
)
CDXJ = (
    '!OpenWayback-CDXJ 1.0\nkr,a)/ 20200101000000 {"url":"http://a.kr/","mime":"text/html","status":"200"}\n'
    'kr,a)/i 20200101000000 {"url":"http://a.kr/i.png","mime":"image/png","status":"200"}\n'
    'kr,a)/x 20200101000000 {"url":"http://a.kr/x","mime":"text/html","status":"404"}\nbroken\n'
)


def read(path: Path, data: bytes | str, **arguments: str) -> tuple[list[SeedRow], Damage]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    damage = Damage()
    return list(read_entries([str(path)], damage, **arguments)), damage  # type: ignore[arg-type]


def urls(rows: list[SeedRow]) -> list[str]:
    return [row.url for row in rows]


def warc() -> bytes:
    file = io.BytesIO()
    for url, status, kind, body in (
        ("http://a.kr/", "200 OK", "text/html; charset=euc-kr", "<title>한국 &amp; 더</title>".encode("euc-kr")),
        ("http://a.kr/gone", "404 Not Found", "text/html", b"<title>no</title>"),
        ("http://a.kr/i.png", "200 OK", "image/png", b"PNG"),
        ("http://b.kr/", "200 OK", "text/html", b"no title"),
    ):
        record = WarcRecord()
        record.init_headers(record_type=WarcRecordType.response)
        record.headers["WARC-Target-URI"] = url
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body)
        record.write(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("form", "data", "expected"),
    [
        ("dmoz", directory(entry("http://a.kr/", "가")), [("http://a.kr/", "가", "d", "Top/World/Korean")]),
        ("list", "# seeds\nhttp://a.kr/?a=1,2\nb.kr # two\n", [("http://a.kr/?a=1,2", "", "", ""), ("http://b.kr/", "", "", "")]),
        ("csv", "1,a.kr\r\n2,b.kr\r\n", [("http://a.kr/", "", "", ""), ("http://b.kr/", "", "", "")]),
        ("csv", "GlobalRank,Domain,TLD\n1,a.kr,kr\n", [("http://a.kr/", "", "", "")]),
        ("csv", 'item,itemLabel,website\nQ1,"가, 나",http://a.kr/\n', [("http://a.kr/", "가, 나", "", "")]),
        ("csv", "?item\t?website\n<http://x.org/Q1>\t<http://a.kr/>\n", [("http://a.kr/", "", "", "")]),
        ("sitemap", SITEMAP % (LOC % "http://a.kr/?a=1&b=2"), [("http://a.kr/?a=1&b=2", "", "", "")]),
        ("opml", OPML, [("http://a.kr/?x=1&y=2", "A", "D", "뉴스 & 더"), ("http://b.kr/rss", "B", "", "")]),
        ("bookmarks", BOOKMARKS, [("http://a.kr/", "에이", "설명 글", "한국"), ("http://c.kr/?a=1&b=2", "c", "", "")]),
        ("cdxj", CDXJ, [("http://a.kr/", "", "", "")]),
        ("cdxj", " CDX N b a m s k r M S V g\nkr,a)/ 20200101000000 http://a.kr/ text/html 200 AB - - 1 2 f\n", [("http://a.kr/", "", "", "")]),
        ("cdxj", '{"urlkey":"kr,a)/","url":"http://a.kr/","mime":"text/html","status":"200"}\n', [("http://a.kr/", "", "", "")]),
        ("warc", warc(), [("http://a.kr/", "한국 & 더", "", ""), ("http://b.kr/", "", "", "")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstandard.compress])
def test_form_is_told_and_read(
    tmp_path: Path, form: str, data: str | bytes, expected: list[tuple[str, ...]], compress
) -> None:  # type: ignore[no-untyped-def]
    data = data.encode() if isinstance(data, str) else data
    assert tell_form(data[:4096])[0] == form
    rows, _ = read(tmp_path / "source", compress(data))
    assert [row[:4] for row in rows] == expected
    assert {row.source for row in rows} == {str(tmp_path / "source")}


def test_csv_takes_the_column_that_is_named_or_numbered(tmp_path: Path) -> None:
    text = "url;Seite;name\nhttp://x.de/;a.de;eins\n;b.de;zwei\n"
    assert urls(read(tmp_path / "a.csv", text, column="seite")[0]) == ["http://a.de/", "http://b.de/"]
    assert [row.title for row in read(tmp_path / "a.csv", text, column="2")[0]] == ["eins", "zwei"]
    assert urls(read(tmp_path / "b.csv", "1,a.de\n2,b.de\n", column="2")[0]) == ["http://a.de/", "http://b.de/"]


@pytest.mark.parametrize("column", ["website", "9", "0"])
def test_csv_without_the_column_names_those_that_it_has(tmp_path: Path, column: str) -> None:
    with pytest.raises(ConfigurationError, match=f"no column '{column}'; it has 'rank', 'name'"):
        read(tmp_path / "a.csv", "rank,name\n1,a.kr\n", column=column)
    with pytest.raises(ConfigurationError, match="'rank', 'name' with --column"):
        read(tmp_path / "a.csv", "rank,name\n1,x\n")


def test_csv_skips_and_names_rows_without_an_address(tmp_path: Path) -> None:
    rows, damage = read(tmp_path / "a.csv", "url,n\nhttp://a.kr/,1\nno address,2\n")
    assert urls(rows) == ["http://a.kr/"]
    assert damage.skipped.total() == 1
    assert "row 3" in str(damage.cases[0])


def test_sitemap_index_leads_to_the_files_beside_it_and_ends_where_it_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "one.xml.gz").write_bytes(gzip.compress((SITEMAP % (LOC % "http://a.kr/1")).encode()))
    (tmp_path / "nested.xml").write_text(
        "<sitemapindex><sitemap><loc>http://a.kr/index.xml</loc></sitemap>"
        "<sitemap><loc>http://a.kr/nested.xml</loc></sitemap></sitemapindex>"
    )
    names = ["one.xml.gz", "nested.xml", "index.xml", "../../etc/passwd", "absent.xml"]
    rows, damage = read(
        tmp_path / "index.xml",
        "<sitemapindex>" + "".join(f"<sitemap><loc>http://a.kr/{n}</loc></sitemap>" for n in names) + "</sitemapindex>",
    )
    assert urls(rows) == ["http://a.kr/1"]
    said = "\n".join(damage.lines())
    assert said.count("includes itself") == 5 - 1  # three cases and their count
    assert "absent.xml': this sitemap is not beside its index; fetch it and put it there" in said
    assert "passwd" in said


def test_sitemap_that_is_cut_off_keeps_what_is_whole(tmp_path: Path) -> None:
    text = SITEMAP % (LOC % "http://a.kr/" + LOC % "http://b.kr/")
    rows, damage = read(tmp_path / "s.xml", text[: text.index("b.kr") + 2])
    assert urls(rows) == ["http://a.kr/"]
    assert "cut off" in damage.faults[0]


@pytest.mark.parametrize(
    "template", [SITEMAP % (LOC % "http://ok.kr/" + LOC % "http://a.kr/&m;"), OPML.replace("D", "&m;")]
)
def test_xml_expands_no_entities(tmp_path: Path, template: str) -> None:
    bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{('&' + chr(97 + n) + ';') * 10}'>" for n in range(12)
    )
    rows, _ = read(tmp_path / "bomb.xml", bomb + "]>" + template)
    assert len(rows) == 2
    assert sum(len("".join(row)) for row in rows) < 1_000


@pytest.mark.parametrize("form", ["", "dmoz", "list", "csv"])
def test_an_html_error_page_in_place_of_a_source_is_named(tmp_path: Path, form: str) -> None:
    rows, damage = read(
        tmp_path / "dump.rdf", "<!DOCTYPE html><html><head><title>404 Not\nFound</title></head></html>", form=form
    )
    assert rows == []
    assert "is an HTML page ('404 Not Found')" in damage.faults[0]


def test_empty_binary_and_foreign_files_are_named(tmp_path: Path) -> None:
    for data, said in (
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        (gzip.compress(b""), "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is no text"),
        (b"<svg/>", "of another form"),
    ):
        rows, damage = read(tmp_path / "x", data)
        assert rows == []
        assert said in damage.faults[0]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_compressed_file_that_is_cut_off_keeps_what_came_before(tmp_path: Path, compress) -> None:  # type: ignore[no-untyped-def]
    text = directory(*(entry(f"http://a{n}.kr/", str(hash(str(n)))) for n in range(30_000)))
    data = compress(text.encode())
    rows, damage = read(tmp_path / "dump", data[: len(data) // 2])
    assert 1_000 < len(rows) < 29_000
    assert "cut off" in damage.faults[0]


def test_text_in_another_encoding_is_read_as_it_declares_or_as_is_said(tmp_path: Path) -> None:
    text = directory(entry("http://a.kr/", "한국"))
    declared = text.replace("UTF-8", "EUC-KR").encode("euc-kr")
    assert read(tmp_path / "a", declared)[0][0].title == "한국"
    assert read(tmp_path / "b", text.encode("euc-kr"), encoding="euc-kr")[0][0].title == "한국"
    assert read(tmp_path / "c", text.encode("utf-16"))[0][0].title == "한국"
    wrong, damage = read(tmp_path / "d", text.encode("euc-kr"))
    assert urls(wrong) == ["http://a.kr/"]
    assert damage.mended.total() == 1


def test_unknown_form_and_encoding_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="format='rdf' is unknown; choose one of dmoz"):
        read(tmp_path / "a", "", form="rdf")
    with pytest.raises(ConfigurationError, match="encoding='utf-9'"):
        read(tmp_path / "a", "", encoding="utf-9")
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        list(read_entries([str(tmp_path / "absent")], Damage()))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(set(FORMS) - {"csv"})), st.binary(max_size=200), st.integers(1, 50))
def test_no_reader_raises_for_what_a_file_holds(form: str, data: bytes, size: int) -> None:
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    list(read_form(data, pieces, "-", Damage(), form=form))
