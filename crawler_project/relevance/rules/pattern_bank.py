"""All regular expressions of a rule set, tried on a text in one linear pass.

The engine is RE2: its time is linear in the text whatever the expression is, so no page and no rule can hang
a crawl (V9). What it cannot do in linear time (look-around, back-references) it refuses when it is compiled.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

import re2

LARGEST_PROGRAM: Final = 20_000
"""Instructions of a compiled expression. Counted repeats within counted repeats grow beyond all memory."""
LONGEST_PATTERN: Final = 10_000
_MEMORY: Final = 32 << 20
_ALWAYS: Final = ""
"""Matches every text: its absence says that the one pass ran out of memory, and the patterns are tried singly."""
_META: Final = frozenset("\\.+*?()|[]{}^$")


class BadPatternError(ValueError):
    """An expression that the engine refuses; the message says why."""


class PatternBank:
    """Expressions by number, case ignored, compiled once.

    Args:
        patterns: in the engine's syntax (https://github.com/google/re2/wiki/Syntax). Compatibility
            characters in them (a full-width colon) are written as in the texts, which are in NFKC.

    Raises:
        BadPatternError: the engine refuses one.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [compile_pattern(pattern) for pattern in patterns]
        self._at_once = re2.Set.SearchSet(_options(_MEMORY))
        for pattern in (*patterns, _ALWAYS):
            self._at_once.Add(normalised_pattern(pattern))
        self._at_once.Compile()

    def __len__(self) -> int:
        return len(self._patterns)

    def found_in(self, text: bytes) -> frozenset[int]:
        """Give the numbers of the expressions that match anywhere in ``text`` (UTF-8)."""
        found = frozenset(self._at_once.Match(text) or ())
        if len(self._patterns) in found:
            return found - {len(self._patterns)}
        return frozenset(number for number, pattern in enumerate(self._patterns) if pattern.search(text))

    def first_match(self, number: int, text: str) -> str:
        """Give the first piece of ``text`` that an expression matches; empty when none does."""
        found = self._patterns[number].search(text.encode("utf-8", "replace"))
        return found[0].decode("utf-8", "replace") if found else ""


def compile_pattern(pattern: str) -> re2._Regexp:
    """Compile one expression for texts in UTF-8.

    Raises:
        BadPatternError: it is no expression, or too large a one.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise BadPatternError(f"longer than {LONGEST_PATTERN:,} characters")
    try:
        compiled = re2.compile(normalised_pattern(pattern).encode(), options=_options(_MEMORY))
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPatternError(_reason(error)) from error
    if compiled.programsize > LARGEST_PROGRAM:
        raise BadPatternError(f"too large when compiled ({compiled.programsize:,} of {LARGEST_PROGRAM:,} instructions)")
    if compiled.search(b"") is not None:
        raise BadPatternError("it matches the empty text, and so every page")
    return compiled


def normalised_pattern(pattern: str) -> str:
    """Bring compatibility characters into the form that they have in texts; their new signs stay plain characters."""
    return "".join(char if char.isascii() else _normalised(char) for char in unicodedata.normalize("NFC", pattern))


def _normalised(char: str) -> str:
    form = unicodedata.normalize("NFKC", char)
    return form if form == char else "".join("\\" + sign if sign in _META else sign for sign in form)


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else error
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return "a lone surrogate in it" if isinstance(error, UnicodeEncodeError) else text


def _options(memory: int) -> re2.Options:
    options = re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.log_errors = False
    options.max_mem = memory
    return options
