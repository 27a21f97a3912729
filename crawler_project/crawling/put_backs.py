"""Leased URLs that a learning strategy thinks less of by now: put back with the next lease, in one round trip."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from crawler_project.core.seams import Frontier, SharedFrontier
from crawler_project.core.values import Entry, Head, Lease


class PutBacks:
    """Leases on their way back into the queue.

    On a shared frontier each would cost two round trips: one for the release, one for the lease of what is best by
    then, which is often put back as well. So releases wait for the next lease, and what is likely to
    come next is scored along with it. The order stays that of releases and leases one by one.

    Args:
        shared: the frontier again, when other workers use it too.
        reconsider: gives the worse priority of an entry, ``None`` when it has not become worse.
        count: called with how many URLs were put back.
    """

    def __init__(
        self,
        frontier: Frontier,
        shared: SharedFrontier | None,
        reconsider: Callable[[Entry], float | None],
        count: Callable[[int], None],
    ) -> None:
        self._frontier = frontier
        self._shared = shared
        self._reconsider = reconsider
        self._count = count
        self._worse: list[tuple[Lease, float]] = []
        self._heads: Sequence[Head] = ()

    def __len__(self) -> int:
        return len(self._worse)

    def held(self) -> list[Lease]:
        """Leases that have not gone back yet."""
        return [lease for lease, _ in self._worse]

    def add(self, lease: Lease, priority: float) -> None:
        """Have a lease put back at a worse priority, with the next :meth:`lease` or :meth:`flush`."""
        self._worse.append((lease, priority))

    def lease(self, limit: int, now: float) -> Sequence[Lease]:
        """Put back what is to go, and give the best URLs that are ready then, at most ``limit``."""
        if self._shared is None or not self._worse:
            self.flush(now)
            return self._frontier.lease(limit, now)
        scored = [(head, later) for head in self._heads if (later := self._reconsider(head.entry)) is not None]
        done = self._shared.exchange(self._worse, scored, limit, now)
        self._worse, self._heads = [], done.heads
        self._count(done.put_back + done.passed_over)
        return done.leases

    def give_back(self, leases: Collection[Lease], now: float) -> None:
        """Give leases back as they are."""
        self.flush(now)
        if self._shared is not None and len(leases) > 1:
            self._shared.exchange([(lease, lease.entry.priority) for lease in leases], [], 0, now)
            return
        for lease in leases:
            self._frontier.release(lease, now)

    def flush(self, now: float) -> None:
        """Put back what is to go, and forget what was likely to come: something else is done in between."""
        self._heads = ()
        while self._worse:
            lease, priority = self._worse[0]
            self._frontier.release(lease, now, priority=priority)
            del self._worse[0]
            self._count(1)

    def drop(self, tokens: Iterable[int]) -> None:
        """Forget leases that went to somebody else."""
        lost = set(tokens)
        self._worse = [(lease, priority) for lease, priority in self._worse if lease.token not in lost]
