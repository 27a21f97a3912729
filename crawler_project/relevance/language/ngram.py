"""N-gram text categorization of Cavnar and Trenkle, as TextCat does it."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.values import UNKNOWN, Relevance

PROFILES: Final = Path(__file__).parent / "data" / "ngram_profiles.txt"
UNKNOWN_ANSWER: Final = "UNKNOWN"
"""TextCat's answer when too many languages are about equally near."""
SHORT_ANSWER: Final = "SHORT"
"""TextCat's answer when there is too little text."""
_BETWEEN_WORDS: Final = re.compile(r"[\s\d_]+")


class NgramAnswer(NamedTuple):
    """What TextCat would print."""

    candidates: tuple[str, ...]
    """Codes, nearest first; empty for ``UNKNOWN`` and ``SHORT``."""
    score: float
    """1 where the profiles are equal, 0 where they share nothing."""
    verdict: str
    """The candidates in one line, ``UNKNOWN`` or ``SHORT``."""


class NgramIdentifier:
    """Identify a language by the ranks of its commonest n-grams.

    Source: W. B. Cavnar and J. M. Trenkle, *N-Gram-Based Text Categorization* (1994): words padded
    with blanks, n-grams of 1 to 5 bytes, the most frequent ones as a profile, and the out-of-place
    measure as distance. Chan and Yamana (Section 3) identify Chinese, Japanese and Korean pages by
    it, Somboonviwat et al. (Section 3.1) Thai ones. Thresholds are those of the TextCat library that the
    latter use: candidates lie within 3 % of the best distance, more than five are no answer. Like
    TextCat this counts bytes: with characters, which Chinese has so many of, 11 % of Chinese pages were
    right instead of 93. Departures: all profiles are of UTF-8 text, so that no language has
    one for each charset, and only the first ``max_characters`` are read (Section 3.1: 300 are enough).

    >>> NgramIdentifier().classify("이 문서는 한국어로 쓰였으며 길이가 충분히 깁니다.").candidates
    ('ko',)
    """

    def __init__(
        self,
        *,
        profiles: Path = PROFILES,
        profile_size: int = 400,
        max_characters: int = 1_000,
        min_bytes: int = 25,
        threshold: float = 1.03,
        max_candidates: int = 5,
    ) -> None:
        self.profile_size = profile_size
        self.max_characters = max_characters
        self.min_bytes = min_bytes
        self.threshold = threshold
        self.max_candidates = max_candidates
        self._languages, self._rows, self._ranks = _load(profiles, profile_size)

    @property
    def languages(self) -> frozenset[str]:
        """Codes that have a profile."""
        return frozenset(self._languages)

    def classify(self, text: str) -> NgramAnswer:
        """Compare ``text`` with every profile. Never raises."""
        text = text[: self.max_characters]
        if len("".join(filter(str.isalpha, text)).encode("utf-8", "ignore")) < self.min_bytes:
            return NgramAnswer((), 0.0, SHORT_ANSWER)
        ngrams = ngram_profile(text, self.profile_size)
        distances = self._distances(ngrams)
        best = float(distances.min())
        near = np.flatnonzero(distances <= best * self.threshold)
        order = near[np.argsort(distances[near], kind="stable")]
        candidates = tuple(dict.fromkeys(self._languages[at] for at in order))
        score = 1.0 - best / (len(ngrams) * self.profile_size)
        if len(candidates) > self.max_candidates or score <= 0.0:
            return NgramAnswer((), score, UNKNOWN_ANSWER)
        return NgramAnswer(candidates, score, " or ".join(candidates))

    def identify(self, text: str) -> Relevance:
        """Give the nearest language; ``und`` for ``UNKNOWN`` and ``SHORT``."""
        answer = self.classify(text)
        label = answer.candidates[0] if answer.candidates else UNKNOWN
        return Relevance(False, answer.score if answer.candidates else 0.0, label, f"ngram {answer.verdict}")

    def _distances(self, ngrams: list[bytes]) -> npt.NDArray[np.int64]:
        """Out-of-place distance to each profile: what is missing there counts ``profile_size``."""
        rows = np.array([self._rows.get(ngram, -1) for ngram in ngrams])
        places = np.arange(len(ngrams), dtype=np.int64)[rows >= 0]
        ranks = self._ranks[rows[rows >= 0]].astype(np.int64)
        out_of_place = np.abs(ranks - places[:, None])
        out_of_place[ranks < 0] = self.profile_size
        missing = int((rows < 0).sum()) * self.profile_size
        distances: npt.NDArray[np.int64] = out_of_place.sum(axis=0) + missing
        return distances


def count_ngrams(text: str) -> Counter[bytes]:
    """Count the n-grams (n = 1 to 5 bytes of UTF-8) of the words in ``text``, each between two blanks (``_``)."""
    counts: Counter[bytes] = Counter()
    for word in _BETWEEN_WORDS.split(text):
        if word:
            padded = b"_%b_" % word.encode("utf-8", "ignore")
            for n in range(1, 6):
                counts.update([padded[at : at + n] for at in range(len(padded) - n + 1)])
    return counts


def ngram_profile(text: str, size: int) -> list[bytes]:
    """Give the ``size`` most frequent n-grams of ``text``, ties by n-gram."""
    ranked = sorted(count_ngrams(text).items(), key=lambda item: (-item[1], item[0]))
    return [ngram for ngram, _ in ranked[:size]]


@lru_cache(maxsize=4)
def _load(path: Path, size: int) -> tuple[list[str], dict[bytes, int], npt.NDArray[np.int16]]:
    """Read profiles into a matrix of ranks, n-grams down and languages across; -1: not in the profile."""
    profiles: dict[str, list[bytes]] = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        language, _, ngrams = line.partition("\t")
        if language:
            profiles[language] = [ngram.encode("latin-1") for ngram in ngrams.split(" ")][:size]
    rows: dict[bytes, int] = {}
    for profile in profiles.values():
        for ngram in profile:
            rows.setdefault(ngram, len(rows))
    ranks = np.full((len(rows), len(profiles)), -1, dtype=np.int16)
    for column, profile in enumerate(profiles.values()):
        ranks[[rows[ngram] for ngram in profile], column] = np.arange(len(profile))
    return list(profiles), rows, ranks
