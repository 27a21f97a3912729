"""The simulator's queue: host precedence, then priority, then first discovered; hosts may rest."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from crawler_project.core.values import KEEP_HOST, HostVerdict

ABSENT, QUEUED, DOWNLOADED = 0, 1, 2


class HostQueue:
    """Order of the frontier (rules R4, R5, R12, R15) over pages that are numbers.

    Two levels: a heap a host, and one heap of the best entry of each host. A changed verdict re-keys
    one host. Entries that were overtaken stay until they come up and are then skipped.
    """

    def __init__(self, hosts: Sequence[int], n_hosts: int) -> None:
        self.state = bytearray(len(hosts))
        """``ABSENT``, ``QUEUED`` or ``DOWNLOADED``, one a page; the caller sets the last."""
        self.priorities = array("d", bytes(8 * len(hosts)))
        """Of queued pages: the best that any link has given (R5)."""
        self._hosts = hosts
        self._sequence = array("q", [-1]) * len(hosts)
        self._page_of = array("q")
        self._heaps: list[list[tuple[float, int]] | None] = [None] * n_hosts
        self._best: list[tuple[float, float, int, int]] = []
        self._verdicts: dict[int, HostVerdict] = {}
        self._resting: dict[int, float] = {}
        self._waking: list[tuple[float, int]] = []
        self._size = 0
        self.peak = 0
        """The most pages that were queued at any time."""

    def __len__(self) -> int:
        """Queued pages, with those that will be dropped when they are selected (R15)."""
        return self._size

    def push(self, page: int, priority: float) -> None:
        """Queue a page, or move a queued one to a better priority; it keeps its first place in line (R4)."""
        was_queued = self.state[page] == QUEUED
        self.priorities[page] = priority
        if not was_queued:
            self.state[page] = QUEUED
            self._size += 1
            self.peak = max(self.peak, self._size)
        sequence = self._sequence[page]
        if sequence < 0:
            sequence = self._sequence[page] = len(self._page_of)
            self._page_of.append(page)
        host = self._hosts[page]
        verdict = self._verdicts.get(host, KEEP_HOST)
        if verdict.override is not None:
            if was_queued:
                return
            priority = verdict.override
        self._insert(host, (priority, sequence), verdict)

    def pop(self, now: float = 0.0) -> int:
        """Take the best page of a host that is not resting; -1 when there is none."""
        if self._waking:
            self._wake(now)
        best, heaps, resting = self._best, self._heaps, self._resting
        while best:
            precedence, rank, sequence, host = heapq.heappop(best)
            heap = heaps[host]
            if not heap or heap[0][1] != sequence or host in resting:
                continue
            verdict = self._verdicts.get(host, KEEP_HOST)
            priority = heap[0][0]
            if precedence != verdict.precedence or rank != priority + verdict.offset:
                continue
            heapq.heappop(heap)
            if heap:
                heapq.heappush(best, (precedence, heap[0][0] + verdict.offset, heap[0][1], host))
            page = self._page_of[sequence]
            if self.state[page] == QUEUED and (verdict.override is not None or self.priorities[page] == priority):
                self.state[page] = ABSENT
                self._size -= 1
                if not verdict.discard:
                    return page
        return -1

    def set_verdict(self, host: int, verdict: HostVerdict) -> None:
        """Judge all queued pages of a host anew, now and as they come."""
        old = self._verdicts.get(host, KEEP_HOST)
        self._verdicts[host] = verdict
        heap = self._heaps[host]
        if not heap or old._replace(discard=False) == verdict._replace(discard=False):
            return
        if old.override != verdict.override:
            queued = {sequence for _, sequence in heap if self.state[self._page_of[sequence]] == QUEUED}
            heap[:] = [(self._priority(sequence, verdict), sequence) for sequence in queued]
            heapq.heapify(heap)
        self._announce(host, verdict)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Give all that :meth:`restore` needs, as arrays."""
        return {
            "state": np.frombuffer(bytes(self.state), dtype=np.uint8),
            "priorities": np.array(self.priorities),
            "page_of": np.array(self._page_of),
            "waking": np.array(self._waking, dtype=np.float64).reshape(-1, 2),
            "peak": np.array(self.peak),
        }

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]], verdicts: Mapping[int, HostVerdict]) -> None:
        """Take over the state of another queue of the same web, and the verdicts about its hosts."""
        self.state[:] = arrays["state"].tobytes()
        self.priorities = array("d", arrays["priorities"].tobytes())
        self._page_of = array("q", arrays["page_of"].tobytes())
        for sequence, page in enumerate(self._page_of):
            self._sequence[page] = sequence
        self._verdicts = dict(verdicts)
        self._waking = [(until, int(host)) for until, host in arrays["waking"].tolist()]
        self._resting = {host: until for until, host in self._waking}
        self.peak = int(arrays["peak"])
        for page in (page for page in self._page_of if self.state[page] == QUEUED):
            self._size += 1
            host = self._hosts[page]
            verdict = self._verdicts.get(host, KEEP_HOST)
            self._insert(host, (self._priority(self._sequence[page], verdict), self._sequence[page]), verdict)

    def rest(self, host: int, until: float) -> None:
        """Let a host rest: none of its pages is selected before ``until``."""
        self._resting[host] = until
        heapq.heappush(self._waking, (until, host))

    def hold(self, host: int) -> None:
        """Let a host rest until :meth:`rest` says until when: it is being fetched from."""
        self._resting[host] = inf

    def next_waking(self) -> float | None:
        """When the first resting host that has queued pages may be asked again; ``None``: no such host."""
        return min((until for until, host in self._waking if self._heaps[host]), default=None)

    def has_better(self, rank: float, until: float) -> bool:
        """Whether a host that is held, or rests until then at most, has a queued page of this rank or better."""
        return any(
            (until_then <= until or until_then == inf) and self._best_rank(host) <= rank
            for host, until_then in self._resting.items()
        )

    def _best_rank(self, host: int) -> float:
        """Priority of a host's best queued page with the verdict about it; entries that were overtaken are taken away."""
        heap, verdict = self._heaps[host], self._verdicts.get(host, KEEP_HOST)
        while heap:
            priority, sequence = heap[0]
            page = self._page_of[sequence]
            if self.state[page] == QUEUED and (verdict.override is not None or self.priorities[page] == priority):
                return priority + verdict.offset
            heapq.heappop(heap)
        return inf

    def _insert(self, host: int, entry: tuple[float, int], verdict: HostVerdict) -> None:
        heap = self._heaps[host]
        if heap is None:
            heap = self._heaps[host] = []
        heapq.heappush(heap, entry)
        if heap[0] == entry and host not in self._resting:
            heapq.heappush(self._best, (verdict.precedence, entry[0] + verdict.offset, entry[1], host))

    def _priority(self, sequence: int, verdict: HostVerdict) -> float:
        own = self.priorities[self._page_of[sequence]]
        return own if verdict.override is None else verdict.override

    def _announce(self, host: int, verdict: HostVerdict) -> None:
        heap = self._heaps[host]
        if heap and host not in self._resting:
            heapq.heappush(self._best, (verdict.precedence, heap[0][0] + verdict.offset, heap[0][1], host))

    def _wake(self, now: float) -> None:
        while self._waking and self._waking[0][0] <= now:
            _, host = heapq.heappop(self._waking)
            if self._resting.get(host, now + 1) <= now:
                del self._resting[host]
                self._announce(host, self._verdicts.get(host, KEEP_HOST))
