"""Positive and unlabelled texts as matrices of counts: what every method learns from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from crawler_project.relevance.topic.terms import TextTerms

LEAST_TEXTS: Final = 5
"""T1: a term is a feature when this many texts of P and U have it."""

Matrix = Any
"""A ``scipy.sparse.csr_matrix`` of float64: a row a text, a column a term."""
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examples:
    """Counts of terms in the positive texts P and the unlabelled texts U, over one vocabulary."""

    vocabulary: tuple[str, ...]
    positive: Matrix
    unlabelled: Matrix

    @classmethod
    def of_texts(
        cls,
        positive: Iterable[str],
        unlabelled: Iterable[str],
        terms: TextTerms,
        least_texts: int = LEAST_TEXTS,
    ) -> Examples:
        """Count the terms that ``least_texts`` texts of both kinds together have (T1)."""
        return cls.of_counts(
            [count_terms(text, terms) for text in positive],
            [count_terms(text, terms) for text in unlabelled],
            least_texts,
        )

    @classmethod
    def of_counts(
        cls, p: Sequence[Mapping[str, int]], u: Sequence[Mapping[str, int]], least_texts: int = LEAST_TEXTS
    ) -> Examples:
        """The same of texts that are counted already, by term."""
        texts_with: Counter[str] = Counter()
        for counts in (*p, *u):
            texts_with.update(counts.keys())
        vocabulary = tuple(sorted(term for term, texts in texts_with.items() if texts >= least_texts))
        return cls(vocabulary, to_matrix(p, vocabulary), to_matrix(u, vocabulary))


def count_terms(text: str, terms: TextTerms) -> Counter[str]:
    """How often each term stands in ``text``."""
    return Counter(terms.terms(text))


def to_matrix(counts: Sequence[Mapping[str, int]], vocabulary: Sequence[str]) -> Matrix:
    """One row for each text; terms that are not in the vocabulary are left out."""
    from scipy.sparse import csr_matrix

    columns = {term: column for column, term in enumerate(vocabulary)}
    ends, where, values = [0], [], []
    for row in counts:
        for term, times in row.items():
            if term in columns:
                where.append(columns[term])
                values.append(float(times))
        ends.append(len(where))
    shape = (len(counts), len(vocabulary))
    return csr_matrix((np.array(values, float), np.array(where, np.int32), np.array(ends, np.int64)), shape=shape)


def texts_with_term(counts: Matrix) -> Floats:
    """In how many texts each term stands: freq(t, D) of the paper."""
    return np.bincount(counts.indices[counts.data > 0], minlength=counts.shape[1]).astype(float)
