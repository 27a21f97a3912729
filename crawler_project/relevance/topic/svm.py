"""Linear support vector machines, as plain numbers."""

from __future__ import annotations

import warnings
from typing import Final, NamedTuple

import numpy as np

from crawler_project.relevance.topic.examples import Floats, Mask, Matrix

_MOST_PASSES: Final = 5_000


class Plane(NamedTuple):
    """A linear decision on weighted texts: above 0 is positive."""

    weights: Floats
    bias: float

    def decide(self, texts: Matrix) -> Floats:
        """One decision value a row."""
        return np.asarray(texts @ self.weights).ravel() + self.bias


def train_svm(
    texts: Matrix, is_positive: Mask, *, c: float = 1.0, balanced: bool = False, importance: Floats | None = None
) -> Plane:
    """Train a linear SVM with hinge loss, as LIBSVM's ``-t 0 -c C`` (T5).

    Departure: LIBLINEAR is used, which is a hundred times faster and penalises the bias too.

    Args:
        texts: unit vectors, a row a text.
        is_positive: by row; both kinds must be there.
        c: cost of an error.
        balanced: weigh both classes equally, however many texts they have.
        importance: by row, a factor of ``c``.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    machine = LinearSVC(
        C=c, loss="hinge", class_weight="balanced" if balanced else None, max_iter=_MOST_PASSES, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(texts, is_positive, sample_weight=importance)
    return Plane(np.asarray(machine.coef_, float).ravel(), float(machine.intercept_[0]))


def train_one_class_svm(texts: Matrix, nu: float) -> Plane:
    """Train a one-class SVM (Schölkopf; T6) with linear kernel on positive texts alone.

    Args:
        texts: unit vectors, a row a text.
        nu: at most this share of ``texts`` is left outside.
    """
    from sklearn.svm import OneClassSVM

    machine = OneClassSVM(kernel="linear", nu=nu).fit(texts)
    weights = machine.coef_
    dense = weights.toarray() if hasattr(weights, "toarray") else weights
    return Plane(np.asarray(dense, float).ravel(), float(machine.intercept_[0]))
