"""A strategy that learns while it crawls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Counts, HostVerdict, Visit
from crawler_project.strategies.base import Revision, Strategy
from crawler_project.strategies.learning.features import describe_class
from crawler_project.strategies.learning.learner import Learned, Learner, Weighed
from crawler_project.strategies.learning.lessons import Lesson, pack_lesson, unpack_lesson
from crawler_project.strategies.learning.lookup import AsFound, Kept, LinkingPage, Place, pack, place_of, unpack
from crawler_project.strategies.learning.memory import site_of
from crawler_project.strategies.learning.model import MOST, chance_of, log_odds
from crawler_project.strategies.learning.state import read_state
from crawler_project.strategies.learning.state import start_from as begin_from
from crawler_project.strategies.learning.surfeit import surfeit
from crawler_project.strategies.learning.waiting import Waiting, WaitingLink
from crawler_project.strategies.learning.weighing import Weighing
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
BETTER = 1.0
"""Log-odds that a URL must be worth more than what waits for it (what the queue says may be out of date by MARGIN), and may be worth
less than what the next downloads are expected to be."""
MOST_USUAL = 0.99
"""Chance that a download is expected to be on target at most, where it is the measure of others."""
SHOWN = 3
"""Classes that an explanation names."""
Scored = tuple[float, ScorableLink, Kept, Weighed]
"""A link with its priority and what is kept with it."""


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
        wait: Annotated[float, Between(0, 1)] = 0.02,
    ) -> None:
        """Begin to learn.

        Args:
            explore: log-odds that a host without downloads is thought better than the model says.
            start_from: a file with what another crawl has learned, of any target; empty: begin with nothing.
            stop_at_yield: end the crawl when fewer of the next 1,000 downloads are expected to be target
                pages, as a share; 0: never.
            enough: pages of a host after which each further one is worth less, in inverse proportion to those
                that were downloaded, once they are more than a twentieth of all downloads; 0: never.
            wait: a URL waits, while a host with usual ones rests or is fetched from, when what it is worth is below this part of the
                share of target pages that is expected of the next downloads; 0: none waits.

        Raises:
            ConfigurationError: a value out of range; a file that is no learned state, damaged or of another version.
        """
        self.explore = explore
        self.start_from = start_from
        self.stop_at_yield = stop_at_yield
        self.enough = enough
        self.wait = wait
        for name, value in self.parameters().items():
            setattr(self, name, parse_value(self.name, name, parameter_types(type(self))[name], value))
        self.learner = begin_from(read_state(Path(self.start_from))) if self.start_from else Learner()
        self.waiting = Waiting()
        self._visited: tuple[int, int] | None = None
        """Slots of directory and host of the latest page."""
        self._found: AsFound | None = None
        """The latest page."""
        self._page: LinkingPage | None = None
        self._scored: dict[str, Scored] = {}
        """Of each URL on that page the best link, until something more is learned: it is explained and kept next."""
        self.elsewhere = 0
        """Pages that other workers, or this one in earlier runs, have downloaded. No part of the state: each exchange says so anew."""
        self.heard = 0
        """Lessons of other workers among the model's examples."""
        self._latest: Lesson | None = None
        self._chance = 0.5
        """With which the latest page was expected to be on target; an even one for seeds."""

    def parameters(self) -> dict[str, object]:
        names = ("enough", "explore", "start_from", "stop_at_yield", "wait")
        return {name: getattr(self, name) for name in names}

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        rows = self._rows(links)
        learner, waiting = self.learner, self.waiting
        lookup, weigh, over = learner.lookup, learner.weigh, learner.memory.over
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
            elif over[place.url] or not waiting.add(url, WaitingLink(kept, place, host, told)):
                told = _priority(max(worth, LOWEST) - of_host)
            scores.append(told)
        return scores

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """The chance, and the classes that decided most with their log-odds."""
        _, _, classes, score, leads_on, answers = self._scored_as(visit, link)[-1]
        onward = f", leads on {leads_on:.2f}" if leads_on >= 0.01 else ""
        answering = f", answers {answers:.2f}" if answers < 0.995 else ""
        deciding = self.learner.parts(classes, score, SHOWN)
        return f"learned {chance_of(score):.2f}{onward}{answering}: " + "; ".join(
            [f"{describe_class(row)} {value:+.1f}" for row, value in deciding]
        )

    def weigh(self, url: str, host: str, evidence: str) -> Weighing | None:
        """Every part of what a queued URL is worth as things stand now; ``None``: the evidence is none of this strategy."""
        kept = unpack(evidence)
        if kept is None:
            return None
        worth, _, classes, score, leads_on, answers = self.learner.weigh(kept, place_of(url, host))
        return Weighing(chance_of(score), leads_on, answers, worth, tuple(self.learner.parts(classes, score)))

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return pack(self._scored_as(visit, link)[2])

    def learn_one(self, evidence: str, visit: Visit) -> None:
        self._learn_own(evidence, visit, is_gone=False)

    def learn_gone(self, evidence: str, visit: Visit) -> None:
        """A request that gave no page says how such requests end, and nothing of the pages there."""
        self._learn_own(evidence, visit, is_gone=True)

    def forget(self, url: str) -> None:
        """Links to it are not remembered any more, nor further ones."""
        self.learner.memory.count_over(url)
        self.waiting.drop(url)

    def lesson(self) -> str:
        """The latest download. Those that were foretold are told too: without them there was less to gain (docs/adaptive.md)."""
        return pack_lesson(self._latest) if self._latest else ""

    def hear(self, lesson: str) -> None:
        told = unpack_lesson(lesson)
        if told is None:
            return
        self.heard += told.evidence != "" and not told.is_gone  # the model learns nothing from a seed
        place = place_of(told.url, told.host)
        self.learner.memory.learn_links(place.url, place.host, told.in_links)
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

    def awaited(self, url: str, host: str, evidence: str) -> float | None:
        usual = min(self.learner.expected.value, MOST_USUAL)
        kept = unpack(evidence) if self.wait * usual > 0 else None
        if kept is None:
            return None
        known = self.waiting.get(url)
        worth = self.learner.weigh(kept, known.place if known else place_of(url, host))[0]
        if worth >= log_odds(self.wait * usual):
            return None
        return CENTRE - max(worth + BETTER, log_odds(usual) - BETTER) + self.explore

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
        slot = site_of(visit.host).host
        self.learner.memory.learn_counts(slot, counts)
        value = self.learner.worth_of_host(slot) - self.explore
        if 0 < self.enough < counts.pages:
            all_pages = self.own_pages + max(self.heard, self.elsewhere)
            value -= surfeit(self._chance, counts.pages, max(self.enough, round(FAIR_SHARE * all_pages)))
        return HostVerdict(offset=-STEP * round(value / STEP))

    @property
    def own_pages(self) -> int:
        """Downloads that this worker itself has learned from."""
        return self.learner.model.examples - self.heard

    def is_exhausted(self) -> bool:
        return self.stop_at_yield > 0 and self.learner.expected.is_below(self.stop_at_yield)

    def state(self) -> dict[str, bytes]:
        return self.learner.state() | {
            "waiting": self.waiting.to_json().encode(),
            "visited": json.dumps(self._visited).encode(),
            "heard": json.dumps(self.heard).encode(),
        }

    def restore(self, state: Mapping[str, bytes]) -> None:
        try:
            learner = Learner.from_state(state)
            waiting = Waiting.from_json(state["waiting"].decode(), place_of)
            visited, heard = _slots_of(state["visited"].decode()), _count_of(state["heard"].decode())
        except (LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ValueError(f"the learned state is damaged: {error}") from error
        self.learner, self.waiting, self._visited, self.heard = learner, waiting, visited, heard
        self._scored = {}

    def _learn_own(self, evidence: str, visit: Visit, *, is_gone: bool) -> None:
        place = place_of(visit.url, visit.host)
        links = self.learner.memory.links_to(place.url, place.host)
        self._latest = Lesson(visit.url, visit.host, visit.is_target, evidence, links, is_gone)
        self._chance, self._found = self._learn(self._latest, place)
        self._visited = place.directory, place.host

    def _learn(self, lesson: Lesson, place: Place, *, is_own: bool = True) -> Learned:
        """Learn from a download; what is kept of the latest page's links is out of date then."""
        self._scored = {}
        self.waiting.drop(lesson.url)
        return self.learner.learn(lesson, place, is_own=is_own)

    def _scored_as(self, visit: Visit, link: ScorableLink) -> Scored:
        """A link as it stands; nearly always as it was just scored."""
        page, url = self._page_of(visit), link.url
        known = self._scored.get(url)
        if known is not None and known[1] is link:
            return known
        place = place_of(url, link.host)
        kept = self.learner.lookup.kept(page, link, place.domain)
        return 0.0, link, kept, self.learner.weigh(kept, place)

    def _page_of(self, visit: Visit) -> LinkingPage:
        """The page that was scored last, which is nearly always the one that is asked for."""
        if self._page is None or self._page.url != visit.url:
            found = self._found
            if found is None or found.url != visit.url:
                found = self.learner.lookup.as_found(visit.url, place_of(visit.url, visit.host), None)
            self._page, self._scored = self.learner.lookup.page(visit, found), {}
        return self._page

    def _priority_now(self, kept: Kept, place: Place, lowest: float = -MOST) -> float:
        """The own priority of a link as things stand now, its worth taken for ``lowest`` at least."""
        worth, of_host = self.learner.weigh(kept, place)[:2]
        return _priority(max(lowest, worth) - of_host)

    def _rows(self, links: Sequence[ScorableLink]) -> list[tuple[ScorableLink, str, str, Place]]:
        """Look links up: each with its URL, host and place. What the frontier counted of their hosts is learned."""
        waiting, memory = self.waiting, self.learner.memory
        learn_counts, pages = memory.learn_counts, memory.pages
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
