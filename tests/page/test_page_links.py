"""Links of a page, with what the page says about each."""

from __future__ import annotations

import pytest

from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Link
from crawler_project.page import parse_page
from crawler_project.page.links import MAX_ANCHOR

URL = "http://www.example.kr/news/today.html"


def links(html: str, url: str = URL, **headers: str) -> tuple[Link, ...]:
    return parse_page(html.encode(), url, headers=headers).links


def urls(html: str, url: str = URL) -> list[str]:
    return [link.url for link in links(html, url)]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("weather.html", "http://www.example.kr/news/weather.html"),
        ("/sports", "http://www.example.kr/sports"),
        ("../", "http://www.example.kr/"),
        ("?page=2", "http://www.example.kr/news/today.html?page=2"),
        ("//m.example.kr/", "http://m.example.kr/"),
        ("HTTP://Example.COM:80/a#b", "http://example.com/a"),
        ("  spaced.html\n", "http://www.example.kr/news/spaced.html"),
        ("view.php?a=1&amp;b=2", "http://www.example.kr/news/view.php?a=1&b=2"),
        ("http://한국.kr/길", "http://xn--3e0b707e.kr/%EA%B8%B8"),
        ("two\nlines.html", "http://www.example.kr/news/twolines.html"),
    ],
)
def test_link_is_resolved_to_a_canonical_url(href: str, url: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [url]


@pytest.mark.parametrize(
    "href",
    ["", "#top", "today.html", "today.html#part", URL, "mailto:a@example.kr", "javascript:void(0)", "tel:119", "data:,x",
     "ftp://example.kr/", "http://[", "http://", "about:blank", "http://example.kr:99999/", "x" * 3000],
)  # fmt: skip
def test_what_cannot_be_requested_or_is_the_page_itself_is_no_link(href: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == []


def test_links_of_all_kinds_come_in_document_order_with_repeats() -> None:
    html = """<html><head><link rel="canonical" href="/c"><link rel="alternate" hreflang="ja" href="/ja">
    <meta http-equiv="refresh" content="9; url=/r"></head><body><a href="/1">one</a><iframe src="/f" title="frame"></iframe>
    <map><area href="/m" alt="map"></map><a href="/1">again</a></body></html>"""
    assert [(link.kind, link.url.removeprefix("http://www.example.kr"), link.anchor_text) for link in links(html)] == [
        ("canonical", "/c", ""),
        ("alternate", "/ja", ""),
        ("refresh", "/r", ""),
        ("a", "/1", "one"),
        ("frame", "/f", "frame"),
        ("area", "/m", "map"),
        ("a", "/1", "again"),
    ]


def test_frames_of_a_frameset_are_links() -> None:
    html = '<html><frameset cols="20%,*"><frame src="menu.htm" title="메뉴"><frame src="main.htm"></frameset></html>'
    assert [(link.kind, link.url, link.anchor_text) for link in links(html)] == [
        ("frame", "http://www.example.kr/news/menu.htm", "메뉴"),
        ("frame", "http://www.example.kr/news/main.htm", ""),
    ]


@pytest.mark.parametrize(
    ("inside", "attributes", "text"),
    [
        ("오늘의  \n 날씨", "", "오늘의 날씨"),
        ("<b>서울</b>의 <i>날씨</i>", "", "서울의 날씨"),
        ("<div>제목</div><div>요약</div>", "", "제목 요약"),
        ("<img alt='약도'>", "title='t' aria-label='l'", "약도"),
        ("<span><img src=a><img alt=' 약도 '></span>", "", "약도"),
        ("<img>", "title='새 창' aria-label='l'", "새 창"),
        ("", "aria-label='검색'", "검색"),
        ("글<img alt='그림'>", "", "글"),
        ("<script>x</script><style>y</style>", "", ""),
        ("<svg><title>icon</title></svg>", "", ""),
        ("5<!-- -->개", "", "5개"),
    ],
)
def test_anchor_text_is_what_a_reader_sees_or_hears(inside: str, attributes: str, text: str) -> None:
    (link,) = links(f'<div>앞<a href="/x" {attributes}>{inside}</a>뒤</div>')
    assert link.anchor_text == text


def test_anchor_text_is_cut() -> None:
    (link,) = links(f'<a href="/x">{"긴 글 " * 1000}')
    assert link.anchor_text == ("긴 글 " * 1000)[:MAX_ANCHOR].rstrip()


def test_anchor_texts_of_nested_links_do_not_add_up() -> None:
    found = links("<a href='/x'><object>" * 700 + "글" * 30_000)
    assert len(found) == 700
    assert found[0].anchor_text == "글" * MAX_ANCHOR
    assert found[-1].anchor_text == ""


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ('<a href="/x" hreflang="zh-Hant">x</a>', "zh"),
        ('<a href="/x" hreflang="KR">x</a>', "kr"),
        ('<a href="/x">x</a>', ""),
        ('<area href="/x" hreflang="th">', "th"),
        ('<link rel="ALTERNATE" hreflang="ko-KR" href="/x">', "ko"),
        ('<link rel="alternate" hreflang="x-default" href="/x">', ""),
    ],
)
def test_hreflang_declares_the_language_of_a_link(tag: str, language: str) -> None:
    (link,) = links(tag)
    assert link.declared_language == language


@pytest.mark.parametrize(
    "tag",
    [
        '<link rel="alternate" type="application/rss+xml" href="/feed">',
        '<link rel="alternate stylesheet" hreflang="ko" href="/s.css">',
        '<link rel="stylesheet" href="/s.css">',
        '<link rel="icon" href="/favicon.ico">',
        '<a name="here">x</a>',
        "<iframe></iframe>",
        "<noscript><a href='/x'>x</a></noscript>",
        "<template><a href='/x'>x</a></template>",
        "<script>'<a href=/x>'</script>",
        "<!-- <a href='/x'>x</a> -->",
        "<textarea><a href='/x'>x</a></textarea>",
    ],
)
def test_what_leads_nowhere_is_no_link(tag: str) -> None:
    assert links(tag) == ()


@pytest.mark.parametrize(
    ("rel", "nofollow"),
    [("nofollow", True), ("external NOFOLLOW ugc", True), ("ugc", False), ("nofollowing", False), ("", False)],
)
def test_rel_nofollow_is_kept(rel: str, nofollow: bool) -> None:
    (link,) = links(f'<a href="/x" rel="{rel}">x</a>')
    assert link.nofollow is nofollow


def test_base_holds_for_all_links_also_before_it() -> None:
    html = '<a href="a">a</a><base target="_top"><base href="/dir/"><base href="/other/"><a href="b">b</a>'
    assert urls(html) == ["http://www.example.kr/dir/a", "http://www.example.kr/dir/b"]


@pytest.mark.parametrize("base", ["http://[", "javascript:x", "mailto:a@b", "  "])
def test_base_that_is_no_url_is_left_out(base: str) -> None:
    assert urls(f'<base href="{base}"><a href="a">a</a>') == ["http://www.example.kr/news/a"]


@pytest.mark.parametrize(
    "base",
    [
        "http://h.kr",
        "http://h.kr/",
        "http://h.kr/a",
        "http://h.kr/a/b/",
        "https://h.kr:8080/a/b?q=/x/y",
        "http://h.kr/?a=http://x/y",
    ],
)
@pytest.mark.parametrize(
    "target",
    ["x", "./x", "../x", "../../../x", "x/", ".", "..", "/x", "/", "//o.kr/x", "?y=1", "x?y=/z", "x#f", "/a//b", "a:b/c", "x y",
     "\\x", "\\\\o.kr\\x", "http://o.kr", "HTTPS://O.kr/x", "%2e%2e/x", "글/책?값=1", "a;b", "x@y", "::", "1:2"],
)  # fmt: skip
def test_relative_links_are_resolved_as_by_the_url_standard(base: str, target: str) -> None:
    parts = canonical_url(target, base)
    expected = [] if parts is None else [parts.url]
    assert urls(f'<base href="{base}"><a href="{target}">x</a>', "http://else.kr/") == expected


def test_links_of_a_header_come_first() -> None:
    found = links("<a href='/a'>a</a>", link='</c>; rel="canonical", </ko>; rel=alternate; hreflang=ko, </n>; rel=next')
    assert [(link.kind, link.url[21:], link.declared_language) for link in found] == [
        ("canonical", "/c", ""),
        ("alternate", "/ko", "ko"),
        ("a", "/a", ""),
    ]


def test_links_of_pictures_have_their_own_attribute() -> None:
    assert urls('<svg><a xlink:href="/map">x</a></svg>') == ["http://www.example.kr/map"]


@pytest.mark.parametrize("url", ["", "not a url", "http://[", "\ud800", "file:///a"])
def test_absolute_links_are_found_whatever_the_address_of_the_page(url: str) -> None:
    assert urls('<a href="http://example.com/">x</a><a href="relative">y</a>', url) == ["http://example.com/"]


def test_number_of_links_is_limited() -> None:
    page = parse_page(b"".join(b'<a href="/%d">x</a>' % number for number in range(100)), URL, max_links=7)
    assert [link.url[22:] for link in page.links] == list("0123456")
