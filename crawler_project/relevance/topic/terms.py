"""A text as terms: words without stop words, stemmed; character n-grams where words have no spaces (T1)."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from operator import add
from typing import Final

import Stemmer

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.topic.stop_words import ENGLISH

PAIRS: Final = "\u1100-\u11ff\u3005-\u3007\u3031-\u3035\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
"""Hangul, Kana, Bopomofo and Han: a term is two characters."""
QUADS: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f00-\u0fff\u1000-\u109f\u1780-\u17dd\u1950-\u19df\u1a20-\u1aad\uaa60-\uaadf"
"""Thai, Lao, Tibetan, Burmese, Khmer, Tai scripts: letters of an alphabet without spaces, so a term is four of them."""
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
"""Combining marks and Indic vowel signs, which ``\\w`` does not take for parts of a word."""
_NO_WORD = rf"\W_{PAIRS}{QUADS}"
_RUNS: Final = re.compile(rf"[{PAIRS}]+|[{QUADS}]+|(?:[^{_NO_WORD}]|[{_MARKS}])+")
_PAIR: Final = re.compile(rf"[{PAIRS}]")
_QUAD: Final = re.compile(rf"[{QUADS}]")
_CHUNKS: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f\s]+")

STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "porter", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball's algorithm by language; English has Porter's of 1980, as the paper."""
WITHOUT_SPACES: Final = frozenset({"bo", "dz", "ja", "km", "ko", "lo", "my", "th", "yue", "zh"})
"""Languages whose terms are character n-grams (Korean has spaces, but its particles stick to the words)."""
MOST_REMEMBERED: Final = 200_000
LONGEST_REMEMBERED: Final = 20
"""Characters; a longer run is a clause of Chinese or Thai that does not come again."""


class TextTerms:
    """Turn texts into terms. Pure: equal texts, equal terms.

    Scripts decide run by run, so mixed texts work: ``Ruby言語`` gives ``rubi`` and ``言語`` whatever the
    language. The language chooses the stemmer and the stop words of the runs that are words.

    Args:
        language: ISO 639 code. Without a stemmer for it words stay as they are; English in Korean,
            Japanese, Chinese, Thai … texts is stemmed as English.

    Raises:
        ConfigurationError: no language code.
    """

    def __init__(self, language: str = "en") -> None:
        if not re.fullmatch(r"[a-z]{2,3}(?:-[A-Za-z0-9]+)*", language):
            raise ConfigurationError(
                f"language={language!r} is no language code; give an ISO 639 code such as en, ko, ja, zh or th"
            )
        self.language = language.partition("-")[0]
        words = "en" if self.language in WITHOUT_SPACES else self.language
        self._stop_words: frozenset[str] = ENGLISH if words == "en" else frozenset()
        self._stem = Stemmer.Stemmer(STEMMERS[words]).stemWord if words in STEMMERS else str
        self._known: dict[str, tuple[str, ...]] = {}

    @property
    def method(self) -> str:
        """How texts of the language are cut, in a few words for people."""
        if self.language in WITHOUT_SPACES:
            return "character n-grams; Latin words stemmed as English"
        return (
            f"words, {STEMMERS[self.language]} stemmer"
            if self.language in STEMMERS
            else "words as they are, no stemmer"
        )

    def terms(self, text: str) -> list[str]:
        """All terms of ``text`` in order, repeats kept; never raises, whatever is in the text."""
        return [term for chunk in chunks(text) for term in self.of_chunk(chunk)]

    def of_chunk(self, chunk: str) -> tuple[str, ...]:
        """The terms of one of :func:`chunks`; remembered."""
        known = self._known.get(chunk)
        if known is None:
            found = (chunk,) if chunk.isascii() else _RUNS.findall(chunk)
            known = tuple(term for run in found for term in self._cut(run))
            if len(chunk) <= LONGEST_REMEMBERED:
                if len(self._known) >= MOST_REMEMBERED:
                    self._known.clear()
                self._known[chunk] = known
        return known

    def _cut(self, run: str) -> Iterator[str]:
        if _PAIR.match(run):
            yield from map(add, run, run[1:]) if len(run) > 1 else (run,)
        elif _QUAD.match(run):
            yield from (run[i : i + 4] for i in range(max(1, len(run) - 3)))
        elif len(run) > 1 and not run[0].isdecimal() and run not in self._stop_words:
            yield sys.intern(self._stem(run))


def chunks(text: str) -> list[str]:
    """Cut ``text``, in lower case and compatibility form (NFKC), at white space and ASCII punctuation.

    One cheap pass: what a chunk consists of is found out once for each different chunk.
    """
    return _CHUNKS.findall(unicodedata.normalize("NFKC", text).lower())
