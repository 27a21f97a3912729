"""The prose of a page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.page.parse import parse_page

PROSE = (
    "This page explains at some length how the thing works, and it does so in whole sentences, so that there is prose. "
)


def prose(body: str, max_text: int = 10_000) -> str:
    return parse_page(f"<html><body>{body}</body></html>".encode(), "http://example.org/", max_text=max_text).prose


@pytest.mark.parametrize("tag", ["nav", "header", "footer", "aside", "pre", "button", "textarea"])
def test_menus_and_code_are_no_prose(tag: str) -> None:
    assert prose(f"<{tag}>홈 소개</{tag}><p>{PROSE}</p><{tag}>문의</{tag}>") == PROSE.strip()


def test_list_items_of_one_link_are_no_prose() -> None:
    menu = '<ul><li><a href="/a">홈</a></li><li> <a href="/b"><b>소개</b></a>\n</li></ul>'
    assert prose(f"{menu}<p>{PROSE}</p>") == PROSE.strip()


def test_list_items_with_words_around_a_link_are_prose() -> None:
    assert prose(f'<p>{PROSE}</p><ul><li>read <a href="/a">this</a> first</li></ul>') == f"{PROSE}read this first"


def test_page_of_links_only_has_no_prose_of_its_own() -> None:
    page = parse_page(b'<ul><li><a href="/a">one</a></li><li><a href="/b">two</a></li></ul>', "http://example.org/")
    assert (page.prose, page.text) == ("", "one two")
    assert len(page.links) == 2


def test_short_prose_without_lists_is_kept() -> None:
    assert prose("<nav>메뉴</nav><p>Short.</p>") == "Short."


def test_text_and_links_are_whole_beside_the_prose() -> None:
    page = parse_page(f'<nav><a href="/a">홈</a></nav><p>{PROSE}</p>'.encode(), "http://example.org/")
    assert page.text == f"홈 {PROSE}".strip()
    assert [link.anchor_text for link in page.links] == ["홈"]


def test_prose_is_cut_like_the_text() -> None:
    assert len(prose(f"<p>{PROSE * 9}</p>", max_text=200)) <= 200


def test_plain_text_has_no_prose() -> None:
    assert parse_page(b"a b", "http://example.org/", content_type="text/plain").prose == ""


@given(
    st.lists(
        st.sampled_from(["<li>", "</li>", "<a href=x>", "</a>", "<nav>", "</nav>", "<td>", "<pre>", "text ", "\n"])
    )
)
@settings(max_examples=200, deadline=None)
def test_prose_of_any_nesting_is_part_of_the_text(parts: list[str]) -> None:
    page = parse_page("".join(parts).encode(), "http://example.org/")
    assert set(page.prose.split()) <= set(page.text.split())
