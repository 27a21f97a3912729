"""NFKC and single spaces, in a fraction of a millisecond for a page: what the standard library does in ten.

Unicode Standard Annex 15. A text is looked up in a table of what each code point does; most do nothing, nearly all
others (full-width letters, digits and signs, no-break spaces) become one other code point. Only what is left, together with the code
point before it, goes through :func:`unicodedata.normalize`.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_TABLE: Final = 0x10000
"""Code points of the table; the others (emoji, rare letters) are :data:`_OTHER`."""
_STAYS, _BECOMES, _OTHER = 0, 1, 2
_MOST_RUNS: Final = 500
"""Pieces from which it is cheaper to normalise the whole text at once."""
_PIECE: Final = 4096
_BREAKS: Final = ("\t", "\n", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u1680", "\u2028", "\u2029")
"""White space that is no space in NFKC either."""
_HANGUL_VOWELS_AND_FINALS: Final = range(0x1160, 0x1200)
_ENCODING: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"


class _Table(NamedTuple):
    kinds: NDArray[np.uint8]
    becomes: NDArray[np.uint32]
    begins_anew: NDArray[np.bool_]
    """Whether nothing before a code point can change what it becomes."""


def normal_form(text: str, most: int) -> str:
    """Give ``text`` in NFKC with white space squeezed to single spaces, none at the ends.

    Args:
        most: characters of the result; a text that is longer, or becomes so, is cut.
    """
    return _squeezed(text[:most] if text.isascii() else _compatible(text[:most], most))[:most]


def _compatible(text: str, most: int) -> str:
    """Give the NFKC of a text, at least its first ``most`` characters."""
    if unicodedata.is_normalized("NFKC", text):
        return text
    table = _table()
    points = np.frombuffer(text.encode(_ENCODING, "surrogatepass"), np.uint32)
    inside = np.minimum(points, _TABLE)
    kinds = table.kinds.take(inside)
    changed = np.flatnonzero(kinds != _STAYS)
    if len(changed) > _MOST_RUNS:
        mapped = np.where(kinds == _BECOMES, table.becomes.take(inside), points)
        text = mapped.astype(np.uint32).tobytes().decode(_ENCODING, "surrogatepass")
        changed = np.flatnonzero(kinds == _OTHER)
    begins = changed[np.diff(changed, prepend=-2) > 1]
    if len(begins) > _MOST_RUNS or len(changed) > _PIECE:
        return _normalised_whole(text, np.flatnonzero(table.begins_anew.take(inside)), most)
    return _with_normalised_runs(text, changed, begins)


def _with_normalised_runs(text: str, changed: NDArray[np.int64], begins: NDArray[np.int64]) -> str:
    """Normalise each run of ``changed`` code points, with the one before it, which may join the first."""
    ends = changed[np.diff(changed, append=len(text) + 1) > 1] + 1
    parts: list[str] = []
    done = 0
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        start = max(begin - 1, done)
        parts += [text[done:start], unicodedata.normalize("NFKC", text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def _normalised_whole(text: str, borders: NDArray[np.int64], most: int) -> str:
    """Normalise piece by piece, cut where ``borders`` allow it, until there is enough: a single letter may become eighteen."""
    after = np.searchsorted(borders, np.arange(_PIECE, len(text), _PIECE))
    cuts = borders[after[after < len(borders)]]
    parts: list[str] = []
    size = 0
    for start, end in pairwise([0, *np.unique(cuts).tolist(), len(text)]):
        parts.append(unicodedata.normalize("NFKC", text[start:end]))
        size += len(parts[-1])
        if size >= most:
            break
    return "".join(parts)


def _squeezed(text: str) -> str:
    if any(sign in text for sign in _BREAKS):
        return " ".join(text.split())
    while "  " in text:  # at most 17 times; there are few
        text = text.replace("  ", " ")
    return text.strip()


@cache
def _table() -> _Table:
    """Look at every code point once; 50 ms."""
    kinds = np.zeros(_TABLE + 1, np.uint8)
    kinds[_TABLE] = _OTHER
    becomes = np.arange(_TABLE + 1, dtype=np.uint32)
    begins_anew = np.ones(_TABLE + 1, np.bool_)
    begins_anew[_TABLE] = False
    seconds = {*_HANGUL_VOWELS_AND_FINALS, *_seconds_of_pairs()}
    for point in range(0x80, _TABLE):
        form = unicodedata.normalize("NFKC", chr(point))
        first = ord(form[0])
        begins_anew[point] = not (unicodedata.combining(form[0]) or {point, first} & seconds)
        if len(form) != 1 or not begins_anew[point]:
            kinds[point] = _OTHER
        elif first != point:
            kinds[point], becomes[point] = _BECOMES, first
    return _Table(kinds, becomes, begins_anew)


def _seconds_of_pairs() -> set[int]:
    """Code points of the table that may join the one before them."""
    found = set()
    for point in range(_TABLE):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            found.add(int(parts[1], 16))
    return found
