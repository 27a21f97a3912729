"""Requests for robots.txt, each under the lease of a URL that needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scrapy import Request
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector
from twisted.python.failure import Failure

from crawler_project.core.values import Lease, Outcome
from crawler_project.crawling.failures import outcome_of_failure
from crawler_project.crawling.patience import Patience
from crawler_project.crawling.request_meta import OUTCOME
from crawler_project.crawling.robots import MAX_SIZE
from crawler_project.crawling.robots_gate import RobotsGate
from crawler_project.extensions.content_types import ANY_TYPE


class RobotsRequests:
    """Make the requests that a gate asks for, and hand it the answers.

    Args:
        gate: is asked by the scheduler which requests there are to make.
        headers: of each request.
        max_attempts: of a URL, after which its host is closed when robots.txt cannot be had.
    """

    def __init__(
        self,
        gate: RobotsGate,
        patience: Patience,
        stats: StatsCollector,
        clock: Callable[[], float],
        *,
        headers: Mapping[str, str],
        max_attempts: int,
    ) -> None:
        self.gate = gate
        self._patience = patience
        self._stats = stats
        self._clock = clock
        self._headers = headers
        self._max_attempts = max_attempts

    def make(self, url: str, lease: Lease) -> Request:
        """Make the request for the robots.txt at ``url``; the leased URL goes back to the queue when it is answered."""
        return Request(
            url,
            callback=self._answered,
            errback=self._failed,
            headers=dict(self._headers),
            meta={"lease": lease, "download_maxsize": MAX_SIZE * 4, ANY_TYPE: True},
        )

    def _answered(self, response: Response) -> None:
        assert response.request is not None
        request = response.request
        self._stats.inc_value("robots/answer_count")
        request.meta[OUTCOME] = None
        self._patience.guarded(lambda: self._take(request, response))

    def _take(self, request: Request, response: Response) -> None:
        lease: Lease = request.meta["lease"]
        if response.status in (429, 503):
            request.meta[OUTCOME] = self._fail(lease, f"status {response.status}")
            return
        location = (response.headers.get("Location") or b"").decode("latin-1")
        self.gate.answered(lease, response.status, location, response.body, self._clock())

    def _failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        request.meta[OUTCOME] = None
        self._patience.guarded(lambda: self._give_up(request, outcome_of_failure(failure.value)))

    def _give_up(self, request: Request, outcome: Outcome) -> None:
        lease: Lease = request.meta["lease"]
        if outcome.kind == "refused":
            self.gate.close_host(lease.entry.host, outcome.reason, self._clock())
            request.meta[OUTCOME] = outcome
        else:
            request.meta[OUTCOME] = self._fail(lease, outcome.reason)

    def _fail(self, lease: Lease, reason: str) -> Outcome:
        return self.gate.failed(lease, reason, lease.attempt >= self._max_attempts, self._clock())
