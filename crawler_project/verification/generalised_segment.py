"""What kind of thing a path segment names: a word of the site's own, a number, or somebody's title."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

NUMBER: Final = "{n}"
SLUG: Final = "{s}"
LONG: Final = 20
"""Width from which a segment is taken for a title or a key; wide characters (Han, Hangul, Kana) count twice."""
MANY_WORDS: Final = 3
SHORT_WORD: Final = 8
"""Letters that may stand beside a number and still be the site's own: ``p``, ``item``, ``category``."""

_EXTENSION = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]{0,4}[A-Za-z])[A-Za-z0-9]{1,5}$")
_SEPARATORS = re.compile(r"[\s\-_+.,~!'():*&$=@]+")
_DIGITS = re.compile(r"[0-9]+")
_ISBN_10 = re.compile(r"[0-9]{9}[Xx]")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=65536)
def generalised_segment(segment: str) -> str:
    """Replace what differs from page to page: digits by ``{n}``, a long or mixed slug by ``{s}``.

    ``9780778328704`` is ``{n}``, ``p3182808.html`` is ``p{n}.html``, ``B0756B4GVG`` and
    ``the-old-man-and-the-sea`` are ``{s}``, ``fiction`` and ``view.php`` stay. A file's extension stays too.

    Args:
        segment: one segment of a normalised path, without matrix parameters; may be empty.
    """
    extension = found[0] if (found := _EXTENSION.search(segment)) else ""
    name = unquote(segment.removesuffix(extension), errors="replace")
    return _generalised_name(name, segment.removesuffix(extension)) + extension


def _generalised_name(name: str, raw: str) -> str:
    words = [word for word in _SEPARATORS.split(name) if word]
    if (words and all(_DIGITS.fullmatch(word) for word in words)) or _ISBN_10.fullmatch(name):
        return NUMBER
    if len(words) >= MANY_WORDS or len(name) + len(_WIDE.findall(name)) >= LONG:
        return SLUG
    numbers = _DIGITS.findall(name)
    if not numbers:
        return raw
    letters = [part for part in _DIGITS.split("".join(words)) if part]
    if len(numbers) == len(letters) == 1 and len(letters[0]) <= SHORT_WORD:
        return _DIGITS.sub(NUMBER, raw) if name == raw else SLUG
    return SLUG
