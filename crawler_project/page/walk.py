"""One walk over the elements of a page: what links, what is hidden, what it says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from crawler_project.page.declarations import Robots, parse_robots, primary_language

# Not rendered (HTML Standard 15.3.1), or as a fallback only, or, like the list of a select, not until asked for.
_HIDDEN_TAGS = (
    "script", "style", "noscript", "template", "title", "iframe", "noembed", "noframes", "datalist", "rp", "select",
    "audio", "video", "canvas", "desc",
)  # fmt: skip
# Text runs on through these; around everything else browsers break the line or leave a gap.
_INLINE_TAGS = (
    "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
    "nobr", "q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
)  # fmt: skip
# Menus, forms and blocks of code: visible, but often not in the language of the page.
_APART_TAGS = ("nav", "header", "footer", "aside", "pre", "textarea", "button", "label", "svg", "math")
_create: Final = LexborHTMLParser("").create_node
# React and others leave comments within words.
_COMMENT: Final = next(
    node.tag_id for node in LexborHTMLParser("<p><!---->").css("p")[0].iter() if node.is_comment_node
)
_HIDDEN: Final = frozenset(_create(tag).tag_id for tag in _HIDDEN_TAGS) | {_COMMENT}
INLINE: Final = frozenset(_create(tag).tag_id for tag in _INLINE_TAGS)
_APART: Final = frozenset(_create(tag).tag_id for tag in _APART_TAGS)
_LINK_TAGS: Final[Mapping[int, str]] = {
    _create(tag).tag_id: tag for tag in ("a", "area", "frame", "iframe", "meta", "link")
}
_META, _BASE, _TITLE, _SVG = (_create(tag).tag_id for tag in ("meta", "base", "title", "svg"))
_MARKED: Final = INLINE | _HIDDEN | _APART | _LINK_TAGS.keys() | {_BASE}


@dataclass(slots=True)
class Marks:
    """The elements of a page that matter beyond their text, in document order."""

    links: list[tuple[str, LexborNode]] = field(default_factory=list)
    """Tag name and element of everything that may link."""
    hidden: list[LexborNode] = field(default_factory=list)
    """Elements whose text nobody sees, and comments."""
    inline: list[LexborNode] = field(default_factory=list)
    """Elements, other than links, that do not end a line."""
    apart: list[LexborNode] = field(default_factory=list)
    """Elements that are seen and are no prose."""
    base: str = ""
    """``href`` of the first ``<base>`` that has one."""
    title: str = ""
    """As it stands, of the first ``<title>`` that is not a picture's."""
    robots: Robots = field(default_factory=Robots)
    """Of all robots meta tags together."""
    language: str = ""
    """Of ``<html lang>``, else ``xml:lang``, else a Content-Language meta tag."""


def walk(document: LexborHTMLParser) -> Marks:
    """Collect the marks of a document."""
    marks = Marks()
    root = document.root
    if root is None:
        return marks
    has_title = False
    for role, node in [(role, node) for node in root.traverse() if (role := node.tag_id) in _MARKED]:
        if role in INLINE:
            marks.inline.append(node)
            continue
        if role in _APART:
            marks.apart.append(node)
            continue
        if role in _LINK_TAGS:
            marks.links.append((_LINK_TAGS[role], node))
        if role in _HIDDEN:
            marks.hidden.append(node)
        if role == _META:
            _read_meta(marks, node)
        elif role == _BASE and not marks.base:
            marks.base = node.attributes.get("href") or ""
        elif role == _TITLE and not has_title and (node.parent is None or node.parent.tag_id != _SVG):
            has_title, marks.title = True, node.text()
    attributes = root.attributes
    stated = primary_language(attributes.get("lang")) or primary_language(attributes.get("xml:lang"))
    marks.language = stated or marks.language
    return marks


def _read_meta(marks: Marks, node: LexborNode) -> None:
    attributes = node.attributes
    content = attributes.get("content")
    if not content:
        return
    if (attributes.get("name") or "").strip().lower() == "robots":
        marks.robots |= parse_robots(content)
    elif (attributes.get("http-equiv") or "").strip().lower() == "content-language" and not marks.language:
        marks.language = primary_language(content)
