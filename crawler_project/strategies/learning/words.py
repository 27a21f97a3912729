"""The words of addresses and anchors, as classes of evidence: hashed, so that no list of words is needed in any language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from zlib import crc32

from crawler_project.strategies.learning.features import (
    ANCHOR_WORD,
    ANCHOR_WORDS,
    MOST_WORDS,
    WAY_ANCHOR_WORD,
    WAY_WORD,
    WAY_WORDS,
    WORD,
    WORDS,
)

LONGEST_ANCHOR = 200
"""Characters of an anchor that are looked at."""
_IN_PATH = re.compile("[A-Za-z]{2,12}")
_RUNS = re.compile(r"[^\W\d_]{2,}")
_WITHOUT_SPACES = "\u0e00"
"""Thai, and what comes after it: Chinese and Japanese put no spaces between words, Korean adds endings to them."""


def path_words(url: str, start: int) -> tuple[int, ...]:
    """Give the classes of the words in ``url`` from a place on, each once; numbers and single letters say nothing."""
    found = _IN_PATH.findall(url, start)
    return _classes(" ".join(found[:MOST_WORDS]).lower(), WORD, WORDS) if found else ()


@lru_cache(maxsize=1 << 15)
def anchor_words(text: str) -> tuple[int, ...]:
    """Give the classes of the words of an anchor, each once; pairs of letters where words are not told apart by spaces."""
    found = _RUNS.findall(text[:LONGEST_ANCHOR].lower())
    if not text.isascii():
        found = list(islice(_pairs_apart(found), MOST_WORDS))
    return _classes(" ".join(found[:MOST_WORDS]), ANCHOR_WORD, ANCHOR_WORDS)


def way_words_of_path(words: Sequence[int]) -> tuple[int, ...]:
    """Give the classes by which the words of a path say what its page leads to: the name of a page is at the end."""
    return tuple([row - WORD + WAY_WORD for row in words[-WAY_WORDS:]])


def way_words_of_anchor(words: Sequence[int]) -> tuple[int, ...]:
    """Give the classes by which the words of an anchor say what its page leads to."""
    return tuple([row - ANCHOR_WORD + WAY_ANCHOR_WORD for row in words[:WAY_WORDS]])


def _classes(words: str, start: int, size: int) -> tuple[int, ...]:
    """Give the classes of words with spaces between them, each once."""
    return tuple(dict.fromkeys([start + code % size for code in map(crc32, words.encode().split())]))


def _pairs_apart(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if run[0] < _WITHOUT_SPACES or len(run) == 2:
            yield run
        else:
            yield from [run[at : at + 2] for at in range(len(run) - 1)]
