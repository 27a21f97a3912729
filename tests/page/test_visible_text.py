"""The visible text of a page, with gaps where a reader sees gaps."""

from __future__ import annotations

import pytest

from crawler_project.page import parse_page

URL = "http://example.kr/"


def text(html: str) -> str:
    return parse_page(html.encode(), URL).text


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<p>그 <b>서울</b>은 <a href=x>부산</a>보다 크다.</p>", "그 서울은 부산보다 크다."),
        ("첫째<br>둘째<br/>셋째", "첫째 둘째 셋째"),
        ("<ul><li>하나<li>둘</ul>", "하나 둘"),
        ("<table><tr><td>가</td><td>나</td></tr><tr><td>다</table>", "가 나 다"),
        ("<div>앞</div>가운데<div>뒤</div>", "앞 가운데 뒤"),
        ("<h1>제목</h1><p>본문", "제목 본문"),
        ("<a href=1>홈</a><a href=2>소개</a>", "홈 소개"),
        ("값<sup>2</sup>은 <em><strong>넷</strong></em>", "값2은 넷"),
        ("댓글 5<!-- -->개", "댓글 5개"),
        ("넓은&nbsp;&nbsp;\u3000 \t\n칸", "넓은 칸"),
        ("&lt;b&gt; &amp;amp; &#44032;", "<b> &amp; 가"),
        ("&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"),
    ],
)
def test_text_has_gaps_where_a_reader_sees_them(html: str, seen: str) -> None:
    assert text(html) == seen


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>hidden</script>",
        "<style>hidden{}</style>",
        "<noscript>hidden</noscript>",
        "<template>hidden</template>",
        "<!-- hidden -->",
        "<iframe src=x>hidden</iframe>",
        "<select><option>hidden</select>",
        "<datalist><option>hidden</datalist>",
        "<video>hidden</video>",
        "<svg><title>hidden</title><desc>hidden</desc></svg>",
        "<img alt=hidden title=hidden>",
        "<input value=hidden placeholder=hidden>",
        "<noframes>hidden</noframes>",
        "<script><!--<script>hidden</script>--></script>",
    ],
)
def test_text_leaves_out_what_is_not_shown(hidden: str) -> None:
    assert text(f"<body><p>보이는{hidden} 글</p>") == "보이는 글"


def test_text_leaves_out_the_head() -> None:
    page = parse_page("<head><title> 우리 \n 동네 </title><meta name=description content=x></head>본문".encode(), URL)
    assert (page.title, page.text) == ("우리 동네", "본문")


def test_title_is_the_first_one_that_is_not_a_pictures() -> None:
    html = "<svg><title>icon</title></svg><title>제목</title><title>second</title>"
    assert parse_page(html.encode(), URL).title == "제목"


@pytest.mark.parametrize("most", [0, 1, 2, 5, 100])
def test_text_is_cut_at_the_most(most: int) -> None:
    page = parse_page("<p>가 나 다 라</p>".encode(), URL, max_text=most)
    assert page.text == "가 나 다 라"[:most].rstrip()


def test_text_is_filled_up_after_much_white_space() -> None:
    page = parse_page(("<p> " + " \n" * 5000 + "가</p>").encode() * 3, URL, max_text=5)
    assert page.text == "가 가 가"


def test_plain_text_is_text_and_nothing_else() -> None:
    page = parse_page("<a href='/x'>가</a>\0 나".encode(), URL, content_type="text/plain; charset=utf-8")
    assert (page.text, page.title, page.links) == ("<a href='/x'>가</a> 나", "", ())


@pytest.mark.parametrize(
    "kind", ["", "text/html", "application/xhtml+xml", "text/xml", "unknown", "TEXT/HTML;charset=x"]
)
def test_other_types_are_read_as_html(kind: str) -> None:
    assert parse_page("<p>가</p>".encode(), URL, content_type=kind).text == "가"


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "TEXT/CSS", "application/ld+json", "text/markdown"])
def test_types_without_markup_are_not(kind: str) -> None:
    assert parse_page("<p>가</p>".encode(), URL, content_type=kind).text == "<p>가</p>"
