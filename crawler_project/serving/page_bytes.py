"""The bytes and the Content-Type that a recorded page goes over the wire with."""

from __future__ import annotations

import codecs

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding


def encode_html(html: str, charset: str) -> bytes:
    """Encode as the page was encoded when it was recorded.

    Tried in this order: the charset by its own name, the larger charset that browsers read under
    that name (windows-1252 for iso-8859-1), and that with numeric references for what it lacks.

    Raises:
        ValueError: the charset is not known.
    """
    codec = _codec_of_browsers(charset)
    for name in (charset, codec):
        try:
            return html.encode(name)
        except (UnicodeError, LookupError):
            continue
    return html.encode(codec, "xmlcharrefreplace")


def content_type(url: str, body: bytes, charset: str) -> str:
    """Content-Type of a page that was recorded without one.

    The charset is named only where the page itself does not name one: then its bytes could be
    read in no other way, while pages with a meta tag are served by most servers without.
    """
    if url.partition("?")[0].endswith("/robots.txt"):
        return "text/plain; charset=utf-8"
    declares = html_body_declared_encoding(body) or read_bom(body)[0]
    return "text/html" if declares else f"text/html; charset={charset}"


def _codec_of_browsers(charset: str) -> str:
    """Find a codec that turns text into bytes."""
    name = resolve_encoding(charset) or charset
    try:
        "a".encode(name)
        return codecs.lookup(name).name
    except (LookupError, ValueError) as error:
        raise ValueError(f"charset is not known: {charset[:40]!r}") from error
