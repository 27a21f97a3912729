"""What it is worth that workers of the strategy that learns tell each other, and what.

    python benchmarks/adaptive_workers.py [--collection PAGES.jsonl.zst] [--targets ko,ja,zh,th] [--pages 600]
                                          [--seed-sets 3] [--workers 3] [--most-heard 64] [--plans NAME,…] [--out FILE.csv]

A simulation in one process, so that nothing depends on who is faster: each worker fetches one page at a time, all answers take equally long, hosts
do not rest, a host is asked by one worker at a time, and a free worker waits for a better host as it does live. The web is a recorded one (without ``--collection`` the one that is shipped) with all pages that it links to:
those that were not recorded are asked for in vain, learned from, and not counted by the budget. Each target is crawled from the page with the shortest
address on each host that has one on target, then again from pages that are drawn there at random.

``PLANS`` below has what workers have in common, and what they tell. *Area*: pages on target by the collection's labels, mean over all
budgets up to ``--pages``, as a share of what a crawl has that meets target pages only. The row of a plan has the mean over the sets of seeds, and each.
*By requests*: the same over the first ``--pages`` requests, those for missing pages counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from adaptive import DATA, add_row
from adaptive_real import drawn
from web_with_gaps import WebWithGaps, read_pages, web_with_gaps

from crawler_project.core.seams import ScorableLink
from crawler_project.core.target import TLDS_BY_LANGUAGE, Target
from crawler_project.core.values import Counts, HostVerdict, Visit
from crawler_project.simulator.host_queue import DOWNLOADED
from crawler_project.simulator.timed_simulator import Pace, TimedSimulator
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.base import Revision, Strategy
from crawler_project.strategies.learning.model import OnlineModel
from crawler_project.strategies.learning.sharing import Knowledge, learn_from, pack_knowledge, unpack_knowledge

SHIPPED = Path(__file__).resolve().parent.parent / "demo" / "pages.jsonl.zst"
MOST_HEARD = 64
"""Lessons that a commit answers with at most, as in lessons.lua."""


class Plan(NamedTuple):
    """How the workers of a crawl know of each other."""

    is_alone: bool = False
    """One worker."""
    is_held: bool = True
    """A host is asked by one worker at a time."""
    waits: bool = True
    """A free worker waits when it is worth more than what is free."""
    common: Sequence[str] = ()
    """What all of them have together at any time: ``model``, ``waiting``, ``memory``."""
    hears_every: int = 0
    """Downloads of a worker after which it hears of those of the others; 0: never."""
    notes_every: int = 0
    """Downloads of a worker after which it writes what it knows and reads what the others wrote; 0: never."""
    is_mean: bool = False
    """Notes are mixed in as a mean."""
    missing: str = "apart"
    """A request that gave no page is learned from as one (``apart``), as a page off target (``off target``), or not at all (``passed over``)."""


ALL = ("model", "waiting", "memory")
PLANS: Mapping[str, Plan] = {
    "one worker alone": Plan(is_alone=True),
    "alone and missing pages as off target": Plan(is_alone=True, missing="off target"),
    "alone and missing pages passed over": Plan(is_alone=True, missing="passed over"),
    "one mind": Plan(common=ALL),
    "one mind and hosts not held": Plan(is_held=False, common=ALL),
    "nothing is told": Plan(),
    "mean of weights every 100": Plan(notes_every=100, is_mean=True),
    "notes": Plan(notes_every=100),
    "lessons": Plan(hears_every=1),
    "lessons and notes": Plan(hears_every=1, notes_every=100),
    "lessons and notes and nobody waits": Plan(waits=False, hears_every=1, notes_every=100),
    "lessons heard every 10 and notes": Plan(hears_every=10, notes_every=100),
    "lessons heard every 100 and notes": Plan(hears_every=100, notes_every=100),
    "one model": Plan(common=("model",)),
    "one set of links that wait": Plan(common=("waiting",)),
    "one memory": Plan(common=("memory",)),
    "one model and one set of links": Plan(common=("model", "waiting")),
    "one model and one memory": Plan(common=("model", "memory")),
}
"""*lessons and notes* is what workers on Redis do, but that the notes of theirs go by time and bytes instead of every 100 downloads."""


class Team(Strategy):
    """Workers with a mind each over one queue; ``at`` is the one whose turn it is."""

    unit = "host"
    reads_texts = True
    inherit = False

    def __init__(self, plan: Plan, workers: int, most_heard: int) -> None:
        self.at = 0
        self.is_missing = False
        """What was downloaded last gave no page."""
        self._plan = plan
        self._most_heard = most_heard
        self._minds = [Adaptive() for _ in range(workers)]
        for mind in self._minds[1:]:
            share(self._minds[0], mind, plan.common)
        self._told: list[tuple[int, str]] = []
        self._heard = [0] * workers
        self._done = [0] * workers
        self._notes: dict[int, str] = {}

    @property
    def mind(self) -> Adaptive:
        return self._minds[self.at]

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return self.mind.score_links(visit, links)

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return self.mind.evidence(visit, link)

    def learn_one(self, evidence: str, visit: Visit) -> None:
        if not self.is_missing or self._plan.missing == "off target":
            self.mind.learn_one(evidence, visit)
        elif self._plan.missing == "apart":
            self.mind.learn_gone(evidence, visit)

    def judge_host_of(self, visit: Visit, counts: Counts) -> HostVerdict:
        return self.mind.judge_host_of(visit, counts)

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        return self.mind.reconsider(url, host, priority, evidence)

    def revisions(self) -> Sequence[Revision]:
        return self.mind.revisions()

    def awaited(self, url: str, host: str, evidence: str) -> float | None:
        return self.mind.awaited(url, host, evidence) if self._plan.waits else None

    def commit(self) -> None:
        """Tell and hear what the plan says, a download of the present worker being over."""
        self._done[self.at] += 1
        done, plan = self._done[self.at], self._plan
        if plan.hears_every:
            self._told.append((self.at, self.mind.lesson()))
        if plan.hears_every and done % plan.hears_every == 0:
            self._hear()
        if plan.notes_every and done % plan.notes_every == 0:
            self._exchange()

    def _hear(self) -> None:
        new = [lesson for worker, lesson in self._told[self._heard[self.at] :] if worker != self.at]
        self._heard[self.at] = len(self._told)
        for lesson in new[-self._most_heard * self._plan.hears_every :]:
            self.mind.hear(lesson)

    def _exchange(self) -> None:
        learner = self.mind.learner
        self._notes[self.at] = pack_knowledge(learner)
        told = [unpack_knowledge(note) for worker, note in self._notes.items() if worker != self.at]
        others = [knowledge for knowledge in told if knowledge is not None]
        if self._plan.is_mean:
            mix_as_mean(learner.model, others)
            learner.ways.mix([knowledge.ways for knowledge in others])
        else:
            learn_from(learner, others)


def share(one: Adaptive, other: Adaptive, common: Sequence[str]) -> None:
    """Give ``other`` what ``one`` has, the very same."""
    mine, given = other.learner, one.learner
    if "memory" in common:
        mine.memory, mine.lookup = given.memory, given.lookup
    if "waiting" in common:
        other.waiting = one.waiting
    if "model" in common:
        mine.model, mine.ways, mine.expected, mine.new_hosts = given.model, given.ways, given.expected, given.new_hosts


def mix_as_mean(model: OnlineModel, others: Sequence[Knowledge]) -> None:
    """Take the mean of the weights, each weighted by the gradients behind it.

    Source: federated averaging (McMahan et al. 2017, "Communication-efficient learning of deep networks from
    decentralized data"), by weight instead of by worker.
    """
    for row, own in enumerate(model.gradients):
        told = [(known.gradients[row] - 1.0, known.weights[row]) for known in others if row in known.weights]
        known = [(own - 1.0, model.weights[row]), *((more, weight) for more, weight in told if more > 0)]
        if len(known) > 1:
            model.weights[row] = sum(more * weight for more, weight in known) / sum(more for more, _ in known)


class Crawl(TimedSimulator):
    """Workers that take turns: each ends its fetch, commits, and begins the next one."""

    strategy: Team

    def __init__(self, given: WebWithGaps, plan: Plan, workers: int, most_heard: int) -> None:
        self._workers = 1 if plan.is_alone else workers
        super().__init__(given.web, Team(plan, self._workers, most_heard), Pace(self._workers))
        self._recorded = given.recorded
        self._is_held = plan.is_held
        self.missing = 0
        """Downloads that gave no page."""
        self.requests: list[int] = []
        """Pages in the order in which they were asked for, missing ones too."""

    def run(self, limit: int | None = None) -> Iterator[int]:
        """Fetch until nothing is left or ``limit`` recorded pages were; gives those, in the order in which their fetches end."""
        fetching: dict[int, int] = {}
        for turn in count():
            self.seconds = turn
            self.strategy.at = worker = turn % self._workers
            page = fetching.pop(worker, -1)
            if page >= 0:
                self._end(page, turn)
                if page < self._recorded:
                    yield page
            if limit is not None and self.downloads - self.missing >= limit:
                return
            following = self._begin(turn)
            if following >= 0:
                fetching[worker] = following
            if not fetching:
                return

    def _begin(self, turn: int) -> int:
        page = self._pop(turn)
        if page < 0 or self._waits(page):
            return -1
        self._queue.state[page] = DOWNLOADED
        if self._is_held:
            self._queue.hold(self._hosts[page])
        return page

    def _end(self, page: int, turn: int) -> None:
        self.strategy.is_missing = page >= self._recorded
        self._download(page)
        self.missing += self.strategy.is_missing
        self.requests.append(page)
        self.strategy.commit()
        if self._is_held:
            self._queue.rest(self._hosts[page], turn)

    def _count(self, page: int) -> None:
        """What gave no page is none of its host's, but the host is judged all the same."""
        counts = self._host_counts[self._hosts[page]]
        super()._count(page)
        if page >= self._recorded:
            self._host_counts[self._hosts[page]] = counts


def area(is_target: npt.NDArray[np.bool_], order: Sequence[int], budget: int) -> float:
    """Mean target pages over all budgets, as a share of what a crawl has that meets target pages only."""
    found = np.cumsum(np.pad(is_target[list(order)][:budget], (0, max(0, budget - len(order)))))
    return float(found.sum() / np.minimum(np.arange(1, budget + 1), is_target.sum()).sum())


def measure(webs: Sequence[WebWithGaps], crawl_of: Callable[[WebWithGaps], Crawl], pages: int) -> dict[str, Any]:
    """Give the measures of a plan, as means over webs that differ in their seeds."""
    begin = process_time()
    areas, of_requests, found, crawls = [], [], [], []
    for given in webs:
        crawl = crawl_of(given)
        is_target = given.web.is_target
        areas.append(area(is_target, list(crawl.run(pages)), pages))
        of_requests.append(area(is_target, crawl.requests, pages))
        found.append(int(is_target[crawl.requests].sum()))
        crawls.append(crawl)
    return {
        "area": float(np.mean(areas)),
        "area_by_requests": float(np.mean(of_requests)),
        "areas": " ".join(f"{area:.3f}" for area in areas),
        "found": float(np.mean(found)),
        "missing": float(np.mean([crawl.missing for crawl in crawls])),
        "put_back": float(np.mean([crawl.postponed for crawl in crawls])),
        "seconds": process_time() - begin,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", type=Path, default=SHIPPED)
    parser.add_argument("--targets", default="ko,ja,zh,th")
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--seed-sets", type=int, default=3)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--most-heard", type=int, default=MOST_HEARD)
    parser.add_argument("--plans", default=",".join(PLANS), help="names of PLANS with commas between them")
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-workers.csv")
    arguments = parser.parse_args()
    pages = read_pages(arguments.collection)
    for language in arguments.targets.split(","):
        given = web_with_gaps(pages, Target(frozenset({language}), frozenset(TLDS_BY_LANGUAGE[language])))
        webs = [WebWithGaps(web, given.recorded) for web in drawn(given.web, arguments.seed_sets)]
        about = {"collection": arguments.collection.resolve().parent.name, "target": language, "pages": arguments.pages}
        for name in arguments.plans.split(","):
            crawl_of = partial(Crawl, plan=PLANS[name], workers=arguments.workers, most_heard=arguments.most_heard)
            row = about | {"workers": arguments.workers, "most_heard": arguments.most_heard, "plan": name}
            add_row(arguments.out, row | measure(webs, crawl_of, arguments.pages))


if __name__ == "__main__":
    main()
