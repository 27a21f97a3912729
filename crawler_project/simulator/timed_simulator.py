"""A simulated crawl in time: several workers, slow answers, and hosts that must not be hurried."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from crawler_project.core.values import SOON
from crawler_project.simulator.host_queue import DOWNLOADED
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.strategies.base import Strategy


class Pace(NamedTuple):
    """How fast a crawl may go."""

    workers: int = 1
    """Fetches at the same time, one a host at most."""
    latency: float = 0.5
    """Seconds from the request to the last byte."""
    delay: float = 1.0
    """Seconds that a host rests after the end of a fetch, as the live frontier counts it."""


class TimedSimulator(Simulator):
    """Downloads as :class:`Simulator` does, but a page counts when its fetch ends.

    Departs from R1 on purpose: with one worker and no delay the order is that of the rules, else it is
    what users really get.
    """

    def __init__(self, web: Web, strategy: Strategy, pace: Pace) -> None:
        """Queue the seeds; nothing is fetched yet and the clock stands at 0."""
        super().__init__(web, strategy)
        self.seconds = 0.0
        """The simulated clock."""
        self._pace = pace
        self._fetching: list[tuple[float, int, int]] = []
        self._fetches = 0
        self._may_wait = type(strategy).awaited is not Strategy.awaited

    def run(self, limit: int | None = None) -> Iterator[int]:
        """Fetch until nothing is queued or being fetched, or ``limit`` downloads are done; gives page ids
        in the order in which their fetches end."""
        while (limit is None or self.downloads < limit) and not self.strategy.is_exhausted():
            self._begin_fetches()
            page = self._next_finished()
            if page is None:
                return
            if page >= 0:
                yield page

    def _begin_fetches(self) -> None:
        """Give work to every free worker, as long as a host is ready."""
        while len(self._fetching) < self._pace.workers:
            page = self._pop(self.seconds)
            if page < 0 or self._waits(page):
                return
            self._queue.state[page] = DOWNLOADED
            self._queue.hold(self._hosts[page])
            self._fetches += 1
            heapq.heappush(self._fetching, (self.seconds + self._pace.latency, self._fetches, page))

    def _waits(self, page: int) -> bool:
        """Queue a selected page again if the strategy would rather wait for a better host, and there is one."""
        if not self._may_wait:
            return False
        rank = self.strategy.awaited(self.web.url(page), self.web.host(page), self._evidence.get(page, ""))
        if rank is None or not self._queue.has_better(rank, self.seconds + SOON):
            return False
        self._queue.push(page, self._queue.priorities[page])
        return True

    def _next_finished(self) -> int | None:
        """Move the clock to what happens next. Gives the page whose fetch ends then, -1 when it is a host
        that wakes, ``None`` when nothing will happen any more."""
        has_free_worker = len(self._fetching) < self._pace.workers
        waking = self._queue.next_waking() if has_free_worker else None
        if self._fetching and (waking is None or self._fetching[0][0] <= waking):
            self.seconds, _, page = heapq.heappop(self._fetching)
            self._download(page)
            self._queue.rest(self._hosts[page], self.seconds + self._pace.delay)
            return page
        if waking is None:
            return None
        self.seconds = max(self.seconds, waking)
        return -1
