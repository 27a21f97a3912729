"""Recorded pages become a web: links, redirects, languages, anchors, seeds."""

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target
from crawler_project.core.values import Relevance
from crawler_project.simulator.warc_recordings import warc_recordings
from crawler_project.simulator.web_recorder import Recording, WebRecorder

KOREAN = "한국어로 쓰인 글입니다."
TARGET = Target(frozenset({"ko"}), frozenset({"kr"}))


class HangulJudge:
    """Hangul is Korean, anything else English."""

    def judge(self, page):
        return self.judge_anchor(page.text)

    def judge_anchor(self, text, page_language="", tld=""):
        found = any("가" <= character <= "힣" for character in text)
        return Relevance(found, 1.0, "ko" if found else "en")


def html(url, body, **fields):
    return Recording(url, f"<html><body>{body}</body></html>".encode(), "text/html; charset=utf-8", **fields)


def record(*recordings, target=TARGET):
    recorder = WebRecorder(target, HangulJudge(), HangulJudge())
    added = [recorder.add(recording) for recording in recordings]
    return recorder, added


def edges(web):
    return list(zip(web.sources().tolist(), web.targets.tolist(), web.anchors.tolist(), strict=True))


def test_links_between_recorded_pages_are_kept_in_document_order_with_repeats():
    recorder, _ = record(
        html("http://a.kr/", f'{KOREAN}<a href="/x">영어</a><a href="http://b.com/">home</a><a href="x">again</a>'),
        html("http://b.com/", 'hello <a href="http://nowhere.org/">out</a>'),
        html(
            "http://a.kr/x", f'{KOREAN}<a href="#top">not a link to another page</a><a hreflang="ko" href="/">front</a>'
        ),
    )
    web = recorder.build()
    assert edges(web) == [(0, 2, True), (0, 1, False), (0, 2, False), (2, 0, True)]
    assert [web.lang_names[lang] for lang in web.langs] == ["ko", "en", "ko"]
    assert web.tld_is_target.tolist() == [True, False, True]


def test_schemes_are_one_page_and_repeats_are_left_out():
    recorder, added = record(
        html("https://a.kr/", KOREAN), html("http://a.kr/", KOREAN), html("mailto:x", ""), html("http://b.kr/", '<a href="http://a.kr/">가</a>'),
    )  # fmt: skip
    assert added == [True, False, False, True]
    assert len(recorder) == 2
    assert edges(recorder.build()) == [(1, 0, True)]


def test_links_follow_redirects_and_never_go_round_for_ever():
    recorder, added = record(
        html("http://a.kr/", f'{KOREAN}<a href="/old">가</a><a href="/ring1">나</a>'),
        Recording("http://a.kr/old", location="/older"),
        Recording("http://a.kr/older", location="http://b.kr/"),
        Recording("http://a.kr/ring1", location="/ring2"),
        Recording("http://a.kr/ring2", location="/ring1"),
        html("http://b.kr/", KOREAN),
    )
    assert added == [True, False, False, False, False, True]
    assert edges(recorder.build()) == [(0, 1, True)]


def test_label_of_the_collection_comes_before_the_judge():
    recorder, _ = record(
        html("http://a.kr/", KOREAN, language="ja"),
        html("http://b.kr/", KOREAN, language="und"),
        html("http://c.kr/", KOREAN),
    )
    web = recorder.build()
    assert [web.lang_names[lang] for lang in web.langs] == ["ja", "und", "ko"]


def test_seeds_are_the_shortest_target_page_of_each_host_unless_named():
    recorder, _ = record(
        html("http://a.kr/long/one", KOREAN), html("http://a.kr/b", KOREAN), html("http://a.kr/", "english"), html("http://c.com/", "english"),
    )  # fmt: skip
    assert recorder.build().seeds.tolist() == [1]
    assert recorder.build([(1, "http://c.com"), (2, "https://a.kr/b"), (3, "http://c.com/")]).seeds.tolist() == [3, 1]
    with pytest.raises(ConfigurationError, match="seeds row 4"):
        recorder.build([(4, "http://elsewhere.kr/")])


def test_build_says_when_there_is_nothing_to_build():
    with pytest.raises(ConfigurationError, match="no page"):
        record()[0].build()
    with pytest.raises(ConfigurationError, match="name seeds"):
        record(html("http://a.com/", "english"))[0].build()
    with pytest.raises(ConfigurationError, match="2 languages"):
        record(target=Target(frozenset({"ko", "ja"}), frozenset()))


def warc_record(url, status, headers, body):
    http = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n{body}".encode()
    fields = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
    fields += (
        f"WARC-Record-ID: <urn:uuid:{abs(hash(url)):032x}>\r\nContent-Type: application/http; msgtype=response\r\n"
    )
    return f"{fields}Content-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n"


def test_warc_file_gives_pages_and_redirects(tmp_path):
    pytest.importorskip("fastwarc")
    path = tmp_path / "crawl.warc"
    path.write_bytes(
        warc_record("http://a.kr/", "200 OK", "Content-Type: text/html; charset=utf-8", KOREAN)
        + warc_record("http://a.kr/old", "301 Moved", "Location: /", "")
        + warc_record("http://a.kr/gone", "404 Not Found", "Content-Type: text/html", "no")
        + warc_record("http://a.kr/i.png", "200 OK", "Content-Type: image/png", "png")
    )
    assert list(warc_recordings(path)) == [
        Recording("http://a.kr/", KOREAN.encode(), "text/html; charset=utf-8"),
        Recording("http://a.kr/old", location="/"),
    ]
    path.write_bytes(b"\x1f\x8b nonsense")
    with pytest.raises(ConfigurationError, match=r"crawl\.warc cannot be read"):
        list(warc_recordings(path))


def test_warc_file_asks_for_the_library_where_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fastwarc.warc", None)
    with pytest.raises(ConfigurationError, match="pip install fastwarc"):
        list(warc_recordings(tmp_path / "crawl.warc"))
