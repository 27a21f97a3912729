"""Logistic regression over classes of evidence, learned one page at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt

from crawler_project.strategies.learning.features import GROUPS, N_WEIGHTS, first_weights, group_of
from crawler_project.strategies.learning.stored import are_numbers, are_records, is_count, is_course

RATE = 0.3
"""First step of a weight, in log-odds. From 0.15 to 0.5 results differ by two points."""
LEAST_RATE = 0.01
"""A step never gets shorter: what is left to find late is unlike what was found early."""
WAY_RATE = 0.8
"""The same of a word that says what pages lead to: such pages are few, and one may lead to very many."""
MOST_FACTOR = 3.0
"""In natural logarithms, either way."""
MOST = 30.0
"""Log-odds beyond which nothing is told apart."""
BINS = 10
LEARNED = 2.0
"""Squared gradients of a class that has learned something: from one on, which all begin with."""
FIRST_MOMENT = 100
"""Examples before the first entry of the history; each further entry comes a fifth later, 50 entries a million."""


class OnlineModel:
    """Weights in log-odds, one a class; the score of a link is the sum of the weights of its classes.

    Source: logistic regression by stochastic gradient descent; each weight has its own step, which shrinks with
    the gradients that it has seen (Duchi, Hazan & Singer 2011, "Adaptive subgradient methods", AdaGrad).
    Departs from it: steps have a least length.
    """

    __slots__ = ("calibration", "course", "examples", "gradients", "history", "spread", "weights")

    def __init__(self, weights: Sequence[float] = (), gradients: Sequence[float] = ()) -> None:
        """Start from given weights and sums of squared gradients, or from the first ones."""
        self.weights = list(weights) if weights else first_weights()
        self.gradients = list(gradients) if gradients else [1.0] * N_WEIGHTS
        self.examples = 0
        """Pages learned from."""
        self.calibration = [[0, 0.0, 0] for _ in range(BINS)]
        """For each tenth of predicted chance: pages, sum of the predictions, target pages."""
        self.spread = {name: [0.0, 0.0] for name in GROUPS}
        """For each group: sums of its contributions and of their squares."""
        self.history: list[dict[str, float]] = []
        """Examples, share of target pages and worth of each group, at moments that get rarer."""
        self.course: list[dict[str, float]] = []
        """At the same moments, by number, the weights of the classes that had learned something by then."""

    def score(self, classes: Iterable[int]) -> float:
        """Give the log-odds that a link leads to a target page."""
        return sum(map(self.weights.__getitem__, classes))

    def learn(self, classes: Sequence[int], is_target: bool, expected: float | None = None) -> float:
        """Learn from one downloaded page; returns the chance that was predicted.

        Args:
            expected: the chance that the page was given in the end, by which it is calibrated; ``None``: that one.
        """
        chance = chance_of(self.score(classes))
        self._step(classes, chance - is_target)
        self._note(classes, chance if expected is None else expected, is_target)
        if self.examples >= self._next_moment():
            self._remember()
        return chance

    def factor(self, words: Iterable[int]) -> float:
        """How much more than others of their way pages of these words lead to.

        Source: Rennie & McCallum 1999 ("Using reinforcement learning to spider the Web efficiently"): words around a
        link say what it leads to later. Departs from it: a Poisson regression, learned with each page.
        """
        weights = self.weights
        return exp(min(MOST_FACTOR, max(-MOST_FACTOR, sum([weights[row] for row in words]))))

    def learn_way(self, words: Sequence[int], more: float) -> None:
        """Learn that pages of these words lead to so many target pages more than was expected."""
        self._step(words, -more, WAY_RATE)
        self._note_spread(words)

    def worth(self) -> dict[str, float]:
        """Give for each group the standard deviation of its contributions, in log-odds: how much it decided."""
        count = max(1, self.examples)
        return {
            name: sqrt(max(0.0, squares / count - (total / count) ** 2))
            for name, (total, squares) in self.spread.items()
        }

    def mix(self, others: Sequence[tuple[Mapping[int, float], Mapping[int, float]]]) -> None:
        """Take the mean with the weights of other workers, each weighted by the gradients that it has beyond this one's.

        Source: federated averaging (McMahan et al. 2017, "Communication-efficient learning of deep networks from
        decentralized data"). Departs from it: by weight instead of by worker, and only who has seen a class more often
        is asked. Workers hear each other's lessons, so a note is mostly an older state of the same; a mean with it would
        undo what was learned since.

        Args:
            others: of each worker (weights, sums of squared gradients) of the classes that it has seen.
        """
        for row, own in enumerate(self.gradients):
            total, mass = (own - 1.0) * self.weights[row], own - 1.0
            for weights, gradients in others:
                more = gradients[row] - own if row in weights else 0.0
                if more > 0:
                    total += more * weights[row]
                    mass += more
            if mass > own - 1.0:
                self.weights[row] = total / mass

    def to_json(self) -> str:
        """Write everything, to the last digit."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def from_json(cls, text: str) -> OnlineModel:
        """Read what :meth:`to_json` wrote.

        Raises:
            ValueError: it is damaged.
            KeyError, TypeError, AttributeError: JSON of another kind.
        """
        model, stored = cls(), json.loads(text)
        calibration, spread, history = (stored[name] for name in ("calibration", "spread", "history"))
        is_right = {
            "weights": are_numbers(stored["weights"], N_WEIGHTS),
            "gradients": are_numbers(stored["gradients"], N_WEIGHTS, 1.0),
            "examples": is_count(stored["examples"]),
            "calibration": len(calibration) == BINS and all(are_numbers(cell, 3, 0) for cell in calibration),
            "spread": spread.keys() == GROUPS.keys() and all(are_numbers(sums, 2) for sums in spread.values()),
            "history": are_records(history, ("examples", "target_share")),
            "course": is_course(stored["course"], len(history)),
        }
        for name in cls.__slots__:
            if not is_right[name]:
                raise ValueError(f"{name} of the learned model are damaged")
            setattr(model, name, stored[name])
        return model

    def _step(self, classes: Sequence[int], error: float, rate: float = RATE) -> None:
        weights, gradients, square = self.weights, self.gradients, error * error
        for row in classes:
            gradients[row] += square
            weights[row] -= error * max(LEAST_RATE, rate / sqrt(gradients[row]))

    def _next_moment(self) -> float:
        return 1.2 * self.history[-1]["examples"] if self.history else FIRST_MOMENT

    def _remember(self) -> None:
        targets = sum(cell[2] for cell in self.calibration)
        worth = {name: round(value, 4) for name, value in self.worth().items()}
        self.history.append({"examples": self.examples, "target_share": round(targets / self.examples, 4)} | worth)
        pairs = enumerate(zip(self.weights, self.gradients, strict=True))
        self.course.append({str(row): round(weight, 3) for row, (weight, gradient) in pairs if gradient > LEARNED})

    def _note(self, classes: Sequence[int], chance: float, is_target: bool) -> None:
        self.examples += 1
        cell = self.calibration[min(BINS - 1, int(chance * BINS))]
        cell[0] += 1
        cell[1] += chance
        cell[2] += is_target
        self._note_spread(classes)

    def _note_spread(self, classes: Sequence[int]) -> None:
        added: dict[str, float] = {}
        for row in classes:
            name = _GROUP_NAMES[row]
            added[name] = added.get(name, 0.0) + self.weights[row]
        for name, weight in added.items():
            sums = self.spread[name]
            sums[0] += weight
            sums[1] += weight * weight


_GROUP_NAMES = [group_of(row).name for row in range(N_WEIGHTS)]


def chance_of(score: float) -> float:
    """Turn log-odds into a chance, 0 to 1."""
    return 1.0 / (1.0 + exp(-min(MOST, max(-MOST, score))))


def log_odds(chance: float) -> float:
    """Turn a chance above 0 and below 1 into log-odds."""
    return log(chance / (1.0 - chance))
