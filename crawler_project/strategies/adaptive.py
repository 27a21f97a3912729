"""A strategy that learns while it crawls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Annotated, ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Counts, HostVerdict, Visit
from crawler_project.strategies.base import Revision, Strategy
from crawler_project.strategies.learning.answers import answers_of, offset_of_host, worth_if_answered
from crawler_project.strategies.learning.features import HOST, describe_class
from crawler_project.strategies.learning.lessons import Lesson, pack_lesson, unpack_lesson
from crawler_project.strategies.learning.lookup import AsFound, Kept, LinkingPage, Lookup, Place, pack, place_of, unpack
from crawler_project.strategies.learning.memory import TABLES, CrawlMemory, site_of
from crawler_project.strategies.learning.model import MOST, MOST_FACTOR, OnlineModel, chance_of
from crawler_project.strategies.learning.state import read_state
from crawler_project.strategies.learning.state import start_from as begin_from
from crawler_project.strategies.learning.surfeit import surfeit
from crawler_project.strategies.learning.waiting import Waiting, WaitingLink
from crawler_project.strategies.learning.ways import LEAST, Ways, lift, share
from crawler_project.strategies.learning.weighing import Weighing
from crawler_project.strategies.learning.words import way_words_of_anchor
from crawler_project.strategies.learning.yield_estimate import YieldEstimate
from crawler_project.strategies.parameters import Between, parameter_types, parse_value

STEP = 0.25
"""Priorities are whole steps of log-odds: first discovered first among equals, and few levels in the frontier."""
MARGIN = 0.5
"""A selected URL is put back only if its chance has fallen by more, in log-odds."""
LOWEST = -1.5
"""Log-odds with which a URL is queued at least that is not remembered: it is looked at again when nothing better is left."""
DROP = 1.0
"""Log-odds that such a URL is put back at most: it is looked at again after so much, not where it seemed to belong once."""
CENTRE = 16.0
"""Priority of a link with an even chance; lower is sooner, and never below 0."""
FAIR_SHARE = 0.05
"""Of all downloads that one host may have before further ones are worth less: a host without end gets about twice that."""
SHOWN = 3
"""Classes that an explanation names."""
Weighed = tuple[float, float, list[int], float, float, float]
"""Of a link: its worth in log-odds, how much of that is its host's, its classes, the log-odds of its page to be on target, target pages
that it leads to otherwise, and the share of such requests that give a page."""
Scored = tuple[float, ScorableLink, Kept, Weighed]
"""A link with its priority and what is kept with it."""
_LEAST_WORTH = LEAST * exp(-MOST_FACTOR)
"""Of a way, below which no words make it worth anything."""


class Adaptive(Strategy):
    """Follow every link, those first that are likeliest to lead to a target page, as learned from this crawl so far.

    Source: our own. Online logistic regression over evidence that any crawler has; focused crawling that learns
    from its own downloads is Chakrabarti, Punera & Subramanyam 2002 ("Accelerated focused crawling through online
    relevance feedback"), see docs/adaptive.md.

    The chance of a link, in log-odds, is a sum: what is known of its host moves all URLs of the host at once
    (``HostVerdict.offset``), the rest is the URL's own priority. A URL found again by a better page moves up; one
    whose chance has fallen is put back when its turn comes (:meth:`reconsider`); of the links that are remembered some are scored
    again after each download, and those whose chance has risen move up (:meth:`revisions`).

    State is kept apart from parameters: two strategies of equal parameters that saw equal pages in equal order
    give equal answers, and nothing is random.
    """

    name: ClassVar[str] = "adaptive"
    unit: ClassVar[str] = "host"
    reads_texts: ClassVar[bool] = True
    inherit: bool = False

    def __init__(
        self,
        explore: Annotated[float, Between(-2, 2)] = 0.0,
        start_from: str = "",
        stop_at_yield: Annotated[float, Between(0, 1)] = 0.0,
        enough: Annotated[int, Between(0, 1_000_000_000)] = 20_000,
    ) -> None:
        """Begin to learn.

        Args:
            explore: log-odds that a host without downloads is thought better than the model says.
            start_from: a file with what another crawl has learned, of any target; empty: begin with nothing.
            stop_at_yield: end the crawl when fewer of the next 1,000 downloads are expected to be target
                pages, as a share; 0: never.
            enough: pages of a host after which each further one is worth less, in inverse proportion to those
                that were downloaded, once they are more than a twentieth of all downloads; 0: never.

        Raises:
            ConfigurationError: a value out of range; a file that is no learned state, damaged or of another version.
        """
        self.explore = explore
        self.start_from = start_from
        self.stop_at_yield = stop_at_yield
        self.enough = enough
        for name, value in self.parameters().items():
            parse_value(self.name, name, parameter_types(type(self))[name], value)
        self.model, self.ways = begin_from(read_state(Path(start_from))) if start_from else (OnlineModel(), Ways())
        self.memory = CrawlMemory()
        self.lookup = Lookup(self.memory)
        self.expected = YieldEstimate()
        self.waiting = Waiting()
        self._visited: tuple[int, int] | None = None
        """Slots of directory and host of the latest page."""
        self._found: AsFound | None = None
        """The latest page."""
        self._page: LinkingPage | None = None
        self._scored: dict[str, Scored] = {}
        """Of each URL on that page the best link, until something more is learned: it is explained and kept next."""
        self._answering: dict[tuple[int, int], tuple[float, float]] = {}
        """By slots of host and directory, until something more is learned: the share of answers, and what that adds to the host's offset."""
        self.workers = 1
        """That are known to crawl together: all of them are thought to have downloaded as much as this one.
        No part of the state: each exchange says so anew."""
        self.heard = 0
        """Lessons of other workers among the model's examples."""
        self._latest: Lesson | None = None
        self._chance = 0.5
        """With which the latest page was expected to be on target; an even one for seeds."""

    def parameters(self) -> dict[str, object]:
        names = ("enough", "explore", "start_from", "stop_at_yield")
        return {name: getattr(self, name) for name in names}

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        rows = self._rows(links)
        lookup, weigh, downloaded, waiting = self.lookup, self._weigh, self.memory.downloaded, self.waiting
        lookup.count_links(visit, [place for _, _, _, place in rows])
        self._page = None
        page = self._page_of(visit)
        scored: dict[str, Scored] = {}
        self._scored = scored
        scores: list[float | None] = []
        for link, url, host, place in rows:
            kept = lookup.kept(page, link, place.domain)
            weighed = weigh(kept, place)
            worth, of_host = weighed[:2]
            told = _priority(worth - of_host)
            if url not in scored or told < scored[url][0]:
                scored[url] = told, link, kept, weighed
            known = waiting.get(url)
            if known:
                known.offer(kept, told)
            elif downloaded[place.url] or not waiting.add(url, WaitingLink(kept, place, host, told)):
                told = _priority(max(worth, LOWEST) - of_host)
            scores.append(told)
        return scores

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """The chance, and the classes that decided most with their log-odds."""
        _, _, classes, score, leads_on, answers = self._scored_as(visit, link)[-1]
        onward = f", leads on {leads_on:.2f}" if leads_on >= 0.01 else ""
        answering = f", answers {answers:.2f}" if answers < 0.995 else ""
        return f"learned {chance_of(score):.2f}{onward}{answering}: " + "; ".join(
            [f"{describe_class(row)} {value:+.1f}" for row, value in self.model.contributions(classes, SHOWN)]
        )

    def weigh(self, url: str, host: str, evidence: str) -> Weighing | None:
        """Every part of what a queued URL is worth as things stand now; ``None``: the evidence is none of this strategy."""
        kept = unpack(evidence)
        if kept is None:
            return None
        worth, _, classes, score, leads_on, answers = self._weigh(kept, place_of(url, host))
        return Weighing(chance_of(score), leads_on, answers, worth, tuple(self.model.contributions(classes)))

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return pack(self._scored_as(visit, link)[2])

    def learn_one(self, evidence: str, visit: Visit) -> None:
        self._learn_own(evidence, visit, is_gone=False)

    def learn_gone(self, evidence: str, visit: Visit) -> None:
        """A request that gave no page says how such requests end, and nothing of the pages there."""
        self._learn_own(evidence, visit, is_gone=True)

    def lesson(self) -> str:
        """The latest download. Those that were foretold are told too: without them there was less to gain (docs/adaptive.md)."""
        return pack_lesson(self._latest) if self._latest else ""

    def hear(self, lesson: str) -> None:
        told = unpack_lesson(lesson)
        if told is None:
            return
        self.heard += told.evidence != "" and not told.is_gone  # the model learns nothing from a seed
        place = place_of(told.url, told.host)
        self.memory.learn_links(place.url, place.host, told.in_links)
        self._learn(told, place, is_own=False)

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        kept = unpack(evidence)
        if kept is None:
            return None
        known = self.waiting.get(url)
        now = self._priority_now(kept, known.place if known else place_of(url, host))
        if now <= priority + MARGIN:
            return None
        if known is None:
            return min(now, priority + DROP)
        known.told = now
        return now

    def revisions(self) -> Sequence[Revision]:
        if self._visited is None:
            return ()
        waiting = self.waiting
        lowest, links = (LOWEST, waiting.let_go()) if waiting.is_outgrown else (-MOST, waiting.due(*self._visited))
        found = []
        for url, link in links:
            now = self._priority_now(link.kept, link.place, lowest)
            if now < link.told:
                link.told = now
                found.append(Revision(url, now, pack(link.kept)))
        return found

    def judge_host_of(self, visit: Visit, counts: Counts) -> HostVerdict:
        memory = self.memory
        slot = site_of(visit.host).host
        memory.learn_counts(slot, counts)
        value = self.model.weights[HOST + memory.count_class(slot)] - self.explore
        value += offset_of_host(answers_of(memory, slot, slot).host)
        if 0 < self.enough < counts.pages:
            all_pages = (self.model.examples - self.heard) * self.workers
            value -= surfeit(self._chance, counts.pages, max(self.enough, round(FAIR_SHARE * all_pages)))
        return HostVerdict(offset=-STEP * round(value / STEP))

    def is_exhausted(self) -> bool:
        return self.stop_at_yield > 0 and self.expected.is_below(self.stop_at_yield)

    def state(self) -> dict[str, bytes]:
        tables = dict(zip(TABLES, self.memory.__getstate__(), strict=True))
        return {
            "model": self.model.to_json().encode(),
            "expected": self.expected.to_json().encode(),
            "ways": self.ways.to_json().encode(),
            "waiting": self.waiting.to_json().encode(),
            "visited": json.dumps(self._visited).encode(),
            "heard": json.dumps(self.heard).encode(),
            **tables,
        }

    def restore(self, state: Mapping[str, bytes]) -> None:
        memory = CrawlMemory()
        try:
            model = OnlineModel.from_json(state["model"].decode())
            expected = YieldEstimate.from_json(state["expected"].decode())
            ways = Ways.from_json(state["ways"].decode())
            memory.__setstate__([state[name] for name in TABLES])
            texts = [state[name].decode() for name in ("waiting", "visited")]
            heard = _count_of(state["heard"].decode())
        except (KeyError, AttributeError) as error:
            raise ValueError(f"the learned state is damaged: {error}") from error
        self.model, self.expected, self.ways, self.memory = model, expected, ways, memory
        self.lookup = Lookup(memory)
        self._scored, self._answering = {}, {}
        self.waiting = Waiting.from_json(texts[0], place_of)
        self._visited = _slots_of(texts[1])
        self.heard = heard

    def _learn_own(self, evidence: str, visit: Visit, *, is_gone: bool) -> None:
        place = place_of(visit.url, visit.host)
        links = self.memory.links_to(place.url, place.host)
        self._latest = Lesson(visit.url, visit.host, visit.is_target, evidence, links, is_gone)
        self._chance, self._found = self._learn(self._latest, place)
        self._visited = place.directory, place.host

    def _learn(self, lesson: Lesson, place: Place, *, is_own: bool = True) -> tuple[float, AsFound]:
        """Learn from a download; the chance that its page was thought to have, and what it was like before."""
        self._scored, self._answering = {}, {}
        kept, is_target, chance = unpack(lesson.evidence), lesson.is_target, 0.5
        found = self.lookup.as_found(lesson.url, place, kept)
        if kept is not None:
            classes, _ = self.lookup.classes(kept, place)
            if classes[-1] == HOST:  # the weight of a new host stays 0: no verdict speaks of it
                classes.pop()
            answers = answers_of(self.memory, place.host, place.directory).directory
            chance = chance_of(self.model.score(classes)) if lesson.is_gone else self.model.learn(classes, is_target)
            self.expected.add(answers * chance, is_target)
        if lesson.is_gone:
            self.memory.count_gone(lesson.url, lesson.host)
        else:
            self.memory.count_page(lesson.url, lesson.host, is_target)
        self._learn_way(kept, found, is_target=is_target, is_linked=self.memory.targets[place.url] > 0, is_own=is_own)
        self.waiting.drop(lesson.url)
        return chance, found

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

    def _leads(self, kept: Kept, place: Place, worth: float) -> float:
        """Target pages that a page leads to, should it be off target itself; ``worth``: such pages as a rule."""
        words = (*place.way_words, *way_words_of_anchor(kept.words))
        return worth * self.model.factor(words) if words else worth

    def _weigh(self, kept: Kept, place: Place) -> Weighed:
        """What a link is worth as things stand now."""
        classes, way = self.lookup.classes(kept, place)
        weights, leads_on = self.model.weights, self.ways.worth[way]
        worth = score = sum(map(weights.__getitem__, classes))
        of_host = weights[classes[-1]]
        if leads_on >= _LEAST_WORTH:
            leads_on = self._leads(kept, place, leads_on)
            worth = lift(score, leads_on)
        if not self.memory.is_any_gone:
            return worth, of_host, classes, score, leads_on, 1.0
        at = place.host, place.directory
        answering = self._answering.get(at)
        if answering is None:
            found = answers_of(self.memory, *at)
            is_new = not self.memory.asked[place.host]  # of a new host no verdict speaks
            answering = self._answering[at] = found.directory, 0.0 if is_new else offset_of_host(found.host)
        answers, more = answering
        return worth_if_answered(worth, answers), of_host + more, classes, score, leads_on, answers

    def _scored_as(self, visit: Visit, link: ScorableLink) -> Scored:
        """A link as it stands; nearly always as it was just scored."""
        page, url = self._page_of(visit), link.url
        known = self._scored.get(url)
        if known is not None and known[1] is link:
            return known
        place = place_of(url, link.host)
        kept = self.lookup.kept(page, link, place.domain)
        return 0.0, link, kept, self._weigh(kept, place)

    def _page_of(self, visit: Visit) -> LinkingPage:
        """The page that was scored last, which is nearly always the one that is asked for."""
        if self._page is None or self._page.url != visit.url:
            found = self._found
            if found is None or found.url != visit.url:
                found = self.lookup.as_found(visit.url, place_of(visit.url, visit.host), None)
            self._page, self._scored = self.lookup.page(visit, found), {}
        return self._page

    def _priority_now(self, kept: Kept, place: Place, lowest: float = -MOST) -> float:
        """The own priority of a link as things stand now, its worth taken for ``lowest`` at least."""
        worth, of_host = self._weigh(kept, place)[:2]
        return _priority(max(lowest, worth) - of_host)

    def _rows(self, links: Sequence[ScorableLink]) -> list[tuple[ScorableLink, str, str, Place]]:
        """Look links up: each with its URL, host and place. What the frontier counted of their hosts is learned."""
        waiting, learn_counts, pages = self.waiting, self.memory.learn_counts, self.memory.pages
        rows = []
        for link in links:
            url, host, counts = link.url, link.host, link.counts
            known = waiting.get(url)
            place = known.place if known else place_of(url, host)
            if counts.pages > pages[place.host]:
                learn_counts(place.host, counts)
            rows.append((link, url, host, place))
        return rows


def _priority(score: float) -> float:
    return max(0.0, CENTRE - STEP * round(score / STEP))


def _slots_of(text: str) -> tuple[int, int] | None:
    slots = json.loads(text)
    if slots is None:
        return None
    if not (isinstance(slots, list) and [type(slot) for slot in slots] == [int, int]):
        raise ValueError("the latest page is damaged")
    return slots[0], slots[1]


def _count_of(text: str) -> int:
    count = json.loads(text)
    if type(count) is not int or count < 0:
        raise ValueError("the number of lessons is damaged")
    return count
