"""Requests of a spider that is not ours, one lease each: settled when they have left the engine."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from scrapy import Request
from scrapy.crawler import Crawler

from crawler_project.core.errors import StateError
from crawler_project.core.seams import SharedFrontier
from crawler_project.core.values import Entry, Lease, Outcome
from crawler_project.crawling.shared_servers import SharedServers
from crawler_project.own_spiders.request_fates import RequestFates
from crawler_project.own_spiders.stored_requests import LEASE_MARK, StoredRequests

logger = logging.getLogger(__name__)

MOST_REASONS = 100
"""Reasons of refusals that are logged."""
MOST_WAITING = 250
"""Requests that are sent to the frontier together."""


class LeasedRequests:
    """What a scheduler of requests does between the engine and the frontier.

    A callback's requests are in the frontier before the lease of its own request is committed: a worker
    that dies in between has the page fetched again, and what is queued twice is filtered.

    Args:
        most_leases: requests under way at once.
        servers: names what hosts share a budget by; ``None``: they do not.
    """

    def __init__(
        self,
        crawler: Crawler,
        frontier: SharedFrontier,
        stored: StoredRequests,
        fates: RequestFates,
        *,
        most_leases: int,
        servers: SharedServers | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._crawler = crawler
        self._frontier = frontier
        self._stored = stored
        self._fates = fates
        self._most_leases = most_leases
        self._servers = servers
        self._clock = clock
        self._waiting: list[Entry] = []
        self._leases: dict[Request, Lease] = {}
        self._unserved: deque[Lease] = deque()
        self._unlocated: list[Lease] = []  # their servers are being looked up
        self._lost: set[int] = set()
        self._reasons: set[str] = set()

    def put(self, request: Request) -> bool:
        """Take a request for the next :meth:`send`; False: it cannot be stored, which is logged and counted."""
        self._note_replacement(request)
        try:
            self._waiting.append(self._stored.entry_of(request))
        except ValueError as error:
            self._refuse(request, str(error))
            return False
        return True

    @property
    def is_due(self) -> bool:
        """Whether requests should be sent at once: there are many, or nothing else is under way to send them with."""
        return len(self._waiting) >= MOST_WAITING or not self._leases

    def send(self) -> None:
        """Queue what was put, in one round trip or a few."""
        if self._waiting:
            added = self._frontier.add(self._waiting).added
            self._count("scheduler/enqueued/redis", added)
            self._count("dupefilter/filtered", len(self._waiting) - added)
            self._waiting.clear()

    def settle_finished(self) -> None:
        """Commit the leases of all requests that the engine has done with."""
        self.send()
        slot = self._crawler.engine._slot
        if slot is not None:
            for request in [request for request in self._leases if request not in slot.inprogress]:
                self._settle(request)

    def next_request(self) -> Request | None:
        """The next request that may be fetched now; ``None``: there is none at present."""
        self.settle_finished()
        self._unserved.extend(self._unlocated)
        self._unlocated.clear()
        while (room := self._most_leases - len(self._leases) - len(self._unlocated)) > 0:
            if not self._unserved:
                self._unserved.extend(self._frontier.lease(room, self._clock()))
            if not self._unserved:
                return None
            lease = self._unserved[0]
            server = self._servers.of(lease.entry.host) if self._servers is not None else ""
            request = self._admitted(lease, server) if server is not None else None
            self._unserved.popleft()
            if server is None:
                self._unlocated.append(lease)
            elif request is not None:
                self._leases[request] = lease
                self._fates.watch(request)
                self._count("scheduler/dequeued/redis", 1)
                return request
        return None

    def held(self) -> list[Lease]:
        """All leases of this worker."""
        return [*self._leases.values(), *self._unserved, *self._unlocated]

    def drop_lost(self, lost: Sequence[Lease]) -> None:
        """Leases that went to somebody else: what is under way goes on, and is not committed."""
        tokens = {lease.token for lease in lost}
        self._count("frontier/lost_lease_count", len(tokens))
        self._unserved = deque(lease for lease in self._unserved if lease.token not in tokens)
        self._unlocated = [lease for lease in self._unlocated if lease.token not in tokens]
        self._lost |= {lease.token for lease in self._leases.values()} & tokens

    def give_back(self) -> None:
        """Settle what is done and give back what is not (at the end, after a second Ctrl-C)."""
        self.settle_finished()
        self._unserved.extend(self._unlocated)
        self._unlocated.clear()
        for request, lease in list(self._leases.items()):
            self._frontier.release(lease, self._clock(), fetched=True)
            self._forget(request)
        while self._unserved:
            self._frontier.release(self._unserved[0], self._clock())
            self._unserved.popleft()

    def wait(self) -> float | None:
        """Seconds until a host is ready; ``None``: no host waits."""
        return self._frontier.next_ready(self._clock())

    def _admitted(self, lease: Lease, server: str) -> Request | None:
        """The request of a lease; ``None``: another host of its server is being asked, it waits again."""
        wait = self._frontier.take_server(lease, server, self._clock()) if server else 0.0
        if wait > 0:
            self._frontier.release(lease, self._clock(), rest=wait)
            self._count("frontier/server_busy_count", 1)
            return None
        return self._read(lease)

    def _read(self, lease: Lease) -> Request | None:
        """The request of a lease; ``None``: it is none that this spider knows, and is among the dead ones now."""
        try:
            request = self._stored.request_of(lease)
        except StateError as error:
            logger.error("%s. It is kept among the dead ones: scrapy frontier dead", str(error).rstrip("."))
            self._commit(lease, Outcome(kind="failed", fetched=False, reason=str(error)))
            return None
        request.meta[LEASE_MARK] = lease.token
        return request

    def _refuse(self, request: Request, reason: str) -> None:
        """Say each reason once: a page may have thousands of such links."""
        self._crawler.stats.inc_value("frontier/refused_request_count")
        if reason not in self._reasons and len(self._reasons) < MOST_REASONS:
            self._reasons.add(reason)
            logger.error(
                "%s is not queued: %s. Requests are stored as JSON: callbacks must be methods of the spider, "
                "meta and cb_kwargs plain data (text, numbers, bytes, lists, tuples, sets, dictionaries). "
                "Others like it are only counted (frontier/refused_request_count)",
                request,
                reason,
            )

    def _note_replacement(self, request: Request) -> None:
        token = request.meta.get(LEASE_MARK)
        for leased in [leased for leased, lease in self._leases.items() if lease.token == token]:
            self._fates.replaced(leased)

    def _settle(self, request: Request) -> None:
        lease = self._leases[request]
        if lease.token not in self._lost:
            self._commit(lease, self._fates.outcome(request))
        self._forget(request)

    def _forget(self, request: Request) -> None:
        self._lost.discard(self._leases.pop(request).token)
        self._fates.forget(request)

    def _commit(self, lease: Lease, outcome: Outcome) -> None:
        result = self._frontier.commit(lease, outcome, self._clock())
        self._count("frontier/retry_count", int(result.retried))
        self._count("frontier/dead_count", int(result.dead))
        self._count("frontier/late_commit_count", int(not result.accepted))

    def _count(self, key: str, count: int) -> None:
        if count:
            self._crawler.stats.inc_value(key, count)
