"""Content blocks (CBP, Algorithm 1) and link contexts, rule by rule, and what holds for every page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Block
from crawler_project.page import Cut, cut_html, parse_page

EXAMPLE = (
    "<h1>News</h1><ul><li><a href=/a>Alpha</a> one</li><li><a href=/b>Beta</a> two</li></ul>"
    "<ul><li><a href=/c>Gamma</a></li></ul>"
)


def texts(html: str, **parameters: object) -> list[str]:
    return [block.text for block in cut_html(html, Cut(**parameters)).blocks]


def contexts(html: str) -> dict[str, str]:
    return {link.url: link.context for block in cut_html(html).blocks for link in block.links}


def test_blocks_of_the_example() -> None:
    partition = cut_html(EXAMPLE)
    assert (partition.root_height, partition.s) == (1, 0.5)
    assert texts(EXAMPLE) == ["News", "Alpha one Beta two", "Gamma"]
    assert contexts(EXAMPLE) == {"/a": "Alpha one", "/b": "Beta two", "/c": "Gamma"}


def test_height_counts_block_tags_only_and_not_the_node_itself() -> None:
    assert cut_html("<div><p>x</p></div>").root_height == 1
    assert cut_html("<table><tr><td><p>x</p></td></tr></table>").root_height == 4
    assert cut_html("<div><div><span>x</span></div></div>").root_height == 0


def test_node_of_height_0_is_never_split() -> None:
    assert texts("<div><a href=/x>x</a></div><div>y</div>") == ["x y"]


def test_node_is_split_where_a_sub_tree_of_a_child_has_links() -> None:
    assert texts("<div><p><a href=/x>x</a></p></div><p>y</p>") == ["x", "y"]
    assert texts("<div><p>x</p></div><p>y</p>") == ["x y"]


def test_child_that_is_a_link_counts_itself() -> None:
    assert texts("<p>y</p><a href=/x>x</a>") == ["y", "x"]


def test_k_asks_for_links_in_one_child() -> None:
    page = "<p><a href=/x>x</a></p><p><a href=/y>y</a></p>"
    assert texts(page, k=2) == ["x y"]
    assert texts(page.replace("</p>", "<a href=/z>z</a></p>", 1), k=2) == ["x z", "y"]


def test_alpha_sets_the_grain_for_the_whole_page() -> None:
    page = "<table><tr><td><a href=/x>x</a></td><td>y</td></tr></table><p>z</p>"
    assert texts(page, alpha=1.0) == ["x y", "z"]
    assert texts(page, alpha=0.3) == ["x", "y", "z"]


def test_texts_and_inline_children_of_a_split_node_are_blocks() -> None:
    assert texts("before<p><a href=/x>x</a></p>between <b>bold</b> after") == [
        "before",
        "x",
        "between",
        "bold",
        "after",
    ]


def test_scripts_comments_and_templates_are_no_nodes() -> None:
    page = "<p>x<script>s</script><style>t</style><!-- c --></p><noscript><a href=/n>n</a></noscript><template><p>u</template>"
    assert texts(page) == ["x"]
    assert contexts(page) == {}


def test_alternative_text_is_text_and_white_space_alone_is_no_block() -> None:
    assert texts('<p><a href=/x><img alt="A  picture"></a></p> \n <p> </p><p><a href=/y></a></p>') == ["A picture", ""]
    assert contexts('<p><a href=/x><img alt="A  picture"></a> here</p>') == {"/x": "A picture here"}


def test_context_is_the_text_below_the_parent_of_the_link_however_deep_its_own_text() -> None:
    page = "<ul><li>one <b>two <a href=/x><i><u>x</u></i></a> three</b> four</li></ul>"
    assert contexts(page) == {"/x": "two x three"}


def test_contexts_of_one_address_are_joined_in_order_and_equal_ones_once() -> None:
    page = "<p>one <a href=/x>x</a></p><p>two <a href=/x>x</a></p><p>one <a href=/x>x</a></p>"
    assert contexts(page) == {"/x": "one x two x"}


def test_words_are_not_torn_by_inline_tags_and_links_side_by_side_are_apart() -> None:
    assert texts("<p><b>서울</b>은 <a href=/a>a</a><a href=/b>b</a>은</p>") == ["서울은 a b은"]


def test_link_around_a_table_of_links_is_kept_with_its_first_block() -> None:
    page = "<a href=/x>out<table><tr><td><a href=/y>y</a></td></tr></table></a><p>z"
    blocks = cut_html(page).blocks
    assert [(block.text, [link.url for link in block.links]) for block in blocks] == [
        ("out", ["/x"]),
        ("y", ["/y"]),
        ("z", []),
    ]
    assert contexts(page)["/x"] == "out y z"


def test_html5_tags_part_pages_made_of_divs() -> None:
    page = "<div><section><a href=/x>x</a></section></div><div>y</div>"
    assert texts(page) == ["x y"]
    assert texts(page, tags="html5") == ["x", "y"]


@pytest.mark.parametrize(
    "parameters", [{"alpha": 0}, {"alpha": 1.01}, {"alpha": float("nan")}, {"k": 0}, {"tags": "html4"}]
)
def test_cut_says_what_is_allowed(parameters: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="allowed"):
        cut_html("", Cut(**parameters))


def test_parsed_page_has_blocks_with_urls_only_when_asked() -> None:
    body = b"<base href=/d/><p>x <a href=y>y</a> <a href=mailto:z>z</a></p><p>w <a href=/d/y#f>v</a></p>"
    assert parse_page(body, "http://a.example/").blocks == ()
    blocks = parse_page(body, "http://a.example/", cut=Cut()).blocks
    assert [[(link.url, link.context) for link in block.links] for block in blocks] == [
        [("http://a.example/d/y", "x y z w v")],
        [("http://a.example/d/y", "x y z w v")],
    ]


def test_plain_text_is_one_block() -> None:
    assert parse_page(b"a\n b", "http://a.example/", content_type="text/plain", cut=Cut()).blocks == (("a b", ()),)


def letters(blocks: Iterable[Block]) -> str:
    return "".join("".join(block.text.split()) for block in blocks)


TAGS = ("p", "ul", "li", "table", "tr", "td", "div", "h1", "center", "b", "span", "section", "dt", "font")
LEAVES = st.one_of(
    st.integers(0, 10**6).map(lambda number: f"<span>w{number}</span> "),
    st.integers(0, 10**6).map(lambda number: f" <a href=/l{number}>v{number}</a> "),
)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Trees of tags, some of them never closed or closed twice."""

    def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.tuples(
            st.sampled_from(TAGS), st.lists(inner, max_size=4), st.sampled_from(("</{}>", "", "</{}></{}>"))
        ).map(lambda parts: f"<{parts[0]}>{''.join(parts[1])}{parts[2].format(parts[0], parts[0])}")

    return "".join(draw(st.lists(st.recursive(LEAVES, wrapped, max_leaves=25), max_size=6)))


@given(pages(), st.sampled_from((0.1, 0.5, 1.0)), st.integers(1, 3), st.sampled_from(("paper", "html5")))
@settings(max_examples=150, deadline=None)
def test_blocks_cover_each_text_and_link_once_and_in_order(html: str, alpha: float, k: int, tags: str) -> None:
    whole = cut_html(html, Cut(alpha=1.0, k=10**9))
    blocks = cut_html(html, Cut(alpha, k, tags)).blocks
    assert letters(blocks) == letters(whole.blocks)
    in_order = [link[:2] for block in blocks for link in block.links]
    assert in_order == [link[:2] for block in whole.blocks for link in block.links]
    assert all(link.anchor_text in block.text for block in blocks for link in block.links)


@given(st.text(max_size=300), st.sampled_from(("paper", "html5")))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_cut(html: str, tags: str) -> None:
    assert all(block.text or block.links for block in cut_html(html, Cut(tags=tags)).blocks)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 50_000 + "<a href=/x>y</a>",
        "<ul><li>" * 20_000 + "<a href=/x>y</a>",
        "<a href=/x>a<p>" * 20_000,
        "<p>" + "<font><a href=/y>z</a>" * 20_000,
        "<table><tr><td><a href=/q>z" * 5_000,
        "".join(f"<p>{'x' * 50}<a href=/{number}>z</a><div>" for number in range(5_000)),
    ],
)
def test_deep_and_broken_pages_take_bounded_time_and_text(html: str, within: Callable[..., Any]) -> None:
    blocks = within(5, lambda: cut_html(html)).blocks
    distinct = {id(link.context): link.context for block in blocks for link in block.links}
    assert sum(map(len, distinct.values())) < 50_000_000
    assert json.dumps([block.text for block in blocks])
