"""Pages that would stop a tree builder, made harmless before it sees them.

Building the tree that the HTML Standard describes takes quadratic time and memory on some
input: 17 KB with 1,000 open ``<b id=…>`` before 1,000 paragraphs make a million nodes, 50,000
attributes on one tag take 4 s, 50,000 open ``<div>`` 3 s (measured with lexbor 2). Browsers
limit the depth; lexbor does not. Ordinary pages pass after two counts.
"""

from __future__ import annotations

import re
from typing import Final

_FEW_TAGS: Final = 1_000
_SOME_TAGS: Final = 1_500
_SHORT_PAGE: Final = 50_000
_MANY_TAGS: Final = 10_000
_MOST_COPIES: Final = 200_000
"""Open formatting elements times tags: how many elements the tree builder may have to make again."""
_LONGEST_TAG: Final = 3_000
_LONG_HEAD: Final = 500

# A start tag exactly as the HTML Standard reads it (13.2.5.32-39): an attribute name may begin with "=" and hold quotes.
_W = r"[ \t\n\r\f]"
_ATTRIBUTE = rf"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+(?:{_W}*+={_W}*+(?:\"[^\"]*+\"|'[^']*+'|[^ \t\n\r\f>]*+))?+"
_ATTRIBUTES = rf"(?:[ \t\n\r\f/]++|{_ATTRIBUTE})*+"
_START_TAG = re.compile(rf"<(?=([a-zA-Z][^ \t\n\r\f/>]*+{_ATTRIBUTES}))")
# Written out in both cases: nearly twice as fast as IGNORECASE.
_FORMATTING = re.compile(
    r"<(?=((?:[bB](?:[iI][gG])?|[iIuU]|[sS](?:[mM][aA][lL][lL]|[tT][rR](?:[iI][kK][eE]|[oO][nN][gG]))?|[tT][tT]|[eE][mM]"
    rf"|[fF][oO][nN][tT]|[cC][oO][dD][eE]|[nN][oO][bB][rR])[ \t\n\r\f/][^>]{{0,{_LONG_HEAD}}}))"
)
_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(script|style|noscript|template|noembed|noframes|xmp|select|textarea|svg|math)(?=[\s/>]).*?(?:</\1\s*>|\Z)"
    rf"|<(/?[a-zA-Z][^\s/>]*+){_ATTRIBUTES}>?",
    re.IGNORECASE | re.DOTALL,
)
_NAME = re.compile(r"[^\s/>]{1,40}")
_KEPT = frozenset(
    ("html", "a", "/a", "area", "base", "img", "link", "meta", "title", "/title", "frameset", "frame", "iframe", "/iframe")
)  # fmt: skip
_LEFT_TAG = re.compile(
    r"<(?=/?[a-zA-Z])(?!/?(?:html|a|area|base|img|link|meta|title|frameset|frame|iframe)[\s/>])", re.IGNORECASE
)
_INLINE_NAMES = (
    "b",
    "big",
    "code",
    "em",
    "font",
    "i",
    "nobr",
    "s",
    "small",
    "span",
    "strike",
    "strong",
    "tt",
    "u",
    "wbr",
)
_INLINE = frozenset(slash + name for name in _INLINE_NAMES for slash in ("", "/"))


def tame(html: str) -> str:
    """Return ``html``, or the same text and links in a form that is parsed in linear time.

    A page of very many tags, or of many open formatting elements, loses all structure but its
    links, frames, title and declarations; very long tags lose their attributes.
    """
    tags = html.count("<")
    if tags > _MANY_TAGS or (tags > _FEW_TAGS and _open_formatting(html) * tags > _MOST_COPIES):
        html = _flatten(html)
    return _shorten(html) if tags > _SOME_TAGS or len(html) > _SHORT_PAGE else html


def _open_formatting(html: str) -> int:
    """Count the formatting elements with attributes that may be open at once: three of the same at most (Noah's Ark)."""
    heads = _FORMATTING.findall(html)
    return len(set(heads)) + sum(len(head) > _LONG_HEAD for head in heads)


def _flatten(html: str) -> str:
    """Leave text, links, frames, title and declarations; beyond twice the allowed number of tags only text."""
    flat = _TOKEN.sub(_flat_token, html)
    if len(_LEFT_TAG.findall(flat)) > _SOME_TAGS:
        flat = _LEFT_TAG.sub("\n", flat)
    *tags, rest = flat.split("<", 2 * _MANY_TAGS)
    return "<".join(tags) + _TOKEN.sub("\n", "<" + rest).replace("<", "\n") if "<" in rest else flat


def _flat_token(match: re.Match[str]) -> str:
    name = (match.group(2) or "").lower()
    if name in _KEPT:
        return match.group()
    return "" if name in _INLINE else "\n"


def _shorten(html: str) -> str:
    """Take the attributes from tags of thousands of characters; no link is that long.

    Looks at every ``<`` that may begin a tag, also within what seems to be another tag or a
    script: who gets in step wrongly once would be led astray for the rest of the page.
    """
    if all(match.end(1) - match.start() <= _LONGEST_TAG for match in _START_TAG.finditer(html)):
        return html
    pieces: list[str] = []
    copied = start = 0
    while match := _START_TAG.search(html, start):
        start = match.start() + 1
        tag = match.group(1)
        if len(tag) > _LONGEST_TAG:
            name = _NAME.match(tag)
            pieces += (html[copied:start], name.group() if name else "")
            copied = start = start + len(tag)
    return "".join(pieces) + html[copied:]
