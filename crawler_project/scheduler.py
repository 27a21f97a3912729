"""Scrapy's scheduler on top of a frontier: leases become requests, finished requests are settled.

The life of a URL (docs/architecture.md, steps 3, 4 and 7): :meth:`LeaseScheduler.next_request`
first settles every lease whose request has left the engine, then leases the next URL. Links
never become requests before they are leased, and nothing about a lease is copied to a request
that a callback might yield.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Sequence

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import call_later

from crawler_project.core.errors import StateError
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import SOON, CommitResult, Entry, Lease, Outcome
from crawler_project.crawling import durable_rows
from crawler_project.crawling.durable_rows import DurableRows
from crawler_project.crawling.lease_keeper import LeaseKeeper
from crawler_project.crawling.leasing_spider import LeasingSpider
from crawler_project.crawling.patience import LONGEST_WAIT, Patience
from crawler_project.crawling.put_backs import PutBacks
from crawler_project.crawling.request_meta import OUTCOME
from crawler_project.crawling.robots_gate import RobotsGate
from crawler_project.crawling.robots_requests import RobotsRequests
from crawler_project.crawling.shared_servers import SharedServers
from crawler_project.items import PageItem

logger = logging.getLogger(__name__)

SHARED_WAIT = 0.25
"""Seconds until the frontier is asked again when nothing is ready, where other workers may find links, or finish the crawl, at any moment."""


class LeaseScheduler(BaseScheduler):
    """Serve requests from the spider's frontier, politely, and settle them when they are done.

    Scrapy has no signal "request finished"; what the engine's slot no longer holds in progress
    is. The slot is semi-private: :meth:`open` checks that it is as expected and fails loudly.
    """

    def __init__(
        self, crawler: Crawler, *, obey_robots: bool, most_leases: int, clock: Callable[[], float] = time.time
    ) -> None:
        self._crawler = crawler
        self._obey_robots = obey_robots
        self._most_leases = most_leases
        self._clock = clock
        self._leases: dict[Request, Lease] = {}
        self._unserved: deque[Lease] = deque()
        self._unlocated: list[Lease] = []  # their servers are being looked up
        self._lost: set[int] = set()
        self._settled_at = -math.inf
        """When the latest download was settled: nothing waits while none are."""
        self.patience = Patience(crawler)
        self._rows: DurableRows | None = None
        self._keeper: LeaseKeeper | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LeaseScheduler:
        settings = crawler.settings
        return cls(
            crawler,
            obey_robots=settings.getbool("ROBOTSTXT_OBEY"),
            most_leases=settings.getint("CONCURRENT_REQUESTS"),
        )

    def open(self, spider: Spider) -> None:
        self._spider: LeasingSpider = spider  # type: ignore[assignment]
        self._frontier = self._spider.frontier
        self._robots = self._robots_requests() if self._obey_robots else None
        self._servers = SharedServers.from_settings(self._crawler.settings, self.patience.look_again)
        self._engine = self._crawler.engine
        self._put_backs = PutBacks(
            self._frontier, self._spider.shared, self._spider.postponement, self._count_put_backs
        )
        if self._spider.shared is not None:
            self._keeper = LeaseKeeper(
                self._spider.shared, self._held, self._drop_lost, self.patience.guarded, self._clock
            )
            self._keeper.start()
            self.patience.renew = self._keeper.renew

    def _robots_requests(self) -> RobotsRequests:
        spider = self._spider
        return RobotsRequests(
            RobotsGate(self._frontier, spider.user_agent, spider.delay),
            self.patience,
            self._crawler.stats,
            self._clock,
            headers=spider.request_headers,
            max_attempts=spider.max_attempts,
        )

    def write_rows_first(self, rows: DurableRows) -> None:
        """Have rows durable before their leases are committed (:meth:`keep_row`)."""
        self._rows = rows

    def close(self, reason: str) -> None:
        """Settle what is done and give back what is not (after a second Ctrl-C)."""
        self.patience.cancel()
        if self._keeper is not None:
            self._keeper.stop()
        if self._servers is not None:
            self._servers.close()
        try:
            self._close()
        except StateError as error:
            if self._spider.shared is None:
                raise
            count = len(self._held())
            logger.warning("%s. %d leased URLs go back to the queue when their leases expire.", error, count)

    def _close(self) -> None:
        self._settle_rows(is_last=True)
        for request, lease in list(self._leases.items()):
            if OUTCOME in request.meta:
                self._settle(request)
            else:
                self._frontier.release(lease, self._clock(), fetched=True)
                del self._leases[request]
        self._put_backs.flush(self._clock())
        self._unserved.extend(self._unlocated)
        self._unlocated.clear()
        while self._unserved:
            self._frontier.release(self._unserved[0], self._clock())
            self._unserved.popleft()

    def has_pending_requests(self) -> bool:
        return self.patience.ask(self._is_unfinished, unknown=True)

    def next_request(self) -> Request | None:
        return self.patience.ask(self._next_request, unknown=None)

    def _is_unfinished(self) -> bool:
        self._settle_finished()
        return self._spider.pages_left() > 0 and not self._frontier.is_finished()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request of somebody else's (an extension, a middleware) as a URL of its own."""
        parts = canonical_url(request.url)
        if parts is None or request.method != "GET":
            return False
        return self._frontier.add([Entry(url=parts.url, host=parts.host, why="request")]).added > 0

    def _next_request(self) -> Request | None:
        self._settle_finished()
        self._unserved.extend(self._unlocated)
        self._unlocated.clear()
        # each lease may become a page: never fetch one that may not be kept; and a lease counts until
        # it is settled, so that with one at a time the order is exactly the frontier's
        while (room := self._room()) > 0:
            now = self._clock()
            if not self._unserved:
                self._unserved.extend(self._put_backs.lease(room, now))
            if not self._unserved:
                self._wake_up_when_ready(now)
                return None
            lease = self._unserved[0]
            later = self._spider.postponement(lease.entry)
            if later is not None:
                self._put_backs.add(self._unserved.popleft(), later)
                continue
            if self._waits(lease.entry, now):
                return None
            self._put_backs.flush(now)
            server = self._servers.of(lease.entry.host) if self._servers is not None else ""
            if server is None:
                self._unlocated.append(self._unserved.popleft())
                continue
            request = self._request_for(lease, server, now)
            # only now: what could not be asked about it will be asked again
            self._unserved.popleft()
            if request is not None:
                self._leases[request] = lease
                return request
        return None

    def _waits(self, entry: Entry, now: float) -> bool:
        """Give leases back if the best of them had better wait for a host that is ready soon; never long without a download."""
        rank = self._spider.awaited(entry)
        wait = self._frontier.next_better(rank, now) if rank is not None and now - self._settled_at < SOON else None
        if wait is None:
            return False
        self._put_backs.give_back(self._unserved, now)
        self._unserved.clear()
        self._crawler.stats.inc_value("frontier/wait_count")
        longest = LONGEST_WAIT if self._spider.shared is None else SHARED_WAIT
        self.patience.wake_up_in(min(max(wait, 0.02), longest))
        return True

    def _room(self) -> int:
        """How many URLs may be leased at once; a shared frontier looks after the pages left by itself."""
        under_way = len(self._leases) + len(self._unlocated)
        room = self._most_leases - under_way
        if self._spider.shared is not None:
            return room
        return min(1, room, self._spider.pages_left() - under_way)

    def settle(self, request: Request, outcome: Outcome) -> CommitResult:
        """Commit a lease at once (its row is written) instead of when its request leaves the engine."""
        return self._commit(self._leases.pop(request), outcome)

    def keep_row(self, request: Request, item: PageItem) -> None:
        """Write the row with the next group, and commit the lease after that."""
        assert self._rows is not None
        if request in self._leases and self._leases[request].token not in self._lost:
            self._rows.put(request, item, self._clock())
            call_later(durable_rows.LONGEST_WAIT, self.patience.look_again)

    def _settle_finished(self) -> None:
        slot = self._engine._slot
        if slot is None:
            return
        for request in [request for request in self._leases if request not in slot.inprogress]:
            if self._rows is None or request not in self._rows:
                self._settle(request)
        self._settle_rows()

    def _settle_rows(self, *, is_last: bool = False) -> None:
        rows = self._rows
        if not rows:
            return
        # nothing else is under way: nobody would be waited for
        if is_last or len(rows) == len(self._leases) or rows.is_due(self._clock()):
            if self._keeper is not None:
                self._keeper.renew_if_overdue()
            for request in rows.write():
                request.meta[OUTCOME] = None
        written = rows.written()
        results = self._commit_all([(self._leases[request], request.meta[OUTCOME]) for request in written])
        for request, result in zip(written, results, strict=True):
            del self._leases[request]
            rows.stored(request, accepted=result.accepted)

    def _settle(self, request: Request) -> None:
        """Commit or give back; the lease leaves the book when that has succeeded."""
        lease = self._leases[request]
        outcome = request.meta.get(OUTCOME, Outcome(kind="failed", reason="callback error"))
        if lease.token in self._lost:
            self._lost.discard(lease.token)
        elif outcome is None:
            self._frontier.release(lease, self._clock(), fetched=True)
        else:
            self._commit(lease, outcome)
        del self._leases[request]

    def _held(self) -> list[Lease]:
        return [*self._leases.values(), *self._unserved, *self._unlocated, *self._put_backs.held()]

    def _drop_lost(self, lost: Sequence[Lease]) -> None:
        """Leases that went to somebody else: their pages are not this worker's to store."""
        tokens = {lease.token for lease in lost}
        self._crawler.stats.inc_value("frontier/lost_lease_count", len(tokens))
        self._unserved = deque(lease for lease in self._unserved if lease.token not in tokens)
        self._unlocated = [lease for lease in self._unlocated if lease.token not in tokens]
        self._put_backs.drop(tokens)
        for request in [request for request, lease in self._leases.items() if lease.token in tokens]:
            if self._rows is not None and request in self._rows:
                self._rows.drop(request)
                del self._leases[request]
            else:
                self._lost.add(self._leases[request].token)

    def _commit(self, lease: Lease, outcome: Outcome) -> CommitResult:
        outcome = self._spider.complete(lease, outcome)
        result = self._frontier.commit(lease, outcome, self._clock())
        self._count(outcome, result)
        return result

    def _commit_all(self, settled: Sequence[tuple[Lease, Outcome]]) -> list[CommitResult]:
        shared = self._spider.shared
        if shared is None or len(settled) < 2:
            return [self._commit(lease, outcome) for lease, outcome in settled]
        settled = [(lease, self._spider.complete(lease, outcome)) for lease, outcome in settled]
        results = shared.commit_all(settled, self._clock())
        for (_, outcome), result in zip(settled, results, strict=True):
            self._count(outcome, result)
        return results

    def _count_put_backs(self, count: int) -> None:
        if count:
            self._crawler.stats.inc_value("frontier/postponed_count", count)

    def _count(self, outcome: Outcome, result: CommitResult) -> None:
        self._settled_at = self._clock()
        counts = {
            "frontier/added_count": result.added,
            "frontier/improved_count": result.improved,
            "frontier/retry_count": int(result.retried),
            "frontier/dead_count": int(result.dead),
            "frontier/late_commit_count": int(not result.accepted),
            "fetch/redirect_count": int(outcome.kind == "redirect"),
            f"fetch/{outcome.kind}_count/{outcome.reason}": int(outcome.kind in ("refused", "gone", "failed")),
        }
        for key, count in counts.items():
            if count:
                self._crawler.stats.inc_value(key, count)
        self._spider.hear(result.lessons)

    def _request_for(self, lease: Lease, server: str, now: float) -> Request | None:
        """A request for the lease, or for its host's robots.txt first; ``None``: settled without a fetch."""
        wait = self._frontier.take_server(lease, server, now) if server else 0.0
        if wait > 0:
            self._frontier.release(lease, now, rest=wait)
            self._crawler.stats.inc_value("frontier/server_busy_count")
            return None
        refusal = self._spider.refusal(lease.entry)
        if not refusal and self._robots is not None:
            admission = self._robots.gate.check(lease, now)
            if admission.robots_url:
                return self._robots.make(admission.robots_url, lease)
            if admission.wait:
                self._frontier.release(lease, now, fetched=True)
                return None
            refusal = admission.refusal
        if refusal:
            self._commit(lease, Outcome(kind="refused", fetched=False, reason=refusal))
            return None
        return self._spider.make_request(lease)

    def _wake_up_when_ready(self, now: float) -> None:
        """Have the engine ask again when the next host is ready; it would by itself only every 5 s."""
        wait = self._frontier.next_ready(now)
        if self._spider.shared is not None:
            # 0 is possible: another worker was faster, or the pages left are all under way
            self.patience.wake_up_in(SHARED_WAIT if wait is None else min(max(wait, 0.02), SHARED_WAIT))
        elif wait is not None:
            self.patience.wake_up_in(min(wait, LONGEST_WAIT))
