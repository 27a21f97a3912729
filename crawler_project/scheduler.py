"""Scrapy's scheduler on top of a frontier: leases become requests, finished requests are settled.

The life of a URL (docs/architecture.md, steps 3, 4 and 7): :meth:`LeaseScheduler.next_request`
first settles every lease whose request has left the engine, then leases the next URL. Links
never become requests before they are leased, and nothing about a lease is copied to a request
that a callback might yield.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import CallLaterResult, call_later
from twisted.python.failure import Failure

from crawler_project.core.seams import Frontier
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import CommitResult, Entry, Lease, Outcome
from crawler_project.extensions.content_types import ANY_TYPE
from crawler_project.failures import outcome_of_failure
from crawler_project.robots import MAX_SIZE
from crawler_project.robots_gate import RobotsGate

LONGEST_WAIT = 5.0
"""Seconds until the frontier is asked again when nothing is ready."""
OUTCOME = "outcome"
"""Key of ``Request.meta`` under which a callback leaves the :class:`Outcome`; ``None`` gives the URL back."""


class LeasingSpider(Protocol):
    """What the scheduler needs of a spider."""

    frontier: Frontier
    user_agent: str
    delay: float
    """Seconds between two requests to a host."""
    max_attempts: int
    request_headers: dict[str, str]

    def refusal(self, entry: Entry) -> str:
        """Why a leased URL is not wanted any more; empty: it is."""
        ...

    def make_request(self, lease: Lease) -> Request: ...

    def pages_left(self) -> int:
        """Pages that may still be stored."""
        ...


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
        self._wake_up: CallLaterResult | None = None

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
        self._gate = (
            RobotsGate(self._frontier, self._spider.user_agent, self._spider.delay) if self._obey_robots else None
        )
        self._engine = self._crawler.engine

    def close(self, reason: str) -> None:
        """Settle what is done and give back what is not (after a second Ctrl-C)."""
        if self._wake_up is not None:
            self._wake_up.cancel()
        for request, lease in self._leases.items():
            if OUTCOME in request.meta:
                self._settle(lease, request)
            else:
                self._frontier.release(lease, self._clock(), fetched=True)
        self._leases.clear()

    def has_pending_requests(self) -> bool:
        self._settle_finished()
        return self._spider.pages_left() > 0 and not self._frontier.is_finished()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request of somebody else's (an extension, a middleware) as a URL of its own."""
        parts = canonical_url(request.url)
        if parts is None or request.method != "GET":
            return False
        return self._frontier.add([Entry(url=parts.url, host=parts.host, why="request")]).added > 0

    def next_request(self) -> Request | None:
        self._settle_finished()
        # each lease may become a page: never fetch one that may not be kept; and a lease counts until
        # it is settled, so that with one at a time the order is exactly the frontier's
        while len(self._leases) < min(self._most_leases, self._spider.pages_left()):
            now = self._clock()
            leases = self._frontier.lease(1, now)
            if not leases:
                self._wake_up_when_ready(now)
                return None
            request = self._request_for(leases[0], now)
            if request is not None:
                self._leases[request] = leases[0]
                return request
        return None

    def settle(self, request: Request, outcome: Outcome) -> CommitResult:
        """Commit a lease at once (its row is written) instead of when its request leaves the engine."""
        return self._commit(self._leases.pop(request), outcome)

    def _settle_finished(self) -> None:
        slot = self._engine._slot
        if slot is None:
            return
        for request in [request for request in self._leases if request not in slot.inprogress]:
            self._settle(self._leases.pop(request), request)

    def _settle(self, lease: Lease, request: Request) -> None:
        outcome = request.meta.get(OUTCOME, Outcome(kind="failed", reason="callback error"))
        if outcome is None:
            self._frontier.release(lease, self._clock(), fetched=True)
        else:
            self._commit(lease, outcome)

    def _commit(self, lease: Lease, outcome: Outcome) -> CommitResult:
        result = self._frontier.commit(lease, outcome, self._clock())
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
        return result

    def _request_for(self, lease: Lease, now: float) -> Request | None:
        """A request for the lease, or for its host's robots.txt first; ``None``: settled without a fetch."""
        refusal = self._spider.refusal(lease.entry)
        if not refusal and self._gate is not None:
            admission = self._gate.check(lease, now)
            if admission.robots_url:
                return self._robots_request(admission.robots_url, lease)
            if admission.wait:
                self._frontier.release(lease, now, fetched=True)
                return None
            refusal = admission.refusal
        if refusal:
            self._commit(lease, Outcome(kind="refused", fetched=False, reason=refusal))
            return None
        return self._spider.make_request(lease)

    def _robots_request(self, url: str, lease: Lease) -> Request:
        return Request(
            url,
            callback=self._robots_answered,
            errback=self._robots_failed,
            headers=self._spider.request_headers,
            meta={"lease": lease, "download_maxsize": MAX_SIZE * 4, ANY_TYPE: True},
        )

    def _robots_answered(self, response: Response) -> None:
        assert response.request is not None
        assert self._gate is not None
        lease: Lease = response.request.meta["lease"]
        self._crawler.stats.inc_value("robots/answer_count")
        if response.status in (429, 503):
            response.request.meta[OUTCOME] = self._gate.failed(
                lease, f"status {response.status}", self._is_last(lease), self._clock()
            )
            return
        location = (response.headers.get("Location") or b"").decode("latin-1")
        self._gate.answered(lease, response.status, location, response.body, self._clock())
        response.request.meta[OUTCOME] = None

    def _robots_failed(self, failure: Failure) -> None:
        assert self._gate is not None
        request: Request = failure.request  # type: ignore[attr-defined]
        lease: Lease = request.meta["lease"]
        outcome = outcome_of_failure(failure.value)
        if outcome.kind == "refused":
            self._gate.close_host(lease.entry.host, outcome.reason, self._clock())
            request.meta[OUTCOME] = outcome
        else:
            request.meta[OUTCOME] = self._gate.failed(lease, outcome.reason, self._is_last(lease), self._clock())

    def _is_last(self, lease: Lease) -> bool:
        return lease.attempt >= self._spider.max_attempts

    def _wake_up_when_ready(self, now: float) -> None:
        """Have the engine ask again when the next host is ready; it would by itself only every 5 s."""
        wait = self._frontier.next_ready(now)
        if wait is None:
            return
        if self._wake_up is not None:
            self._wake_up.cancel()
        self._wake_up = call_later(min(max(wait, 0.001), LONGEST_WAIT), self._ask_again)

    def _ask_again(self) -> None:
        self._wake_up = None
        if self._engine._slot is not None:
            self._engine._slot.nextcall.schedule()
