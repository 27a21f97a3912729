"""One response body in, one :class:`~crawler_project.core.values.Page` out.

The body is decoded once and parsed once (lexbor); one walk over the elements finds links and
declarations, one call the text. This is the largest cost of a crawl.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final, NamedTuple

import xxhash
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from crawler_project.core.urls import canonical_url, top_level_domain
from crawler_project.core.values import Block, Link, Page
from crawler_project.page.blocks import Cut, cut_blocks, resolve_links
from crawler_project.page.charset import decode
from crawler_project.page.declarations import Robots, parse_link_header, parse_robots, primary_language
from crawler_project.page.links import LinkReader
from crawler_project.page.prose import lone_link_items, prose_text
from crawler_project.page.tame import tame
from crawler_project.page.text import join_words, squeeze, visible_text
from crawler_project.page.walk import walk

MAX_HTML: Final = 2_000_000
"""Characters of a page that are parsed; what search engines read, and less than a second for any page."""

MAX_TITLE: Final = 500

_PLAIN = re.compile(
    r"\s*(?:text/(?![^;]*(?:html|xml))|application/(?:[^;]*\+)?(?:json|javascript|x-javascript)\b)", re.IGNORECASE
)


def parse_page(
    body: bytes,
    url: str,
    *,
    content_type: str = "",
    headers: Mapping[str, str] | None = None,
    max_text: int = 10_000,
    max_links: int = 5_000,
    cut: Cut | None = None,
) -> Page:
    """Read a response body. Never raises, whatever the bytes, the URL and the headers are.

    Args:
        body: as it came, decompressed; at most ``charset.MAX_BODY`` bytes are decoded and
            ``MAX_HTML`` characters parsed.
        url: of the response, absolute; links are resolved against it (or ``<base href>``).
        content_type: the header's value; empty means HTML. Plain text, JSON and the like give
            their text and no links.
        headers: by lower-case name; ``x-robots-tag``, ``content-language`` and ``link`` are read.
        max_text: characters of visible text to keep.
        max_links: links to keep, the first of the document.
        cut: how to cut the page into content blocks; ``None``: it is not cut, and ``Page.blocks`` is empty.
    """
    headers = headers or {}
    here = canonical_url(url)
    decoded = decode(body, content_type, top_level_domain(here.host) if here else "")
    if _PLAIN.match(content_type):
        text = squeeze(decoded.text.replace("\0", " "), max_text)
        content = _Content(text, blocks=(Block(text),) if cut and text else ())
    else:
        links = headers.get("link", "")
        content = _read_html(decoded.text, here.url if here else url, links, max_text, max_links, cut=cut)
    robots = content.robots | parse_robots(headers.get("x-robots-tag", ""))
    return Page(
        url,
        title=content.title,
        text=content.text,
        prose=content.prose,
        links=content.links,
        charset=decoded.charset,
        charset_source=decoded.source,
        declared_charset=decoded.declared,
        blocks=content.blocks,
        declared_language=content.language or primary_language(headers.get("content-language")),
        nofollow=robots.nofollow,
        noindex=robots.noindex,
        digest=xxhash.xxh3_128_hexdigest(content.text.encode("utf-8", "replace")),
        size=len(body),
    )


class _Content(NamedTuple):
    """What is in a text, as far as it is known."""

    text: str
    prose: str = ""
    title: str = ""
    links: tuple[Link, ...] = ()
    robots: Robots = Robots()
    language: str = ""
    blocks: tuple[Block, ...] = ()


def _read_html(html: str, here: str, link_header: str, max_text: int, max_links: int, *, cut: Cut | None) -> _Content:
    document = LexborHTMLParser(tame(html[:MAX_HTML]), options=LexborDocumentOptions.WO_EVENTS, scripting=True)
    marks = walk(document)
    partition = cut_blocks(document.body, cut) if cut else None  # before elements within words are taken out
    join_words(document, marks)
    reader = LinkReader(here, _base_url(marks.base, here))
    links = reader.from_header(parse_link_header(link_header)) if link_header else []
    links.extend(islice(reader.read_all(marks.links), max_links))
    items = lone_link_items(marks)
    text = visible_text(document, marks, max_text)
    prose = prose_text(document, marks.apart, items, max_text)
    return _Content(
        text,
        prose,
        squeeze(marks.title, MAX_TITLE),
        tuple(links[:max_links]),
        marks.robots,
        marks.language,
        resolve_links(partition.blocks, reader.resolve) if partition else (),
    )


def _base_url(href: str, here: str) -> str:
    """Where links are resolved: ``<base href>`` where it gives a URL, else the page's own."""
    base = canonical_url(href, here) if href else None
    return base.url if base else here
