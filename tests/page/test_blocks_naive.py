"""Content blocks against Algorithm 1 as it is printed: a slow, recursive reading of the paper on the same tree."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawler_project.page import Cut, cut_html
from crawler_project.page.blocks import BLOCK_TAGS

HIDDEN = {"script", "style", "noscript", "template", "-comment", "_comment", "!--"}
TAGS = (*BLOCK_TAGS["html5"], "span", "b", "font", "script", "noscript", "a name=n", "a href=/w", "a href=/v")


def children(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter(include_text=True) if child.tag not in HIDDEN and not child.is_comment_node]


def height(node: LexborNode, tags: tuple[str, ...]) -> int:
    """blockHeight of Algorithm 1: the node itself does not count."""
    return max((height(child, tags) + (child.tag in tags) for child in children(node)), default=0)


def links(node: LexborNode) -> list[str]:
    own = [node.attributes["href"] or ""] if node.tag == "a" and "href" in node.attributes else []
    return own + [href for child in children(node) for href in links(child)]


def text(node: LexborNode) -> str:
    """Without any white space: where a gap is seen is tested elsewhere."""
    own = (node.text_content or "") if node.is_text_node else ""
    if node.tag == "img":
        own = node.attributes.get("alt") or ""
    return "".join(own.split()) + "".join(text(child) for child in children(node))


def naive_blocks(html: str, cut: Cut) -> tuple[int, list[tuple[str, list[str]]]]:
    root = LexborHTMLParser(html).body
    tags = BLOCK_TAGS[cut.tags]
    s = cut.alpha * height(root, tags)

    def part(v: LexborNode, outer: list[str]) -> list[tuple[str, list[str]]]:
        below = children(v)
        if height(v, tags) and height(v, tags) >= s and any(len(links(child)) >= cut.k for child in below):
            own = [*outer, *(links(v)[:1] if v.tag == "a" and "href" in v.attributes else [])]
            return [block for number, child in enumerate(below) for block in part(child, [] if number else own)]
        return [(text(v), outer + links(v))]

    return height(root, tags), [block for block in part(root, []) if any(block)]


LEAVES = st.one_of(
    st.integers(0, 99).map(lambda number: f" w{number} "),
    st.integers(0, 99).map(lambda number: f"<a href=/l{number}>v{number}</a>"),
    st.sampled_from(("<!-- c -->", "<img alt='a picture'>", "<a href=/e></a>", "<br>", "&nbsp;", "<a>no link</a>")),
)


def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    ends = st.sampled_from(("</{}>", "</{}>", ""))
    return st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4), ends).map(
        lambda parts: f"<{parts[0]}>{''.join(parts[1])}{parts[2].format(parts[0].split()[0])}"
    )


@given(
    st.lists(st.recursive(LEAVES, wrapped, max_leaves=20), max_size=5).map("".join),
    st.sampled_from((0.2, 0.5, 0.7, 1.0)),
    st.integers(1, 3),
    st.sampled_from(("paper", "html5")),
)
@settings(max_examples=300, deadline=None)
def test_blocks_are_those_of_algorithm_1_as_printed(html: str, alpha: float, k: int, tags: str) -> None:
    cut = Cut(alpha, k, tags)
    found = cut_html(html, cut)
    assert (
        found.root_height,
        [("".join(block.text.split()), [link.url for link in block.links]) for block in found.blocks],
    ) == naive_blocks(html, cut)
