"""A topic as a model: plain numbers by term that say how relevant a text is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from crawler_project.relevance.topic.terms import LONGEST_REMEMBERED, MOST_REMEMBERED, TextTerms, chunks

_STEEPEST: Final = 700.0
"""exp() of more overflows."""


class LinearView(NamedTuple):
    """One linear decision on unit vectors: ``share · (Σ x_t · weight_t + bias)``, x_t = f_t · scale_t / length.

    ``length`` is the Euclidean length of all f_t · scale_t of the text. The vector of a text of no known term is zero.
    """

    share: float
    bias: float
    scales: Sequence[float]
    """By term, in the order of the model's vocabulary; such as log(N/n_t) for tfc (eq. 3)."""
    weights: Sequence[float]
    """By term; of the support vector machine."""


class TermShare(NamedTuple):
    """What a term adds to the decision about a text."""

    term: str
    times: int
    share: float


@dataclass(frozen=True, slots=True)
class TopicParts:
    """What a model consists of; what its file holds."""

    name: str
    method: str
    language: str
    vocabulary: Sequence[str]
    views: Sequence[LinearView]
    threshold: float = 0.0
    """Subtracted from the sum of the views: a text is relevant above it."""
    slope: float = 1.0
    """The probability of relevance is the logistic function of ``slope`` · score."""
    log_counts: bool = False
    """Whether f is 1 + log(count) instead of the count."""
    summary: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained; plain JSON values."""


class TopicModel:
    """Score texts. A score above 0 means relevant; the threshold is already subtracted.

    Built for single short texts: a word costs one look-up, no matrix is made. Pure: equal texts, equal scores.
    """

    def __init__(self, parts: TopicParts) -> None:
        self.parts = parts
        self.name = parts.name
        self.threshold = parts.threshold
        self._terms = TextTerms(parts.language)
        self._ids = {term: number for number, term in enumerate(parts.vocabulary)}
        self._rows = [
            tuple((view.scales[i] * view.weights[i] * view.share, view.scales[i] ** 2) for view in parts.views)
            for i in range(len(parts.vocabulary))
        ]
        self._single = [row[0] for row in self._rows] if len(parts.views) == 1 else []
        self._constant = sum(view.share * view.bias for view in parts.views) - parts.threshold
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def load(cls, path: str | Path) -> TopicModel:
        """Read a model file.

        Raises:
            ConfigurationError: there is no such file, or it is not one of ours.
            StateError: the file is damaged or of a newer version.
        """
        from crawler_project.relevance.topic.model_file import read_model_file

        return cls(read_model_file(path))

    def save(self, path: str | Path) -> None:
        """Write the model file."""
        from crawler_project.relevance.topic.model_file import write_model_file

        write_model_file(self.parts, path)

    def score_text(self, text: str) -> float:
        """Give the decision value of ``text``: above 0 is relevant. A text of no known term gets the constant part."""
        counts = self._counts(text)
        if not counts:
            return self._constant
        if self._single:
            return self._score_one(counts)
        return self._score_many(counts)

    def score_texts(self, texts: Iterable[str]) -> list[float]:
        """Give the decision value of each text."""
        return [self.score_text(text) for text in texts]

    def probability(self, score: float) -> float:
        """Give the probability (0 to 1) that a text of this score is relevant; 0.5 at 0."""
        return 1.0 / (1.0 + exp(max(-_STEEPEST, min(_STEEPEST, -self.parts.slope * score))))

    def knows(self, text: str) -> bool:
        """Whether any term of the text is known; the score of other texts says nothing."""
        return bool(self._counts(text))

    def explain(self, text: str) -> list[TermShare]:
        """Give what each known term adds to the score, the most telling first; the rest is constant.

        The shares and :attr:`constant` add up to the score.
        """
        counts = self._counts(text)
        lengths = self._lengths(counts)
        shares = []
        for number, count in counts.items():
            f = self._frequency(count)
            share = sum(f * w / length for (w, _), length in zip(self._rows[number], lengths, strict=True) if length)
            shares.append(TermShare(self.parts.vocabulary[number], count, share))
        return sorted(shares, key=lambda item: (-abs(item.share), item.term))

    @property
    def constant(self) -> float:
        """The score of an empty text."""
        return self._constant

    def _counts(self, text: str) -> dict[int, int]:
        counts: dict[int, int] = {}
        known = self._known
        for chunk, times in Counter(chunks(text)).items():
            numbers = known.get(chunk)
            if numbers is None:
                numbers = self._look_up(chunk)
            for number in numbers:
                counts[number] = counts.get(number, 0) + times
        return counts

    def _look_up(self, chunk: str) -> tuple[int, ...]:
        ids = self._ids
        numbers = tuple(ids[term] for term in self._terms.of_chunk(chunk) if term in ids)
        if len(chunk) <= LONGEST_REMEMBERED:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[chunk] = numbers
        return numbers

    def _frequency(self, count: int) -> float:
        return 1.0 + log(count) if self.parts.log_counts else float(count)

    def _score_one(self, counts: Mapping[int, int]) -> float:
        rows = self._single
        total = squares = 0.0
        for number, count in counts.items():
            weight, square = rows[number]
            if count == 1:  # most terms of a text: half the time
                total += weight
                squares += square
            else:
                f = self._frequency(count)
                total += f * weight
                squares += f * f * square
        return total / sqrt(squares) + self._constant if squares else self._constant

    def _lengths(self, counts: Mapping[int, int]) -> list[float]:
        squares = [0.0] * len(self.parts.views)
        for number, count in counts.items():
            f = self._frequency(count)
            for view, (_, square) in enumerate(self._rows[number]):
                squares[view] += f * f * square
        return [sqrt(square) for square in squares]

    def _score_many(self, counts: Mapping[int, int]) -> float:
        totals = [0.0] * len(self.parts.views)
        for number, count in counts.items():
            f = self._frequency(count)
            for view, (weight, _) in enumerate(self._rows[number]):
                totals[view] += f * weight
        lengths = self._lengths(counts)
        return sum(t / length for t, length in zip(totals, lengths, strict=True) if length) + self._constant
