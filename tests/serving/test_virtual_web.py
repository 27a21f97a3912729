from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.serving.virtual_web import NO_SUCH_HOST, NO_SUCH_PAGE, load_virtual_web, make_virtual_web

PAGE = {"url": "https://a.kr/x", "html": "<p>x"}


def write(path: Path, *lines: Any) -> Path:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    data = text.encode("utf-8", "surrogateescape")
    if path.suffix == ".zst":
        data = zstandard.ZstdCompressor().compress(data)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.gz", "pages.jsonl.zst"])
def test_load_virtual_web_reads_plain_and_compressed_files(tmp_path: Path, name: str) -> None:
    web = load_virtual_web(write(tmp_path / name, PAGE))
    assert web.find("a.kr", "/x").body == b"<p>x"
    assert (len(web), web.hosts, web.bad_lines) == (1, {"a.kr"}, [])


def test_find_puts_addresses_into_canonical_form() -> None:
    web = make_virtual_web([{"url": "https://A.kr/a/../ㄱ?q=ㄴ#part", "html": "yes"}])
    for target in ("/%E3%84%B1?q=%E3%84%B4", "/ㄱ?q=ㄴ", "/b/../%E3%84%B1?q=%E3%84%B4"):
        assert web.find("A.KR", target).body == b"yes"
    assert web.find("a.kr:80", "/%E3%84%B1?q=%E3%84%B4").body == b"yes"


def test_find_tells_queries_apart() -> None:
    web = make_virtual_web([{**PAGE, "url": "http://a.kr/?a=1&b=2"}])
    assert web.find("a.kr", "/?a=1&b=2").status == 200
    assert web.find("a.kr", "/?b=2&a=1") is NO_SUCH_PAGE
    assert web.find("a.kr", "/") is NO_SUCH_PAGE


def test_find_tells_hosts_and_ports_apart() -> None:
    web = make_virtual_web([PAGE, {"url": "http://a.kr:8080/x", "html": "other"}])
    assert web.find("a.kr:8080", "/x").body == b"other"
    assert web.find("a.kr", "/x").body == b"<p>x"


def test_find_tells_an_unknown_host_from_an_unknown_page() -> None:
    web = make_virtual_web([PAGE])
    assert web.find("a.kr", "/y") is NO_SUCH_PAGE
    assert web.find("b.kr", "/x") is NO_SUCH_HOST
    assert web.find("a.kr", "/robots.txt") is NO_SUCH_PAGE
    assert (NO_SUCH_PAGE.status, NO_SUCH_HOST.status) == (404, 421)


@pytest.mark.parametrize(("host", "target"), [("", "/"), ("a b", "/"), ("a.kr", "*"), ("a.kr", "\x00"), ("[", "/")])
def test_find_answers_odd_requests(host: str, target: str) -> None:
    assert make_virtual_web([PAGE]).find(host, target).status in (404, 421)


def test_find_accepts_a_whole_url_as_proxies_get_it() -> None:
    assert make_virtual_web([PAGE]).find("proxy", "http://a.kr/x").status == 200


def test_record_keeps_status_headers_and_location() -> None:
    web = make_virtual_web(
        [
            {"url": "http://a.kr/old", "location": "/new", "status": 301},
            {"url": "http://a.kr/busy", "status": 503, "headers": {"Retry-After": "5", "Content-Type": "text/x"}},
            {"url": "http://a.kr/moved", "location": "https://b.kr/"},
        ]
    )
    assert web.find("a.kr", "/old").status == 301
    assert ("Location", "/new") in web.find("a.kr", "/old").headers
    assert web.find("a.kr", "/busy").status == 503
    assert dict(web.find("a.kr", "/busy").headers) == {"Retry-After": "5", "Content-Type": "text/x"}
    assert web.find("a.kr", "/moved").status == 302


def test_record_loses_headers_about_the_recorded_transfer() -> None:
    headers = [("Content-Length", "7"), ("content-encoding", "gzip"), ("Transfer-Encoding", "chunked"), ("X-A", "1")]
    web = make_virtual_web([{**PAGE, "headers": headers}])
    assert web.find("a.kr", "/x").headers == (("X-A", "1"), ("Content-Type", "text/html; charset=utf-8"))


def test_redirect_to_the_other_scheme_is_left_out_because_schemes_are_one_here() -> None:
    redirect = {"url": "http://a.kr/x", "status": 301, "location": "https://a.kr/x"}
    for records in ([PAGE, redirect], [redirect, PAGE]):
        assert make_virtual_web(records).find("a.kr", "/x").status == 200


def test_load_virtual_web_names_bad_lines_and_serves_the_others(tmp_path: Path) -> None:
    lines = [
        PAGE,
        "{not json",
        "[1]",
        {"html": "x"},
        {"url": "mailto:x", "html": "x"},
        {"url": "http://a.kr/"},
        {"url": "http://a.kr/", "html": 3},
        {"url": "http://a.kr/", "html": "x", "charset": "klingon"},
        {"url": "http://a.kr/", "html": "x", "status": 99},
        {"url": "http://a.kr/", "html": "x", "status": True},
        {"url": "http://a.kr/", "html": "x", "headers": {"X": "a\r\nb"}},
        {"url": "http://a.kr/", "html": "x", "headers": 5},
        {"url": "http://a.kr/", "location": "a\nb"},
        "\udcff\udcfe",
        "[" * 100_000,
        "",
        {"url": "http://a.kr/last", "html": "x"},
    ]
    web = load_virtual_web(write(tmp_path / "pages.jsonl", *lines))
    assert len(web) == 2
    assert [bad.number for bad in web.bad_lines] == list(range(2, 16))
    assert web.bad_lines[4].reason == "html is no text: None"
    assert web.bad_lines[6].reason == "charset is not known: 'klingon'"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_load_virtual_web_serves_what_comes_before_the_damage(tmp_path: Path, suffix: str) -> None:
    pages = [{"url": f"http://a.kr/{n}", "html": f"{n * 7919 % 9973:x}" * 300} for n in range(3000)]
    path = write(tmp_path / f"pages.jsonl{suffix}", *pages)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 9 // 10])
    web = load_virtual_web(path)
    assert 0 < len(web) < 3000
    assert web.bad_lines[-1].number in (len(web) + 1, len(web) + 2)


def test_load_virtual_web_refuses_a_file_without_pages(tmp_path: Path) -> None:
    (tmp_path / "broken.zst").write_bytes(b"\x28\xb5\x2f\xfd broken")
    (tmp_path / "plain.gz").write_bytes(b"no gzip")
    for name, said in [
        ("absent.jsonl", "No such file"),
        (".", "cannot be read"),
        ("broken.zst", "cannot be read"),
        ("plain.gz", "cannot be read"),
    ]:
        with pytest.raises(ConfigurationError, match=said) as caught:
            load_virtual_web(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(ConfigurationError, match="it is empty"):
        load_virtual_web(write(tmp_path / "empty.jsonl"))
    with pytest.raises(ConfigurationError, match=r"line 1: url is no http\(s\) address: None"):
        load_virtual_web(write(tmp_path / "other.jsonl", {"a": 1}))
