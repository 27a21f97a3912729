"""Content Block Partition (CBP): a page cut into blocks, and the context of each link.

Source: "Focused crawling enhanced by CBP-SLC", Algorithm 1 (CBP, blockHeight) and Section 3 on link
contexts. Where the paper is silent: the height of a node does not count the node itself; "a child
with at least k links" means the child's whole sub-tree; a node of height 0 is never split; the threshold
``s`` is that of the page, not of the sub-tree; what a split node has between its block tags (texts,
inline elements) becomes blocks of their own; blocks without text and link are dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Block, BlockLink
from crawler_project.page.tame import tame
from crawler_project.page.walk import INLINE

ALPHA: Final = 0.5
LINKS: Final = 1
"""``k`` of Algorithm 1."""
BLOCK_TAGS: Final[Mapping[str, tuple[str, ...]]] = {
    "paper": ("h1", "h2", "h3", "h4", "h5", "h6", "p", "address", "center", "ul", "dt", "table", "th", "tr", "td"),
    "html5": (
        "h1", "h2", "h3", "h4", "h5", "h6", "p", "address", "center", "ul", "dt", "table", "th", "tr", "td",
        "div", "section", "article", "nav", "aside", "header", "footer", "main", "ol", "li", "dl", "dd", "form", "fieldset",
        "blockquote", "pre", "figure", "figcaption", "details", "menu",
    ),
}  # fmt: skip
"""By name: the tags of the paper, and those with the containers of later HTML, without which pages made of
``<div>`` are one block."""
MAX_HTML: Final = 2_000_000
"""Characters of a page that are parsed."""
MAX_CONTEXTS: Final = 20_000_000
"""Characters that all contexts of a page may have together; a link beyond has its anchor text for a context."""

_create: Final = LexborHTMLParser("").create_node
_NO_NODES: Final = frozenset(_create(tag).tag_id for tag in ("script", "style", "noscript", "template")) | {
    next(node.tag_id for node in LexborHTMLParser("<p><!---->").css("p")[0].iter() if node.is_comment_node)
}
_TEXT, _A, _IMG = (
    next(node.tag_id for node in LexborHTMLParser("<p>x").css("p")[0].iter(include_text=True) if node.is_text_node),
    *(_create(tag).tag_id for tag in ("a", "img")),
)
_TAG_SETS: Final = {
    name: frozenset(_create(tag).tag_id for tag in tags) for name, tags in BLOCK_TAGS.items()
}  # fmt: skip
_RUNS_ON: Final = INLINE | {_A, _TEXT}


class Cut(NamedTuple):
    """How pages are to be cut."""

    alpha: float = ALPHA
    """Granularity, above 0 and at most 1."""
    k: int = LINKS
    """Links that a child must have for its parent to be split, 1 or more."""
    tags: str = "paper"
    """Name of a set in :data:`BLOCK_TAGS`."""

    def checked(self) -> Cut:
        """Give the same parameters where they fit.

        Raises:
            ConfigurationError: one of them does not; says what is allowed.
        """
        if not 0 < self.alpha <= 1:
            raise ConfigurationError(f"alpha={self.alpha} does not fit; allowed: above 0, at most 1")
        if self.k < 1:
            raise ConfigurationError(f"k={self.k} does not fit; allowed: a whole number, 1 or more")
        if self.tags not in BLOCK_TAGS:
            raise ConfigurationError(f"tags={self.tags!r} is unknown; allowed: {', '.join(BLOCK_TAGS)}")
        return self


AS_IN_PAPER: Final = Cut()


class Partition(NamedTuple):
    """A page in blocks."""

    root_height: int
    """Block tags on the deepest path below the root (body)."""
    s: float
    """The threshold ``alpha * root_height`` below which a node is not split."""
    blocks: tuple[Block, ...]
    """In document order; ``url`` of a link is its ``href`` as it stands."""


def cut_html(html: str, cut: Cut = AS_IN_PAPER) -> Partition:
    """Parse ``html`` and cut its body into blocks (Algorithm 1); at most :data:`MAX_HTML` characters are read.

    Never raises for what is in the page.

    Raises:
        ConfigurationError: a parameter of ``cut`` does not fit.
    """
    partition = cut_blocks(LexborHTMLParser(tame(html[:MAX_HTML])).body, cut.checked())
    return partition._replace(blocks=join_contexts(partition.blocks))


def cut_blocks(body: LexborNode | None, cut: Cut = AS_IN_PAPER) -> Partition:
    """Cut a parsed body into blocks; ``None`` (a page of frames) has none. The tree is not changed.

    Contexts are those of each link alone: :func:`join_contexts` joins those of one address.
    """
    if body is None:
        return Partition(0, 0.0, ())
    tree = _Tree(body, _TAG_SETS[cut.tags])
    s = cut.alpha * tree.heights[0]
    blocks = (tree.block(node, outer) for node, outer in tree.partition(cut.k, s))
    return Partition(tree.heights[0], s, tuple(block for block in blocks if block.text or block.links))


def resolve_links(blocks: Sequence[Block], resolve: Callable[[str], str]) -> tuple[Block, ...]:
    """Turn each ``href`` into a URL, leave out what ``resolve`` gives no URL for, and join contexts.

    A block that keeps neither text nor link is dropped.
    """
    resolved = (
        Block(text, tuple(link._replace(url=url) for link in links if (url := resolve(link.url))))
        for text, links in blocks
    )
    return join_contexts([block for block in resolved if block.text or block.links])


def join_contexts(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Give every link the contexts of all links to its address: in document order, equal ones once."""
    contexts: dict[str, dict[str, None]] = {}
    uses: Counter[str] = Counter()
    for block in blocks:
        for link in block.links:
            contexts.setdefault(link.url, {})[link.context] = None
            uses[link.url] += 1
    budget = MAX_CONTEXTS
    joined: dict[str, str] = {}
    for url, texts in contexts.items():
        if len(texts) > 1 and budget > 0:
            joined[url] = " ".join(filter(None, texts))
            budget -= len(joined[url]) * uses[url]
    if not joined:
        return tuple(blocks)
    return tuple(
        Block(text, tuple(link._replace(context=joined.get(link.url, link.context)) for link in links))
        for text, links in blocks
    )


class _Tree:
    """The nodes of a body in document order, as columns; a node is its place, its sub-tree a range of places.

    All texts stand one behind the other in one string, with a line break where a reader sees a gap: the text of
    a sub-tree is a range of it.
    """

    def __init__(self, body: LexborNode, block_tags: frozenset[int]) -> None:
        self.stops: list[int] = []
        """The place behind the sub-tree."""
        self.heights: list[int] = []
        self.links: list[int] = []
        """``a[href]`` within the sub-tree, the node itself included."""
        self._ranges: list[tuple[int, int]] = []
        self._parents: list[int] = []
        self._hrefs: dict[int, tuple[str, str]] = {}
        """Of a link's place: its href, and its label for want of a text."""
        self._pieces: list[str] = []
        self._block_tags = block_tags
        self._read(body)
        self._text = "".join(self._pieces)
        self._known: dict[tuple[int, int], str] = {}
        self._budget = MAX_CONTEXTS
        self._places = sorted(self._hrefs)

    def partition(self, k: int, s: float) -> Iterator[tuple[int, list[int]]]:
        """Give the places of the blocks in document order (Algorithm 1, without recursion).

        With each block go the links that are themselves split into blocks (a table with links within ``<a>``) and
        of which this is the first, so that no link is lost.
        """
        waiting = [0]
        outer: list[int] = []
        while waiting:
            node = waiting.pop()
            if self.heights[node] and self.heights[node] >= s:
                children = list(self._children(node))
                if any(self.links[child] >= k for child in children):
                    waiting.extend(reversed(children))
                    if node in self._hrefs:
                        outer.append(node)
                    continue
            yield node, outer
            outer = []

    def block(self, node: int, outer: Sequence[int]) -> Block:
        stop = self.stops[node]
        within = self._links_between(node, stop) if self.links[node] else ()
        links = [self._link(place) for place in (*outer, *within)]
        return Block(self._squeezed(*self._ranges[node]), tuple(links))

    def _links_between(self, start: int, stop: int) -> Iterator[int]:
        return iter(self._places[bisect_left(self._places, start) : bisect_left(self._places, stop)])

    def _link(self, place: int) -> BlockLink:
        href, label = self._hrefs[place]
        anchor = self._within_budget(self._ranges[place]) or label
        return BlockLink(href, anchor, self._within_budget(self._ranges[self._parents[place]]) or anchor)

    def _within_budget(self, around: tuple[int, int]) -> str:
        """A text that may be asked for often (links of one parent share it) or overlap others; empty: too much."""
        if self._budget <= 0:
            return ""
        if around not in self._known:
            self._known[around] = self._squeezed(*around)
        self._budget -= len(self._known[around])
        return self._known[around]

    def _squeezed(self, start: int, end: int) -> str:
        return " ".join(self._text[start:end].split())

    def _children(self, node: int) -> Iterator[int]:
        child, stop = node + 1, self.stops[node]
        while child < stop:
            yield child
            child = self.stops[child]

    def _read(self, body: LexborNode) -> None:
        """Walk the tree, without recursion (pages nest deeper than Python's stack) and in one piece: a call a node
        would double the time."""
        stops, heights, links, ranges, parents = self.stops, self.heights, self.links, self._ranges, self._parents
        tags: list[int] = []
        block_tags, pieces = self._block_tags, self._pieces
        open_places: list[int] = []
        length, parent = 0, 0
        is_behind_link = False
        node = body
        while True:
            tag = node.tag_id
            child = None
            if tag not in _NO_NODES:
                place = len(stops)
                if tag not in _RUNS_ON or (tag == _A and is_behind_link):
                    pieces.append("\n")
                    length += 1
                start = length
                links.append(0)
                if tag == _TEXT:
                    text = node.text_content or ""
                    pieces.append(text)
                    length += len(text)
                else:
                    child = node.first_child
                    if tag == _A:
                        self._read_link(node, place)
                    elif tag == _IMG and (text := node.attributes.get("alt") or ""):
                        pieces.append(text)
                        length += len(text)
                is_behind_link = child is None and tag == _A
                stops.append(place + 1)
                heights.append(0)
                tags.append(tag)
                parents.append(parent)
                ranges.append((start, length))
                if child is not None:
                    open_places.append(place)
                    parent = place
                    node = child
                    continue
                if tag not in _RUNS_ON:
                    pieces.append("\n")
                    length += 1
            # A leaf, or no node: on to the next one, closing the parents that end here.
            while open_places and (following := node.next) is None:
                place = open_places.pop()
                node = node.parent  # type: ignore[assignment]
                tag = tags[place]
                stops[place] = len(stops)
                ranges[place] = (ranges[place][0], length)
                if tag not in _RUNS_ON:
                    pieces.append("\n")
                    length += 1
                is_behind_link = tag == _A
                parent = parents[place]
            if not open_places:
                break
            node = following  # type: ignore[assignment]
        for place in range(len(stops) - 1, 0, -1):
            above = parents[place]
            links[above] += links[place]
            height = heights[place] + (tags[place] in block_tags)
            heights[above] = max(heights[above], height)

    def _read_link(self, node: LexborNode, place: int) -> None:
        attributes = node.attributes
        if "href" in attributes:
            self.links[place] = 1
            label = attributes.get("title") or attributes.get("aria-label") or ""
            self._hrefs[place] = ((attributes["href"] or "").strip(), " ".join(label.split()))
