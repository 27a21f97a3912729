"""A strategy that learns while it crawls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Counts, HostVerdict, Visit
from crawler_project.strategies.base import Revision, Strategy
from crawler_project.strategies.learning.features import (
    ANCHOR,
    COUNT_CLASS,
    DIRECTORY,
    DOMAIN,
    HOST,
    IN_CLASS,
    IN_CLASSES,
    IN_LINKS,
    MOST_IN_LINKS,
    NEW_HOST,
    OF_LINK,
    OTHER_SITE,
    PLACES,
    REFERRER,
    SAME_DOMAIN,
    SAME_HOST,
    TARGET_TLD,
    WAY,
    Kept,
    describe_class,
    pack,
    parent_class,
    unpack,
)
from crawler_project.strategies.learning.memory import CrawlMemory, directory_slot, url_slot
from crawler_project.strategies.learning.model import MOST, OnlineModel, chance_of
from crawler_project.strategies.learning.state import read_state
from crawler_project.strategies.learning.state import start_from as begin_from
from crawler_project.strategies.learning.surfeit import surfeit
from crawler_project.strategies.learning.waiting import Place, Waiting, WaitingLink
from crawler_project.strategies.learning.ways import Ways
from crawler_project.strategies.learning.words import anchor_words, path_words
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
_PLACES = len(PLACES)
_TABLES = ("pages", "target_pages", "targets", "others", "downloaded")
_AT_TARGET_TLD = OF_LINK.index("target tld")
_AT_WAY = OF_LINK.index("way")


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
        self.expected = YieldEstimate()
        self.waiting = Waiting()
        self._visited: tuple[int, int] | None = None
        """Slots of directory and host of the latest page."""
        self._page: _PageClasses | None = None
        self.workers = 1
        """That are known to crawl together: all of them are thought to have downloaded as much as this one."""
        self._chance = 0.5
        """With which the latest page was expected to be on target; an even one for seeds."""

    def parameters(self) -> dict[str, object]:
        names = ("enough", "explore", "start_from", "stop_at_yield")
        return {name: getattr(self, name) for name in names}

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        rows = self._rows(links)
        self._count_links(visit, rows)
        page = self._page = self._page_classes(visit)
        weights, score, lift, downloaded, waiting = (
            self.model.weights,
            self.model.score,
            self.ways.lift,
            self.memory.downloaded,
            self.waiting,
        )
        scores: list[float | None] = []
        for link, url, host, place in rows:
            kept = self._kept(page, link, host)
            classes, way = self._classes(kept, place)
            worth, of_host = lift(score(classes), way), weights[classes[-1]]
            told = _priority(worth - of_host)
            known = waiting.get(url)
            if known:
                known.offer(kept, told)
            elif downloaded[place.url] or not waiting.add(url, WaitingLink(kept, place, host, told)):
                told = _priority(max(worth, LOWEST) - of_host)
            scores.append(told)
        return scores

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """The chance, and the classes that decided most with their log-odds."""
        classes, way = self._classes(
            self._kept(self._page_of(visit), link, link.host), self._place(link.url, link.host)
        )
        chance = chance_of(self.model.score(classes))
        decisive = self.model.contributions(classes)[:SHOWN]
        onward = f", leads on {self.ways.worth[way]:.2f}" if self.ways.worth[way] >= 0.01 else ""
        return f"learned {chance:.2f}{onward}: " + "; ".join(
            f"{describe_class(row)} {value:+.1f}" for row, value in decisive
        )

    def weigh(self, url: str, host: str, evidence: str) -> Weighing | None:
        """Every part of what a queued URL is worth as things stand now; ``None``: the evidence is none of this strategy."""
        kept = unpack(evidence)
        if kept is None:
            return None
        classes, way = self._classes(kept, self._place(url, host))
        score = self.model.score(classes)
        parts = tuple(self.model.contributions(classes))
        return Weighing(chance_of(score), self.ways.worth[way], self.ways.lift(score, way), parts)

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return pack(self._kept(self._page_of(visit), link, link.host))

    def learn_one(self, evidence: str, visit: Visit) -> None:
        kept = unpack(evidence)
        self._chance = 0.5
        if kept is not None:
            classes, _ = self._classes(kept, self._place(visit.url, visit.host))
            if classes[-1] == HOST:  # the weight of a new host stays 0: no verdict speaks of it
                classes.pop()
            chance = self._chance = self.model.learn(classes, visit.is_target)
            self.expected.add(chance, visit.is_target)
        memory = self.memory
        memory.count_page(visit.url, visit.host, visit.is_target)
        self._learn_way(kept, visit)
        self.waiting.drop(visit.url)
        self._visited = directory_slot(visit.url, visit.host), memory.site(visit.host).host

    def learn_gone(self, evidence: str, visit: Visit) -> None:
        """A download that gave no page is as much of a loss as one that gave a page off target, and leads nowhere."""
        self.learn_one(evidence, visit)

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        kept = unpack(evidence)
        if kept is None:
            return None
        known = self.waiting.get(url)
        now = self._priority_now(kept, known.place if known else self._place(url, host))
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
        slot = memory.site(visit.host).host
        memory.learn_counts(slot, counts)
        value = self.model.weights[HOST + memory.count_class(slot)] - self.explore
        if 0 < self.enough < counts.pages:
            all_pages = self.model.examples * self.workers
            value -= surfeit(self._chance, counts.pages, max(self.enough, round(FAIR_SHARE * all_pages)))
        return HostVerdict(offset=-STEP * round(value / STEP))

    def is_exhausted(self) -> bool:
        return self.stop_at_yield > 0 and self.expected.is_below(self.stop_at_yield)

    def state(self) -> dict[str, bytes]:
        tables = dict(zip(_TABLES, self.memory.__getstate__(), strict=True))
        return {
            "model": self.model.to_json().encode(),
            "expected": self.expected.to_json().encode(),
            "ways": self.ways.to_json().encode(),
            "waiting": self.waiting.to_json().encode(),
            "visited": json.dumps(self._visited).encode(),
            **tables,
        }

    def restore(self, state: Mapping[str, bytes]) -> None:
        memory = CrawlMemory()
        try:
            model = OnlineModel.from_json(state["model"].decode())
            expected = YieldEstimate.from_json(state["expected"].decode())
            ways = Ways.from_json(state["ways"].decode())
            memory.__setstate__([state[name] for name in _TABLES])
            texts = [state[name].decode() for name in ("waiting", "visited")]
        except (KeyError, AttributeError) as error:
            raise ValueError(f"the learned state is damaged: {error}") from error
        self.model, self.expected, self.ways, self.memory = model, expected, ways, memory
        self.waiting = Waiting.from_json(texts[0], self._place)
        self._visited = _slots_of(texts[1])

    def _learn_way(self, kept: Kept | None, visit: Visit) -> None:
        """Credit the page that a page was found on, if that one was off target and no target page links here."""
        slot, memory, ways = url_slot(visit.url), self.memory, self.ways
        own = memory.way_of(slot, memory.site(visit.host).host)
        if kept is not None and kept.of_link[_AT_WAY] > WAY and not memory.targets[slot]:
            ways.add_find((kept.of_link[_AT_WAY] - WAY - 1) // _PLACES, 1.0 if visit.is_target else ways.share(own))
        if not visit.is_target:
            ways.add_page(own)

    def _page_classes(self, visit: Visit) -> _PageClasses:
        """What all links of a page have in common."""
        memory = self.memory
        site = memory.site(visit.host)
        slot = url_slot(visit.url)
        way = 0 if visit.is_target else 1 + memory.way_of(slot, site.host) * _PLACES
        return _PageClasses(
            visit.url,
            parent_class(visit),
            ANCHOR + visit.is_target * _PLACES,
            REFERRER + 1 + memory.count_class(site.host),
            WAY + way,
            not visit.is_target,
            site.domain,
        )

    def _page_of(self, visit: Visit) -> _PageClasses:
        """The classes of the page that was scored last, which is nearly always the one that is asked for."""
        if self._page is None or self._page.url != visit.url:
            self._page = self._page_classes(visit)
        return self._page

    def _kept(self, page: _PageClasses, link: ScorableLink, host: str) -> Kept:
        """What is known only here, where the link stands."""
        same_host = link.same_host
        place = SAME_HOST if same_host else SAME_DOMAIN if self.memory.site(host).domain == page.domain else OTHER_SITE
        of_link = (
            page.parent + place,
            page.anchor + place + 6 * link.anchor_is_target,
            REFERRER if same_host else page.referrer,
            page.way + place * page.is_off_target,
            TARGET_TLD + link.tld_is_target,
        )
        return Kept(of_link, anchor_words(link.anchor_text))

    def _place(self, url: str, host: str) -> Place:
        """What stays as it is of a URL."""
        site = self.memory.site(host)
        classes = (site.tld, *path_words(url, len(host) + 8))
        return Place(classes, url_slot(url), site.host, site.domain, directory_slot(url, host))

    def _classes(self, kept: Kept, place: Place) -> tuple[list[int], int]:
        """All classes of a link as things stand now, the host's last; and its way."""
        memory = self.memory
        pages, target_pages, targets, others = memory.pages, memory.target_pages, memory.targets, memory.others
        of_link, words = kept
        of_url, slot, own, domain, directory = place
        is_new = not pages[own]
        classes = [
            *of_link,
            *of_url,
            *words,
            IN_LINKS + IN_CLASS[targets[slot]] * IN_CLASSES + IN_CLASS[others[slot]],
            DIRECTORY + COUNT_CLASS[pages[directory]][target_pages[directory]],
            DOMAIN + COUNT_CLASS[pages[domain]][target_pages[domain]],
            NEW_HOST + (1 + IN_CLASS[targets[own]] * IN_CLASSES + IN_CLASS[others[own]] if is_new else 0),
            HOST + COUNT_CLASS[pages[own]][target_pages[own]],
        ]
        if not is_new:
            classes[_AT_TARGET_TLD] += 2
        return classes, memory.way_of(slot, own)

    def _priority_now(self, kept: Kept, place: Place, lowest: float = -MOST) -> float:
        """The own priority of a link as things stand now, its worth taken for ``lowest`` at least."""
        classes, way = self._classes(kept, place)
        worth = max(lowest, self.ways.lift(self.model.score(classes), way))
        return _priority(worth - self.model.weights[classes[-1]])

    def _rows(self, links: Sequence[ScorableLink]) -> list[tuple[ScorableLink, str, str, Place]]:
        """Look links up: each with its URL, host and place. What the frontier counted of their hosts is learned."""
        waiting, place_of, learn_counts = self.waiting, self._place, self.memory.learn_counts
        rows = []
        for link in links:
            url, host, counts = link.url, link.host, link.counts
            known = waiting.get(url)
            place = known.place if known else place_of(url, host)
            if counts.pages:
                learn_counts(place.host, counts)
            rows.append((link, url, host, place))
        return rows

    def _count_links(self, visit: Visit, rows: Sequence[tuple[ScorableLink, str, str, Place]]) -> None:
        """Note for each URL, and each other host, that one more page links to it."""
        memory = self.memory
        own = memory.site(visit.host).host
        slots = {place.url for _, _, _, place in rows} | {place.host for _, _, _, place in rows} - {own}
        table = memory.targets if visit.is_target else memory.others
        for slot in slots:
            if table[slot] < MOST_IN_LINKS:
                table[slot] += 1


def _priority(score: float) -> float:
    return max(0.0, CENTRE - STEP * round(score / STEP))


def _slots_of(text: str) -> tuple[int, int] | None:
    slots = json.loads(text)
    if slots is None:
        return None
    if not (isinstance(slots, list) and [type(slot) for slot in slots] == [int, int]):
        raise ValueError("the latest page is damaged")
    return slots[0], slots[1]


class Weighing(NamedTuple):
    """What a link is worth, and by which evidence."""

    chance: float
    """That its page is on target."""
    leads_on: float
    """Target pages a download that the page leads to, should it be off target."""
    score: float
    """Both together in log-odds."""
    parts: tuple[tuple[int, float], ...]
    """(class, log-odds), largest first; their sum is the log-odds of ``chance``."""


class _PageClasses(NamedTuple):
    url: str
    parent: int
    anchor: int
    referrer: int
    way: int
    is_off_target: bool
    domain: int
