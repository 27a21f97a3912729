"""One response body in, one page out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.urls import canonical_url
from crawler_project.page import parse_page

URL = "http://www.maeul.example.kr/board/list.php?page=3"

BOARD = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML LANG="ko"><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=euc-kr">
<TITLE>마을 게시판 :: 자유 이야기</TITLE><LINK REL="stylesheet" HREF="/style.css"></HEAD>
<BODY BGCOLOR="#FFFFFF"><CENTER><TABLE BORDER=0 WIDTH=700><TR>
<TD><A HREF="/"><IMG SRC="/img/logo.gif" ALT="마을 첫 화면" BORDER=0></A></TD>
<TD><A HREF="/board/list.php?id=free">자유 이야기</A> | <A HREF="/board/list.php?id=market">나눔 장터</A></TD></TR></TABLE>
<TABLE><TR><TD>번호</TD><TD>제목</TD><TD>글쓴이</TD></TR>
<TR><TD>812</TD><TD><A HREF="view.php?id=free&no=812">뒷산 약수터 물맛이 돌아왔어요</A> <FONT COLOR=red>[4]</FONT></TD><TD>느티나무</TD></TR>
<TR><TD>811</TD><TD><A HREF="view.php?id=free&no=811">토요일 김장 같이 하실 분</A></TD><TD>옹달샘</TD></TR></TABLE>
<P>게시판을 쓰시려면 먼저 <B>이웃 등록</B>을 해 주세요.<BR>광고는 지웁니다.
<A HREF="list.php?page=4">다음</A></CENTER></BODY></HTML>"""


@pytest.mark.parametrize(
    ("content_type", "source"),
    [
        ("", "meta"),
        ("text/html; charset=euc-kr", "header"),
        ("text/html; charset=utf-8", "meta"),
        ("text/html;charset=iso-8859-1", "meta"),
    ],
)
def test_a_korean_board_in_euc_kr_is_read_whatever_the_header_says(content_type: str, source: str) -> None:
    page = parse_page(BOARD.encode("euc_kr"), URL, content_type=content_type)
    assert (page.charset, page.charset_source, page.declared_language) == ("euc-kr", source, "ko")
    assert page.title == "마을 게시판 :: 자유 이야기"
    assert "게시판을 쓰시려면 먼저 이웃 등록을 해 주세요. 광고는 지웁니다. 다음" in page.text
    assert [(link.url.removeprefix("http://www.maeul.example.kr"), link.anchor_text) for link in page.links] == [
        ("/", "마을 첫 화면"),
        ("/board/list.php?id=free", "자유 이야기"),
        ("/board/list.php?id=market", "나눔 장터"),
        ("/board/view.php?id=free&no=812", "뒷산 약수터 물맛이 돌아왔어요"),
        ("/board/view.php?id=free&no=811", "토요일 김장 같이 하실 분"),
        ("/board/list.php?page=4", "다음"),
    ]


def test_a_page_says_where_it_is_from_and_how_large() -> None:
    body = BOARD.encode("euc_kr")
    page = parse_page(body, URL)
    assert (page.url, page.size) == (URL, len(body))
    assert page.digest == xxhash.xxh3_128_hexdigest(page.text.encode())


def test_digest_is_of_the_visible_text() -> None:
    pages = [parse_page(body, URL) for body in (b"<p>a b", b"<title>t</title><div>a\n b", b"<p>a c")]
    assert pages[0].digest == pages[1].digest != pages[2].digest


@pytest.mark.parametrize(
    ("html", "header", "language"),
    [
        ('<html lang="KO-kr">', "ja", "ko"),
        ('<html lang="" xml:lang="zh-Hans">', "ja", "zh"),
        ('<html xml:lang="th">', "", "th"),
        ('<meta http-equiv="Content-Language" content="vi, en">', "ja", "vi"),
        ('<html lang="ko"><meta http-equiv="content-language" content="en">', "", "ko"),
        ("<p>", "JA, en", "ja"),
        ("<p>", "", ""),
        ('<html lang="kr">', "", "kr"),
        ('<html lang="x-default">', "", ""),
    ],
)
def test_declared_language_is_of_the_page_before_the_header(html: str, header: str, language: str) -> None:
    headers = {"content-language": header} if header else None
    assert parse_page(html.encode(), URL, headers=headers).declared_language == language


@pytest.mark.parametrize(
    ("html", "header", "noindex", "nofollow"),
    [
        ('<meta name="robots" content="noindex">', "", True, False),
        ('<META NAME="Robots" CONTENT="NONE">', "", True, True),
        ('<meta name="robots" content="noindex"><meta name="robots" content="nofollow">', "", True, True),
        ("<body><meta name='robots' content='nofollow'>", "", False, True),
        ("<p>", "nofollow", False, True),
        ('<meta name="robots" content="noindex">', "nofollow", True, True),
        ('<meta name="description" content="noindex">', "", False, False),
        ("<!-- <meta name='robots' content='none'> -->", "otherbot: none", False, False),
    ],
)
def test_robots_directives_of_page_and_header_are_joined(html: str, header: str, noindex: bool, nofollow: bool) -> None:
    page = parse_page(html.encode(), URL, headers={"x-robots-tag": header})
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


def test_robots_header_holds_for_plain_text() -> None:
    page = parse_page(b"a", URL, content_type="text/plain", headers={"x-robots-tag": "none", "content-language": "ko"})
    assert (page.noindex, page.nofollow, page.declared_language) == (True, True, "ko")


@pytest.mark.parametrize(
    "body", [b"", b"\0", b"\xff\xfe", b"<", b"</", b"<!", b"<html", b"\xef\xbb\xbf", b"<frameset>", b"<plaintext>"]
)
def test_a_body_of_nothing_gives_an_empty_page(body: bytes) -> None:
    page = parse_page(body, URL)
    assert (page.title, page.links) == ("", ())


PIECES = st.sampled_from(
    ["<a href=/x>", "</a>", "<p>", "<b id=1>", "</b>", "<table>", "<td>", "<li>", "<nav>", "</nav>", "<svg>", "<script>", "</script>",
     "<!--", "-->", "<base href=/b/>", "<meta name=robots content=none>", "<title>", "</title>", "<select>", "<form>", "<template>",
     "글", "\0", "&amp;", "&#0;", '"', "<", ">", " ", "<img alt=a>", "<iframe src=y>", "<frameset>", "<html lang=ko>", "</body>"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["utf-8", "euc_kr", "utf-16", "iso2022_jp"]))
def test_any_markup_gives_a_page_of_canonical_links_and_squeezed_text(html: str, charset: str) -> None:
    page = parse_page(html.encode(charset, "replace"), URL)
    assert page.text == " ".join(page.text.split())
    assert page.prose == " ".join(page.prose.split())
    for link in page.links:
        parts = canonical_url(link.url)
        assert parts is not None
        assert parts.url == link.url != URL
        assert link.anchor_text == " ".join(link.anchor_text.split())


@given(
    st.binary(max_size=400),
    st.text(max_size=40),
    st.text(max_size=40),
    st.dictionaries(st.sampled_from(["link", "x-robots-tag", "content-language"]), st.text()),
)
def test_parse_page_never_raises(body: bytes, url: str, content_type: str, headers: dict[str, str]) -> None:
    page = parse_page(body, url, content_type=content_type, headers=headers)
    assert len(page.text) <= 10_000


HOSTILE = {
    "10,000 deep": "<div>" * 10_000 + "글",
    "a million deep": "<div>" * 1_000_000 + "글",
    "unclosed formatting": "<p>" + "".join(f"<b id={number}>" for number in range(2000)) + "</p>" + "<p>x</p>" * 2000,
    "a million attributes": "<a " + " ".join(f"a{number}=1" for number in range(1_000_000)) + " href=/x>글</a>",
    "attributes with brackets": "<a " + " ".join(f'a{number}=">"' for number in range(100_000)) + " href=/x>글</a>",
    "attributes that begin with =": '<a ==">' + " ".join(f"a{number}" for number in range(200_000)) + ">글</a>",
    "long attributes copied": "<p><b title=" + "x" * 40_000 + "></p>" + "<p>x</p>" * 20_000,
    "unclosed quotes": '<a href="' * 300_000,
    "nothing but <": "<" * 2_000_000,
    "open comments": "<!--" * 500_000,
    "open scripts": "<script>" * 250_000,
    "end tags": "</div>" * 400_000,
    "end tags far down": "<div>" * 5000 + "</p>" * 300_000,
    "links in links": "<a href=/x><object>" * 5000 + "글" * 100_000,
    "100,000 links": "".join(f'<a href="../{number}">글</a>' for number in range(100_000)),
    "a link of many steps": ("<a href='" + "../" * 600 + "x'>y</a>") * 500,
    "white space": " \n" * 1_000_000,
    "references": "&nbsp;" * 400_000,
    "tables": "<table><tr><td>" * 60_000,
    "menus in menus": "<nav><ul><li><a href=1>" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_takes_longer_than_a_second(name: str, within: Callable[..., Any]) -> None:
    body = HOSTILE[name].encode()
    page = within(1, lambda: parse_page(body, URL))
    assert page.size == len(body)
