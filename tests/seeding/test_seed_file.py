from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.seeding.seed_file import parse_seeds, read_seeds

LIST = """\ufeff# Korean seeds
https://a.kr/   # the first
  http://b.kr/x#part\r

\tA.kr
https://a.kr:443/
"""
URLS = ["https://a.kr/", "http://b.kr/x", "http://a.kr/"]


def urls(text: str) -> list[str]:
    return [parts.url for parts in parse_seeds(text).urls]


def test_parse_seeds_reads_addresses_once_without_comments_and_blank_lines() -> None:
    seeds = parse_seeds(LIST)
    assert [parts.url for parts in seeds.urls] == URLS
    assert seeds.urls[1].host == "b.kr"
    assert seeds.bad == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_parse_seeds_reads_lines_of_all_systems(end: str) -> None:
    assert urls(end.join(["a.kr", "#", "b.kr"])) == ["http://a.kr/", "http://b.kr/"]


@pytest.mark.parametrize(
    ("line", "url"),
    [
        ("example.kr", "http://example.kr/"),
        ("example.kr:8080/a", "http://example.kr:8080/a"),
        ("//example.kr/a", "http://example.kr/a"),
        ("한국.한국/길", "http://xn--3e0b707e.xn--3e0b707e/%EA%B8%B8"),
        ("http://example.kr/a#b", "http://example.kr/a"),
        ("http://user:secret@example.kr/", "http://example.kr/"),
        ("HTTPS://EXAMPLE.KR", "https://example.kr/"),
        ("localhost:8080/a", "http://localhost:8080/a"),
        ("http://[::1]:80/", "http://[::1]/"),
    ],
)
def test_parse_seeds_gives_the_canonical_address(line: str, url: str) -> None:
    assert urls(line) == [url]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ftp://example.kr/", "not an http or https address"),
        ("mailto:someone@example.kr", "not an http or https address"),
        ("http://", "not an http or https address"),
        ("two words.kr", "white space inside the address"),
        ("korea", "a host needs a dot"),
        ("/only/a/path", "a host needs a dot"),
        ("http://example.kr/" + "a" * 2000, "longer than 2000 characters"),
    ],
)
def test_parse_seeds_names_the_lines_that_are_no_address(line: str, reason: str) -> None:
    seeds = parse_seeds(f"# list\n{line}\na.kr\n")
    assert seeds.bad == [(2, line[:200], reason)]
    assert [parts.url for parts in seeds.urls] == ["http://a.kr/"]


@given(st.text())
def test_parse_seeds_reads_any_text(text: str) -> None:
    seeds = parse_seeds(text)
    assert all(canonical_url(parts.url) == parts for parts in seeds.urls)
    assert all(line and reason for _, line, reason in seeds.bad)


def test_read_seeds_reads_plain_and_compressed_files(tmp_path: Path) -> None:
    data = LIST.encode()
    (tmp_path / "plain.txt").write_bytes(data)
    (tmp_path / "seeds.gz").write_bytes(gzip.compress(data))
    (tmp_path / "seeds.zst").write_bytes(zstandard.compress(data[:30]) + zstandard.compress(data[30:]))
    (tmp_path / "wide.txt").write_bytes(LIST.encode("utf-16"))
    for name in ("plain.txt", "seeds.gz", "seeds.zst", "wide.txt"):
        assert [parts.url for parts in read_seeds(str(tmp_path / name)).urls] == URLS


@pytest.mark.parametrize(
    "data", [LIST.encode(), gzip.compress(LIST.encode(), mtime=0), zstandard.compress(LIST.encode())]
)
def test_read_seeds_reads_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert [parts.url for parts in read_seeds("-").urls] == URLS


def test_read_seeds_joins_several_lists(tmp_path: Path) -> None:
    ko, ja = tmp_path / "ko.txt", tmp_path / "ja.txt"
    ko.write_text("a.kr\nshared.com\n")
    ja.write_text("no dot\nshared.com\na.jp\n")
    seeds = read_seeds(f"{ko},{ja}")
    assert [parts.url for parts in seeds.urls] == ["http://a.kr/", "http://shared.com/", "http://a.jp/"]
    assert seeds.bad == [(1, f"{ja}: no dot", "white space inside the address")]


def test_read_seeds_reads_a_file_with_a_comma_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "a,b.txt").write_text("a.kr\n")
    assert len(read_seeds(str(tmp_path / "a,b.txt")).urls) == 1


def test_read_seeds_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# nothing here\n")
    (tmp_path / "bad.txt").write_text("# list\nkorea\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (tmp_path / "zeros.bin").write_bytes(b"abc\x00\x01")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(LIST.encode(), mtime=0)[:-9])
    (tmp_path / "cut.zst").write_bytes(zstandard.compress(LIST.encode())[:-9])
    for name, said in [
        ("absent.txt", "does not exist"),
        (".", "cannot be read: Is a directory"),
        ("empty.txt", "has no address; expected one address a line"),
        ("bad.txt", "has no address (line 2: 'korea': a host needs a dot)"),
        ("picture.png", "is no UTF-8 text"),
        ("zeros.bin", "is no text"),
        ("cut.gz", "cannot be read"),
        ("cut.zst", "cannot be read: the file is cut off"),
    ]:
        with pytest.raises(ConfigurationError) as caught:
            read_seeds(str(tmp_path / name))
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)


def test_read_seeds_fetches_nothing_and_says_what_to_do() -> None:
    with pytest.raises(
        ConfigurationError, match=r"'https://a\.kr/sitemap\.xml' is an address, and nothing is fetched here"
    ):
        read_seeds("https://a.kr/sitemap.xml")


def test_read_seeds_names_an_empty_argument() -> None:
    with pytest.raises(ConfigurationError, match="seeds=''"):
        read_seeds("")
