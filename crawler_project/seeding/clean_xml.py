"""XML as it comes, made fit for a parser: the faults that dumps and sitemaps are known for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html.entities import html5

CONTROLS = bytes(code for code in range(0x20) if code not in b"\t\n\r") + b"\x7f"
"""Bytes that XML 1.0 forbids, and DEL."""
_LONGEST_REFERENCE = 12
_REFERENCE = re.compile(rb"&(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,9};)?")
_XML_NAMES = frozenset({b"amp;", b"lt;", b"gt;", b"quot;", b"apos;"})
_LONE_LESS = re.compile(rb"<(?![A-Za-z_/!?])")
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})""")


def clean_xml(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Mend the pieces of a UTF-8 document: :func:`mended`, also where a fault lies across two pieces."""
    rest = b""
    for chunk in chunks:
        data = rest + chunk
        cut = _safe_end(data)
        rest = data[cut:]
        if cut:
            yield mended(data[:cut])
    if rest:
        yield mended(rest)


def mended(data: bytes) -> bytes:
    """Drop control characters, replace bytes that are no UTF-8 by U+FFFD, escape a ``&`` or ``<`` that stands for itself.

    HTML's names of characters (``&nbsp;``), which XML does not know, become the characters; a name that is not
    known becomes text, so that no entity that a document defines is ever expanded.
    """
    text = data.translate(None, CONTROLS).decode("utf-8", "replace")
    text = text.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    return _LONE_LESS.sub(b"&lt;", _REFERENCE.sub(_reference, text.encode()))


def declared_encoding(head: bytes) -> str:
    """Give the encoding that a document's beginning claims, by its byte order mark or XML declaration; ``utf-8`` without."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    found = _DECLARED.match(head.removeprefix(b"\xef\xbb\xbf"))
    return found[1].decode().lower() if found else "utf-8"


def _reference(found: re.Match[bytes]) -> bytes:
    name = found[1]
    if name is None:
        return b"&amp;"
    if name in _XML_NAMES:
        return found[0]
    if name.startswith(b"#"):
        code = int(name[2:-1], 16) if name[1:2] in b"xX" else int(name[1:-1])
        return found[0].lower() if _is_character(code) else b""
    character = html5.get(name.decode())
    return character.encode() if character else b"&amp;" + name


def _is_character(code: int) -> bool:
    """Whether XML 1.0 allows it (production 2, Char)."""
    return code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF


def _safe_end(data: bytes) -> int:
    """Where no character and no reference is cut in two."""
    last = data.rfind(b"&", max(0, len(data) - _LONGEST_REFERENCE))
    end = len(data) if last < 0 else last
    if data[end - 1 : end] == b"<":
        end -= 1
    for back in range(1, min(4, end) + 1):  # a character of several bytes begins with 11xxxxxx
        if data[end - back] >= 0xC0:
            return end - back
        if data[end - back] < 0x80:
            break
    return end


def is_known_encoding(name: str) -> bool:
    """Whether text in this encoding can be read here."""
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False
