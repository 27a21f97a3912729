"""All that a crawl learns of its links, and weighing links by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple, Self

from crawler_project.strategies.learning.answers import answers_of, offset_of_host, worth_if_answered
from crawler_project.strategies.learning.features import HOST
from crawler_project.strategies.learning.lessons import Lesson
from crawler_project.strategies.learning.lookup import AsFound, Kept, Lookup, Place, unpack
from crawler_project.strategies.learning.memory import TABLES, CrawlMemory
from crawler_project.strategies.learning.model import MOST_FACTOR, OnlineModel, chance_of
from crawler_project.strategies.learning.new_hosts import NewHosts
from crawler_project.strategies.learning.ways import LEAST, Ways, lift, share
from crawler_project.strategies.learning.words import way_words_of_anchor
from crawler_project.strategies.learning.yield_estimate import YieldEstimate

_LEAST_WORTH = LEAST * exp(-MOST_FACTOR)
"""Of a way, below which no words make it worth anything."""
Weighed = tuple[float, float, list[int], float, float, float]
"""Of a link: its worth in log-odds, how much of that is its host's, its classes, the log-odds of its page to be on target, target pages
that it leads to otherwise, and the share of such requests that give a page. A plain tuple: one with names costs 6 % of a link's time."""


class Learned(NamedTuple):
    """What a download was thought to be before it was learned from."""

    chance: float
    """With which its page was expected to be on target; an even one for seeds."""
    found: AsFound


class Learner:
    """The chance that a link leads to a target page, what it leads to otherwise, and whether there is a page at all.

    Source: our own, see docs/adaptive.md. Each of the parts has its own: :class:`OnlineModel`, :class:`Ways` and ``answers.py``.
    """

    def __init__(self, model: OnlineModel | None = None, ways: Ways | None = None) -> None:
        """Begin with nothing, or with what another crawl has learned."""
        self.model = model or OnlineModel()
        self.ways = ways or Ways()
        self.memory = CrawlMemory()
        self.lookup = Lookup(self.memory)
        self.expected = YieldEstimate()
        self.new_hosts = NewHosts()
        self._answering: dict[tuple[int, int], tuple[float, float]] = {}
        """By slots of host and directory, until something more is learned: the share of answers, and what that adds to the host's worth."""

    def weigh(self, kept: Kept, place: Place) -> Weighed:
        """Weigh a link as things stand now."""
        classes, way = self.lookup.classes(kept, place)
        weights, leads_on = self.model.weights, self.ways.worth[way]
        worth = score = self._bounded(classes, sum(map(weights.__getitem__, classes)))
        of_host = weights[classes[-1]]
        if leads_on >= _LEAST_WORTH:
            words = (*place.way_words, *way_words_of_anchor(kept.words))
            leads_on *= self.model.factor(words) if words else 1.0
            worth = lift(score, leads_on)
        if not self.memory.is_any_gone:
            return worth, of_host, classes, score, leads_on, 1.0
        answers, more = self._answers_at(place)
        return worth_if_answered(worth, answers), of_host + more, classes, score, leads_on, answers

    def worth_of_host(self, slot: int) -> float:
        """Give what a host with downloads adds to the worth of each of its URLs, in log-odds."""
        memory = self.memory
        return self.model.weights[HOST + memory.count_class(slot)] + offset_of_host(answers_of(memory, slot, slot).host)

    def learn(self, lesson: Lesson, place: Place, *, is_own: bool = True) -> Learned:
        """Learn from a download, of this worker or of another."""
        self._answering = {}
        memory, model = self.memory, self.model
        kept, is_target, chance = unpack(lesson.evidence), lesson.is_target, 0.5
        found = self.lookup.as_found(lesson.url, place, kept)
        if kept is not None:
            classes, _ = self.lookup.classes(kept, place)
            score = model.score(classes)
            chance = chance_of(self._bounded(classes, score))
            if not lesson.is_gone:
                self._learn_page(classes, score, chance, is_target)
            self.expected.add(answers_of(memory, place.host, place.directory).directory * chance, is_target)
        if lesson.is_gone:
            memory.count_gone(lesson.url, lesson.host)
        else:
            memory.count_page(lesson.url, lesson.host, is_target)
            self._learn_way(kept, found, is_target=is_target, is_linked=memory.targets[place.url] > 0, is_own=is_own)
        return Learned(chance, found)

    def parts(self, classes: Sequence[int], score: float, most: int | None = None) -> list[tuple[int, float]]:
        """Give (class, log-odds) of what a link was weighed by, largest first, so many at most; all of them add up to its score.

        What the bound of new hosts takes away stands with the class *host no page yet*.
        """
        weights = self.model.weights
        pairs = [(row, weights[row]) for row in classes]
        if classes[-1] == HOST:
            pairs[-1] = HOST, score - self.model.score(classes)
        pairs.sort(key=lambda pair: -abs(pair[1]))
        return pairs[:most]

    def state(self) -> dict[str, bytes]:
        """Write everything, to the last digit, in named parts."""
        return {
            "model": self.model.to_json().encode(),
            "expected": self.expected.to_json().encode(),
            "new_hosts": self.new_hosts.to_json().encode(),
            "ways": self.ways.to_json().encode(),
            **dict(zip(TABLES, self.memory.__getstate__(), strict=True)),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, bytes]) -> Self:
        """Read what :meth:`state` wrote.

        Raises:
            ValueError: it is damaged.
            KeyError: a part of it is missing.
            TypeError, AttributeError: JSON of another kind.
        """
        learner = cls(OnlineModel.from_json(state["model"].decode()), Ways.from_json(state["ways"].decode()))
        learner.expected = YieldEstimate.from_json(state["expected"].decode())
        learner.new_hosts = NewHosts.from_json(state["new_hosts"].decode())
        learner.memory.__setstate__([state[name] for name in TABLES])
        return learner

    def _bounded(self, classes: Sequence[int], score: float) -> float:
        return min(score, self.new_hosts.most) if classes[-1] == HOST else score

    def _learn_page(self, classes: list[int], score: float, chance: float, is_target: bool) -> None:
        if classes[-1] == HOST:  # the weight of a new host stays 0: no verdict speaks of it
            self.new_hosts.add(score, is_target)
            classes = classes[:-1]
        self.model.learn(classes, is_target, chance)

    def _learn_way(self, kept: Kept | None, found: AsFound, *, is_target: bool, is_linked: bool, is_own: bool) -> None:
        """Credit the page that a page was found on, if that one was off target and no target page links here."""
        ways, model = self.ways, self.model
        worth = ways.worth[found.way] * model.factor(found.way_words)
        if kept is not None and kept.way >= 0 and not is_linked:
            finds = 1.0 if is_target else share(worth)
            ways.add_find(kept.way, finds, is_own=is_own)
            model.learn_way(kept.way_words, finds)
        if not is_target:
            model.learn_way(found.way_words, -worth)
            ways.add_page(found.way, is_own=is_own)

    def _answers_at(self, place: Place) -> tuple[float, float]:
        at = place.host, place.directory
        known = self._answering.get(at)
        if known is None:
            found = answers_of(self.memory, *at)
            is_new = not self.memory.asked[place.host]  # of a new host no verdict speaks
            known = self._answering[at] = found.directory, 0.0 if is_new else offset_of_host(found.host)
        return known
