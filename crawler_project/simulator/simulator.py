"""A crawl of a recorded web, one download at a time: the same strategies as live, no network."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import compress, repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.values import KEEP_HOST, NO_COUNTS, UNKNOWN, Counts, HostVerdict, Visit
from crawler_project.simulator.foresight import leading_to_target
from crawler_project.simulator.host_queue import DOWNLOADED, QUEUED, HostQueue
from crawler_project.simulator.simulated_link import LazyLinks, SimulatedLink, WebView
from crawler_project.simulator.web import Web
from crawler_project.strategies.base import Strategy, distance_of_links

NO_PARENT = -1
SEED_PRIORITY = 0.0


class Place(NamedTuple):
    """Where a page of a simulation is."""

    state: str
    """``unknown``, ``queued`` or ``downloaded``."""
    chain: tuple[int, ...]
    """The pages from a seed to this one, itself the last."""
    priority: float
    """Of its own, by its latest scoring."""
    offset: float
    """What the verdict on its host adds to it."""
    evidence: str
    """What the strategy keeps with a queued page."""


class Simulator:
    """Downloads the pages of a web in the order in which a strategy would (rules R1 to R18).

    Iterate over :meth:`run`; ``downloads``, ``relevant`` and ``queued`` say where it stands. A
    simulator is one crawl: it goes on where it was left, and never starts anew.
    """

    def __init__(self, web: Web, strategy: Strategy, gap: int = 0) -> None:
        """Queue the seeds. ``gap``: downloads for which a host rests after each of its own (0: none)."""
        self.web = web
        self.strategy = strategy
        self.downloads = 0
        self.relevant = 0
        """Downloads whose own language is the target's (R8)."""
        self.idle = 0
        """Turns that passed without a download because all hosts with queued pages were resting."""
        self.postponed = 0
        """Times that a selected page was put back because its chances had fallen."""
        self._gap = gap
        self._hosts = array("i", web.hosts.tobytes())
        self._langs = array("h", web.langs.tobytes())
        self._is_target = web.is_target.tobytes()
        self._tld_is_target = web.tld_is_target.tolist()
        self._target = web.lang_names.index(web.target_lang)
        self._unknown = web.lang_names.index(UNKNOWN)
        self._effective = array("h", bytes(2 * web.n_pages))
        self._distances = array("i", [1]) * web.n_pages
        self._parents = array("i", [NO_PARENT]) * web.n_pages
        self._queue = HostQueue(self._hosts, web.n_hosts)
        self._verdicts: dict[int, HostVerdict] = {}
        self._evidence: dict[int, str] = {}
        """Of queued pages: what the strategy wants back when the page is downloaded."""
        self._numbers: dict[str, int] = {}
        """Of queued pages by URL, for a strategy that revises what it thought of them."""
        self.rules: dict[int, str] = {}
        """Of a web seen by a topic model, by page: what admitted the link to it; seeds have none."""
        self._set_up_counts()
        self._set_up_learning()
        self._view = WebView(web, leading_to_target(web) if strategy.needs_whole_web else None)
        self._push_seeds()

    @property
    def queued(self) -> int:
        """Queued pages, with those that will be dropped when they are selected."""
        return len(self._queue)

    @property
    def peak_queue(self) -> int:
        """The most pages that were queued at any time."""
        return self._queue.peak

    def run(self, limit: int | None = None) -> Iterator[int]:
        """Download until the queue is empty or ``limit`` downloads are done in all (R18); gives page ids."""
        while (limit is None or self.downloads < limit) and not self.strategy.is_exhausted():
            page = self._select()
            if page < 0:
                return
            self._download(page)
            yield page

    def downloaded(self) -> list[int]:
        """Give the pages downloaded so far, by number."""
        return [page for page, state in enumerate(self._queue.state) if state == DOWNLOADED]

    def place(self, page: int) -> Place:
        """Say where a page is now, and how it was found."""
        state = ("unknown", "queued", "downloaded")[self._queue.state[page]]
        chain = [page]
        while (parent := self._parents[chain[-1]]) != NO_PARENT:
            chain.append(parent)
        verdict = self._verdicts.get(self._hosts[page], KEEP_HOST)
        evidence = self._evidence.get(page, "")
        return Place(state, tuple(reversed(chain)), self._queue.priorities[page], verdict.offset, evidence)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Give the state between two downloads as arrays: what :meth:`restore` needs."""
        return self._queue.arrays() | {
            "effective": np.array(self._effective),
            "distances": np.array(self._distances),
            "parents": np.array(self._parents),
            "idle": np.array(self.idle),
            **self._rules_array(),
            **self._learned_arrays(),
        }

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from the state of another simulator of the same web, strategy and gap; only a new one may."""
        self._effective = array("h", arrays["effective"].tobytes())
        self._distances = array("i", arrays["distances"].tobytes())
        self._parents = array("i", arrays["parents"].tobytes())
        self.idle = int(arrays["idle"])
        self.rules = dict(json.loads(arrays["rules"].tobytes())) if "rules" in arrays else {}
        downloaded = np.flatnonzero(arrays["state"] == DOWNLOADED)
        self.downloads = len(downloaded)
        self.relevant = int(self.web.is_target[downloaded].sum())
        for page in downloaded.tolist():
            self._count(page)
        self._restore_learned(arrays)
        self._queue = HostQueue(self._hosts, self.web.n_hosts)
        self._queue.restore(arrays, self._verdicts)

    def _rules_array(self) -> dict[str, npt.NDArray[Any]]:
        rules = json.dumps(list(self.rules.items())).encode()
        return {"rules": np.frombuffer(rules, dtype=np.uint8)} if self.rules else {}

    def _learned_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What a strategy that learns needs to go on exactly: its state, the evidence of queued pages, its verdicts."""
        if not self._learns:
            return {}
        evidence = json.dumps(list(self._evidence.items())).encode()
        texts = {"evidence": evidence} | {f"strategy {name}": part for name, part in self.strategy.state().items()}
        offsets = [(host, verdict.offset) for host, verdict in self._verdicts.items()]
        return {name: np.frombuffer(text, dtype=np.uint8) for name, text in texts.items()} | {
            "offsets": np.array(offsets, dtype=np.float64).reshape(-1, 2),
        }

    def _restore_learned(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        if not self._learns:
            return
        parts = {
            name.removeprefix("strategy "): array.tobytes()
            for name, array in arrays.items()
            if name.startswith("strategy ")
        }
        self.strategy.restore(parts)
        self._evidence = dict(json.loads(arrays["evidence"].tobytes()))
        if self._revises:
            self._numbers = {self.web.url(page): page for page in self._evidence}
        if self._judges_visits:
            self._verdicts = {int(host): HostVerdict(offset=offset) for host, offset in arrays["offsets"].tolist()}

    def _set_up_counts(self) -> None:
        kind = type(self.strategy)
        self._judges_visits = kind.judge_host_of is not Strategy.judge_host_of
        self._judges_hosts = self._judges_visits or kind.judge_host is not Strategy.judge_host
        self._rechecks = kind.admits is not Strategy.admits
        self._counts_hosts = self._judges_hosts or self.strategy.unit == "host"
        self._host_counts = [NO_COUNTS] * self.web.n_hosts if self._counts_hosts else []
        self._counts_directories = self.strategy.unit == "directory"
        self._units: Sequence[int] = self._hosts
        self._unit_counts = self._host_counts
        if self._counts_directories:
            directories = self.web.directories
            self._units = array("i", directories.tobytes())
            self._unit_counts = [NO_COUNTS] * (int(directories.max()) + 1 if len(directories) else 0)

    def _set_up_learning(self) -> None:
        kind = type(self.strategy)
        self._learns = kind.learn_one is not Strategy.learn_one
        self._keeps_evidence = kind.evidence is not Strategy.evidence
        self._reconsiders = kind.reconsider is not Strategy.reconsider
        self._revises = kind.revisions is not Strategy.revisions

    def _push_seeds(self) -> None:
        """Queue the seeds in their order; of a foreseen web only those that lead anywhere (R2, R19)."""
        leads = self._view.leads_to_target
        for seed in self.web.seeds.tolist():
            if leads is None or leads[seed]:
                self._queue.push(seed, SEED_PRIORITY)

    def _select(self) -> int:
        """Take the next page to download, drop what is not wanted any more; -1 at the end."""
        while True:
            page = self._pop(self.downloads + self.idle)
            waking = self._queue.next_waking() if page < 0 and self._gap else None
            if waking is None:
                return page
            self.idle = int(waking) - self.downloads

    def _pop(self, now: float) -> int:
        """Take the best page that the strategy still admits (R17, recheck) and still wants now; -1 when there is none."""
        page = self._queue.pop(now)
        while page >= 0 and (not self._is_admitted(page) or self._put_back(page)):
            page = self._queue.pop(now)
        return page

    def _is_admitted(self, page: int) -> bool:
        return not self._rechecks or self.strategy.admits(self._counts_of(page))

    def _put_back(self, page: int) -> bool:
        """Queue a selected page again if the strategy has come to think worse of it."""
        if not self._reconsiders:
            return False
        evidence = self._evidence.get(page, "")
        url, host = self.web.url(page), self.web.host(page)
        priority = self.strategy.reconsider(url, host, self._queue.priorities[page], evidence)
        if priority is None:
            return False
        self.postponed += 1
        self._queue.push(page, priority)
        return True

    def _counts_of(self, page: int) -> Counts:
        return self._unit_counts[self._units[page]] if self._unit_counts else NO_COUNTS

    def _download(self, page: int) -> None:
        self._queue.state[page] = DOWNLOADED
        self.downloads += 1
        self.relevant += self._is_target[page]
        self._effective[page] = self._effective_language(page)
        if self._learns:
            self.strategy.learn_one(self._evidence.pop(page, ""), self._visit(page))
        self._count(page)
        if self._gap:
            self._queue.rest(self._hosts[page], self.downloads + self.idle + self._gap)
        self._follow_links(page)
        if self._revises:
            self._revise()

    def _revise(self) -> None:
        """Move up the queued pages of which the strategy thinks better by now; whatever else they have stays."""
        queue = self._queue
        for url, priority, evidence in self.strategy.revisions():
            page = self._numbers.get(url, -1)
            if page >= 0 and queue.state[page] == QUEUED and priority < queue.priorities[page]:
                queue.push(page, priority)
                self._evidence[page] = evidence

    def _effective_language(self, page: int) -> int:
        """Apply R7: an unknown page takes its parent's language, an unknown seed the target's."""
        own = self._langs[page]
        if own != self._unknown or not self.strategy.inherit:
            return own
        parent = self._parents[page]
        return self._target if parent == NO_PARENT else self._effective[parent]

    def _count(self, page: int) -> None:
        """Count the page under its server and directory by its own language, and judge the server (R8)."""
        is_target = self._is_target[page]
        if self._counts_hosts:
            host = self._hosts[page]
            counts = self._host_counts[host] = _one_more(self._host_counts[host], is_target)
            if self._judges_hosts:
                strategy = self.strategy
                verdict = (
                    strategy.judge_host_of(self._visit(page), counts)
                    if self._judges_visits
                    else strategy.judge_host(counts)
                )
                if verdict != self._verdicts.get(host, KEEP_HOST):
                    self._verdicts[host] = verdict
                    self._queue.set_verdict(host, verdict)
        if self._counts_directories:
            unit = self._units[page]
            self._unit_counts[unit] = _one_more(self._unit_counts[unit], is_target)

    def _follow_links(self, page: int) -> None:
        start, end = self.web.offsets[page : page + 2].tolist()
        state = self._queue.state
        targets = self.web.targets[start:end].tolist()
        is_open = [state[target] != DOWNLOADED for target in targets]
        if True not in is_open:
            return
        pages = list(compress(targets, is_open))
        visit = self._visit(page)
        links = LazyLinks(len(pages), partial(self._links, page, pages, start, end, is_open))
        scores = self.strategy.score_links(visit, links)
        queued = self._enqueue(page, pages, scores, distance_of_links(visit))
        if self.web.topic is not None:
            for number in queued:
                self.rules[pages[number]] = self.strategy.explain(visit, links[number], scores[number] or 0.0).partition(" ")[0]  # fmt: skip
        if self._keeps_evidence:
            for number in queued:
                self._evidence[pages[number]] = self.strategy.evidence(visit, links[number])
        if self._revises:
            self._numbers.update((links[number].url, pages[number]) for number in queued)

    def _visit(self, page: int) -> Visit:
        web, effective, parent = self.web, self._effective[page], self._parents[page]
        return Visit(
            web.url(page),
            web.host_names[self._hosts[page]],
            web.lang_names[self._langs[page]],
            web.lang_names[effective],
            bool(self._is_target[page]),
            effective == self._target,
            self._distances[page],
            parent == NO_PARENT,
            0.0 if web.topic is None else web.topic.page_score(page),
        )

    def _links(
        self, page: int, pages: Sequence[int], start: int, end: int, is_open: Sequence[bool]
    ) -> list[SimulatedLink]:
        """Make the links to ``pages``, those of the links ``start`` to ``end`` that are open."""
        host, hosts, in_tld, units, unit_counts = (
            self._hosts[page], self._hosts, self._tld_is_target, self._units, self._unit_counts,
        )  # fmt: skip
        counts = [unit_counts[units[target]] for target in pages] if unit_counts else repeat(NO_COUNTS)
        columns = zip(
            repeat(self._view),
            pages,
            [hosts[target] == host for target in pages],
            [in_tld[target] for target in pages],
            compress(self.web.anchors[start:end].tolist(), is_open),
            counts,
            repeat(-1) if self.web.texts is None else compress(range(start, end), is_open),
            strict=False,
        )
        return list(map(SimulatedLink._make, columns))

    def _enqueue(self, page: int, pages: Sequence[int], scores: Sequence[float | None], distance: int) -> list[int]:
        """Queue each link in turn; a queued page takes a better (class, distance) and its parent (R5).

        Gives the places of the links that were taken.
        """
        taken = []
        queue, state, priorities, distances = self._queue, self._queue.state, self._queue.priorities, self._distances
        tracks_distance = self.strategy.tracks_distance
        for number, (target, score) in enumerate(zip(pages, scores, strict=True)):
            if score is None:
                continue
            if state[target] == QUEUED:
                old = priorities[target]
                if score > old or (score == old and not (tracks_distance and distance < distances[target])):
                    continue
                if score < old:
                    queue.push(target, score)
            else:
                queue.push(target, score)
            distances[target] = distance
            self._parents[target] = page
            taken.append(number)
        return taken


def _one_more(counts: Counts, is_target: int) -> Counts:
    return Counts(counts.pages + 1, counts.target_pages + is_target)
