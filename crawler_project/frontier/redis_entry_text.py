"""The small parts of a stored entry as few bytes: why it was kept, and its anchor text."""

from __future__ import annotations

import re
from functools import lru_cache

_WORDS = (
    "seed", "tld", "anchor", "hreflang", "frame", "refresh", "link", "parent", "low-parent", "same-server",
    "other-server", "distance", "leads-to-target", "request", "robots.txt",
)  # fmt: skip
"""First words of the shipped strategies' reasons. Their order is part of the stored layout."""
_NUMBER_OF_WORD = {word: number for number, word in enumerate(_WORDS)}
_CODED = re.compile(r"([a-z.-]+)(?: ([a-z]{2})(?: ([01]\.[0-9]{2}))?)?")
_PLAIN, _LANGUAGE, _SCORED = 0x80, 0xA0, 0xC0
_LONGEST_WHY = 127


@lru_cache(maxsize=10_000)
def encode_why(why: str) -> bytes:
    """Write a reason: one byte a known word, two a language, one a score; anything else as text of 127 bytes."""
    match = _CODED.fullmatch(why)
    number = _NUMBER_OF_WORD.get(match[1]) if match else None
    if match is None or number is None:
        text = why.encode("utf-8", "replace")
        if len(text) > _LONGEST_WHY:
            text = text[:_LONGEST_WHY].decode("utf-8", "ignore").encode("utf-8")
        return bytes([len(text)]) + text
    if match[2] is None:
        return bytes([_PLAIN + number])
    if match[3] is None:
        return bytes([_LANGUAGE + number]) + match[2].encode("ascii")
    return bytes([_SCORED + number]) + match[2].encode("ascii") + bytes([round(float(match[3]) * 100)])


def decode_why(data: bytes, at: int) -> tuple[str, int]:
    """Read a reason at ``at``: itself and where it ends. ``ValueError`` or ``IndexError`` if there is none."""
    first = data[at]
    if first < _PLAIN:
        end = at + 1 + first
        return data[at + 1 : end].decode("utf-8"), end
    if first < _LANGUAGE:
        return _WORDS[first - _PLAIN], at + 1
    word = _WORDS[(first - _LANGUAGE) % 32]
    language = data[at + 1 : at + 3].decode("ascii")
    if first < _SCORED:
        return f"{word} {language}", at + 3
    return f"{word} {language} {data[at + 3] / 100:.2f}", at + 4


def encode_anchor(text: str) -> tuple[bytes, bool]:
    """Write an anchor text in the shorter of UTF-8 and UTF-16 (``True``); Hangul takes 2 bytes instead of 3."""
    if text.isascii():
        return text.encode("ascii"), False
    narrow, wide = text.encode("utf-8", "surrogatepass"), text.encode("utf-16-le", "surrogatepass")
    return (wide, True) if len(wide) < len(narrow) else (narrow, False)
