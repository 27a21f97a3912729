"""Pages that would stop a tree builder are made harmless, and stay what they say."""

from __future__ import annotations

import pytest

from crawler_project.page import parse_page
from crawler_project.page.tame import tame

ITEM = '<div class="item"><p>항목 {n}: <b>굵은</b> 글과 <a href="/view/{n}" title="보기">링크 {n}</a></p></div>\n'
HEAD = (
    '<html lang="ko"><head><title>목록</title><base href="/dir/"><meta name="robots" content="nofollow">'
    '<link rel="canonical" href="all"><style>p > a { color: red }</style><script>if (a<b) { x("<a href=/no>") }</script></head><body>'
)


def page_of(items: int) -> str:
    return (
        HEAD + "".join(ITEM.format(n=number) for number in range(items)) + "<!-- <a href='/comment'> --></body></html>"
    )


def test_ordinary_pages_stay_as_they_are() -> None:
    html = page_of(60)
    assert tame(html) is html


@pytest.mark.parametrize("items", [300, 1200])
def test_large_pages_stay_as_they_are(items: int) -> None:
    assert tame(page_of(items)) == page_of(items)


def test_a_page_of_very_many_tags_loses_its_structure_only() -> None:
    html = page_of(1600)
    flat = tame(html)
    assert flat != html
    assert "<div" not in flat
    small, large = (parse_page(page_of(items).encode(), "http://example.kr/") for items in (60, 1600))
    assert (large.title, large.declared_language, large.nofollow) == (small.title, "ko", True)
    assert large.links[: len(small.links)] == small.links
    assert len(large.links) == 1601
    assert large.text.startswith(small.text)


def test_frames_and_pictures_survive() -> None:
    html = (
        "<p>글" * 11_000
        + '<frameset><frame src="/f"></frameset><iframe src="/i"></iframe><a href="/x"><img alt="글"></a>'
    )
    page = parse_page(html.encode(), "http://example.kr/")
    assert [(link.url, link.anchor_text) for link in page.links] == [
        ("http://example.kr/i", ""),
        ("http://example.kr/x", "글"),
    ]


def test_links_beyond_the_allowed_tags_become_text() -> None:
    html = "".join(f"<a href=/{number}>글</a>" for number in range(20_000)) + "<p>끝</p>"
    flat = tame(html)
    assert flat.count("<") <= 20_000
    assert flat.rstrip().endswith("끝")


def test_tags_that_hide_from_a_simple_reader_are_neutralised() -> None:
    html = "<script>x='<p =\"';</script>" + "<p>" * 11_000 + "<div>" * 2000 + '">' + "<div>" * 2000
    assert tame(html).count("<div") == 0


def test_very_long_tags_lose_their_attributes() -> None:
    html = f'<p>{"x" * 50_000}<div data-x="{"y" * 5000}" title=">">글</div><a href="/short">링크</a>'
    assert tame(html) == f'<p>{"x" * 50_000}<div>글</div><a href="/short">링크</a>'


def test_formatting_left_open_is_taken_out() -> None:
    html = "<p>" + "".join(f"<font size={number}>" for number in range(500)) + "글</p>" + "<p>줄</p>" * 400
    assert "<font" not in tame(html)
    assert parse_page(html.encode(), "http://example.kr/").text.startswith("글 줄 줄")


def test_formatting_of_one_kind_is_left_alone() -> None:
    html = '<p><font color="red">글</font></p>' * 900
    assert tame(html) is html or tame(html) == html
