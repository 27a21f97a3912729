"""The visible text of a page, with gaps where a reader sees gaps."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from crawler_project.page.walk import Marks

SEPARATOR = "\n"
"""Between text nodes: after :func:`join_words` each ends where a reader sees a gap."""


def join_words(document: LexborHTMLParser, marks: Marks) -> None:
    """Take out what is hidden, and the elements within words: ``<b>서울</b>은`` becomes one text.

    Korean and Japanese particles follow emphasis and links without a space, so a gap at every
    tag would tear words apart, and none would run menus together. Changes the document.
    """
    for node in marks.hidden:
        node.decompose(recursive=False)
    for node in marks.inline:
        node.unwrap()
    document.merge_text_nodes()


def visible_text(document: LexborHTMLParser, marks: Marks, most: int) -> str:
    """Read the text of the body after the links have been read, squeezed, at most ``most`` characters."""
    for tag, node in marks.links:
        # Links side by side, without white space, are set apart by their style sheet.
        if tag == "a" and ((neighbour := node.next) is None or neighbour.tag_id != node.tag_id):
            node.unwrap()
    document.merge_text_nodes()
    body = document.body
    return squeeze(body.text(separator=SEPARATOR), most) if body is not None else ""


def squeeze(text: str, most: int) -> str:
    """Make every run of white space one space, and keep ``most`` characters."""
    for limit in (most + most // 4, 4 * most, len(text)):
        squeezed = " ".join(text[:limit].split())
        if len(squeezed) >= most or len(text) <= limit:
            return squeezed[:most].rstrip()
    return ""
