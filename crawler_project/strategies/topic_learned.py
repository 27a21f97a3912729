"""A topic crawl that learns which links are worth following from what followed links turned out to be."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Strategy
from crawler_project.strategies.parameters import parse_value
from crawler_project.strategies.topic_admission import Refused, of_anchor, of_block, of_context
from crawler_project.strategies.topic_evidence import SLOTS, LinkEvidence, evidence_of, pack, page_key, unpack

FIRST = 0.2
"""Value of a link whose texts score 0, before anything is learned."""
SHARES = (0.3, 0.3, 0.4)
"""Of block, anchor and context in a link's value at the start."""
PRIOR = 0.5
"""Weight of these scores against what is learned."""
RIDGE = 30.0
"""Penalty on the squares of the weights."""
REHEARSED = 8
"""Earlier pages that are learned from again with each download."""
HUB = 0.3
"""Worth of a page that leads to :data:`ENOUGH` relevant ones, or more, in relevant pages."""
ENOUGH = 8
CENTRE = 4.0
"""Priority of a link of value 0; lower is sooner, and never below 0."""
MARGIN = 0.05
"""A selected URL is put back only if its value has fallen by more."""


class TopicLearned(Strategy):
    """Follow the links of the highest expected value first, as learned from the downloads so far.

    Source: our own, starting from the three texts of CBP-SLC (Algorithm 4): the value of a link is first a weighted
    mean of the scores of its block, anchor and context. A linear model of the words of anchor, context and
    URL adds what was learned: ridge regression by dual coordinate descent (Hsieh et al. 2008), a few steps a
    download. A page is worth 1 when it is relevant, and up to :data:`HUB` for the relevant pages found through it: credit for
    hubs, as in Rennie and McCallum 1999 ("Using reinforcement learning to spider the Web efficiently").

    Plain data, nothing random: equal pages in equal order give equal answers. ``refused=hard`` drops what CBP-SLC
    refuses.
    """

    name: ClassVar[str] = "topic_learned"
    inherit: bool = False

    def __init__(self, refused: Refused = "soft") -> None:
        parse_value(self.name, "refused", Refused, refused)
        self.refused = refused
        self.weights = array("d", bytes(8 * SLOTS))
        self._lessons: dict[int, _Lesson] = {}
        """By the key of the page that was downloaded."""
        self._order: list[int] = []
        self._next = 0

    def parameters(self) -> dict[str, object]:
        return {"refused": self.refused}

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [
            None
            if self.refused == "hard" and not (of_block(link) or of_anchor(link) or of_context(link))
            else _priority(self.value(evidence_of(visit, link)))
            for link in links
        ]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """The rule of CBP-SLC that admits the link, or that it is refused; and its value as learned so far."""
        admission = of_block(link) or of_anchor(link) or of_context(link)
        rule = f"{admission.rule} {admission.score:.2f}" if admission else "refused"
        return f"{rule}, learned {CENTRE - priority:.2f}"

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return pack(evidence_of(visit, link))

    def value(self, link: LinkEvidence) -> float:
        """Give the expected worth of a link, in relevant pages."""
        start = sum(share * score for share, score in zip(SHARES, link.scores, strict=True))
        weights = self.weights
        return FIRST + PRIOR * start + sum(weights[slot] * x for slot, x in link.features().items())

    def learn_one(self, evidence: str, visit: Visit) -> None:
        link = unpack(evidence)
        if link is None:
            return
        key = page_key(visit.url)
        if key not in self._lessons:
            self._order.append(key)
        self._lessons[key] = _Lesson(evidence, link.parent, visit.is_target)
        parent = self._lessons.get(link.parent)
        if visit.is_target and parent is not None and link.parent != key:
            parent.found += 1
            self._rehearse(parent)
        self._rehearse(self._lessons[key])
        for _ in range(min(REHEARSED, len(self._order))):
            self._next = (self._next + 1) % len(self._order)
            self._rehearse(self._lessons[self._order[self._next]])

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        link = unpack(evidence)
        if link is None:
            return None
        now = _priority(self.value(link))
        return now if now > priority + MARGIN else None

    def state(self) -> dict[str, bytes]:
        lessons = [[key, *self._lessons[key].row()] for key in self._order]
        return {"weights": self.weights.tobytes(), "lessons": json.dumps([self._next, lessons]).encode()}

    def restore(self, state: Mapping[str, bytes]) -> None:
        weights = array("d")
        weights.frombytes(state["weights"])
        if len(weights) != SLOTS:
            raise ValueError(f"{len(weights)} weights where {SLOTS} are needed")
        self._next, rows = json.loads(state["lessons"])
        self.weights = weights
        self._lessons = {int(key): _Lesson(*rest) for key, *rest in rows}
        self._order = list(self._lessons)

    def _rehearse(self, lesson: _Lesson) -> None:
        """Take one step of dual coordinate descent: exact for this lesson, the others held fast."""
        link = unpack(lesson.evidence)
        if link is None:
            return
        features = link.features()
        worth = lesson.is_target + HUB * min(lesson.found, ENOUGH) / ENOUGH
        length = sum(x * x for x in features.values())
        change = (worth - self.value(link) - lesson.dual) / (1.0 + length / RIDGE)
        lesson.dual += change
        for slot, x in features.items():
            self.weights[slot] += change * x / RIDGE


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

    def row(self) -> tuple[str, int, bool, int, float]:
        return self.evidence, self.parent, self.is_target, self.found, self.dual


def _priority(value: float) -> float:
    return max(0.0, CENTRE - value)
