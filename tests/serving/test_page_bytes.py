from __future__ import annotations

import pytest

from crawler_project.serving.page_bytes import content_type, encode_html


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8", "한국어 ไทย"),
        ("euc-kr", "한국어"),
        ("EUC-JP", "日本語"),
        ("iso-2022-jp", "日本語"),
        ("tis-620", "ภาษาไทย"),
        ("gb2312", "中文"),
        ("big5", "中文"),
        ("utf-16", "한국어"),
    ],
)
def test_encode_html_gives_bytes_that_the_charset_decodes(charset: str, text: str) -> None:
    assert encode_html(text, charset).decode(charset) == text


def test_encode_html_takes_the_larger_charset_of_browsers_for_what_the_declared_one_lacks() -> None:
    assert encode_html("“a”", "iso-8859-1") == b"\x93a\x94"
    assert encode_html("囧", "gb2312") == "囧".encode("gbk")


def test_encode_html_writes_numeric_references_for_what_no_charset_has() -> None:
    assert encode_html("가", "iso-8859-1") == b"&#44032;"
    assert encode_html("\ud800", "utf-8") == b"&#55296;"


@pytest.mark.parametrize("charset", ["klingon", "hex", "a\0b", ""])
def test_encode_html_names_the_charset_when_it_is_not_known(charset: str) -> None:
    with pytest.raises(ValueError, match="charset is not known"):
        encode_html("a", charset)


def test_content_type_names_the_charset_only_where_the_page_does_not() -> None:
    declared = b'<html><head><META http-equiv="Content-Type" content="text/html; charset=EUC-KR">'
    assert content_type("http://a.kr/", declared, "euc-kr") == "text/html"
    assert content_type("http://a.kr/", b"\xef\xbb\xbf<html>", "utf-8") == "text/html"
    assert content_type("http://a.kr/", b"<html>", "euc-kr") == "text/html; charset=euc-kr"


def test_content_type_of_robots_txt_is_plain_text() -> None:
    assert content_type("http://a.kr/robots.txt", b"User-agent: *", "utf-8") == "text/plain; charset=utf-8"
