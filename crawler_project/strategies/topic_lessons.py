"""What followed links turned out to be worth, and the linear model that is learned from it."""

from __future__ import annotations

import json
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from crawler_project.strategies.topic_evidence import WEIGHTS, LinkEvidence, unpack

FIRST: Final = 0.2
"""Value of a link whose texts score 0, before anything is learned."""
SHARES: Final = (0.3, 0.3, 0.4)
"""Of block, anchor and context in a link's value at the start."""
PRIOR: Final = 0.25
"""Weight of these scores against what is learned."""
RIDGE: Final = 10.0
"""Penalty on the squares of the weights."""
REHEARSED: Final = 30
"""Earlier pages that are learned from again with each download."""
HUB: Final = 0.6
"""Worth of a page that leads to :data:`ENOUGH` relevant ones, or more, in relevant pages."""
ENOUGH: Final = 8
MOST_LESSONS: Final = 20_000
"""Pages that are remembered; what older ones have taught stays in the weights."""

Features = tuple[tuple[int, float], ...]


class LinkLessons:
    """Predict the worth of links by ridge regression on their features, learned one page at a time.

    Source: dual coordinate descent (Hsieh et al. 2008, "A dual coordinate descent method for large-scale linear SVM")
    with squared loss and squared penalty: a step solves one lesson exactly while all others are held fast, so no
    learning rate is needed. The worth of a page is 1 when it is relevant, and up to :data:`HUB` for relevant
    pages found through it: credit for hubs, as in Rennie and McCallum 1999 ("Using reinforcement learning to spider the
    Web efficiently").
    """

    def __init__(self) -> None:
        self.weights = array("d", bytes(8 * WEIGHTS))
        self._lessons: OrderedDict[int, _Lesson] = OrderedDict()
        """By the key of the page that was downloaded; the next to be rehearsed first."""

    def __contains__(self, page: int) -> bool:
        return page in self._lessons

    def value(self, first: float, features: Features) -> float:
        """Give the expected worth of a link, in relevant pages; ``first``: :func:`value_at_first`."""
        weights = self.weights
        return first + sum([weights[slot] * x for slot, x in features])

    def learn(self, page: int, evidence: str, is_target: bool) -> None:
        """Take in what the link with this evidence led to; text that is no evidence teaches nothing."""
        link = unpack(evidence)
        if link is None:
            return
        lesson = _Lesson(evidence, link.parent, is_target)
        self._lessons.pop(page, None)
        parent = self._lessons.get(link.parent)
        if is_target and parent is not None:
            parent.found += 1
            self._step(parent)
        self._step(lesson)
        for _ in range(min(REHEARSED, len(self._lessons))):
            number, earlier = next(iter(self._lessons.items()))
            self._lessons.move_to_end(number)
            self._step(earlier)
        self._lessons[page] = lesson
        if len(self._lessons) > MOST_LESSONS:
            self._lessons.popitem(last=False)

    def state(self) -> dict[str, bytes]:
        """All that was learned, by name."""
        rows = [[page, *lesson.row()] for page, lesson in self._lessons.items()]
        return {"weights": self.weights.tobytes(), "lessons": json.dumps(rows).encode()}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Take over what :meth:`state` gave.

        Raises:
            ValueError: it is damaged.
        """
        weights = array("d")
        weights.frombytes(state["weights"])
        if len(weights) != WEIGHTS:
            raise ValueError(f"{len(weights)} weights where {WEIGHTS} are needed")
        rows: Iterable[list[object]] = json.loads(state["lessons"])
        self._lessons = OrderedDict((int(page), _Lesson(*rest)) for page, *rest in rows)  # type: ignore[call-overload,arg-type]
        self.weights = weights

    def _step(self, lesson: _Lesson) -> None:
        if not lesson.features and (link := unpack(lesson.evidence)):
            lesson.first, lesson.features = value_at_first(link), features_of(link)
            lesson.curvature = 1.0 + sum(x * x for _, x in lesson.features) / RIDGE
        worth = lesson.is_target + HUB * min(lesson.found, ENOUGH) / ENOUGH
        change = (worth - self.value(lesson.first, lesson.features) - lesson.dual) / lesson.curvature
        lesson.dual += change
        weights, share = self.weights, change / RIDGE
        for slot, x in lesson.features:
            weights[slot] += share * x


@dataclass(slots=True)
class _Lesson:
    """A followed link, and what became of it."""

    evidence: str
    parent: int
    is_target: bool
    found: int = 0
    """Relevant pages found through it."""
    dual: float = 0.0
    """Its dual variable: at the optimum its error."""
    first: float = 0.0
    features: Features = ()
    """Unpacked when they are first needed."""
    curvature: float = 1.0

    def row(self) -> tuple[str, int, bool, int, float]:
        return self.evidence, self.parent, self.is_target, self.found, self.dual


def value_at_first(link: LinkEvidence) -> float:
    """Give the value of a link before anything is learned: the weighted mean of its scores."""
    return FIRST + PRIOR * sum(share * score for share, score in zip(SHARES, link.scores, strict=True))


def features_of(link: LinkEvidence) -> Features:
    """Give the slots of a link with their values."""
    return tuple(link.features().items())
