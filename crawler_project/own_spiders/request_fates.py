"""What became of requests whose callbacks are somebody else's: told by Scrapy's signals."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler_project.core.values import Outcome
from crawler_project.crawling.failures import retry_after

_TOO_MANY = frozenset({429, 503})


@dataclass(slots=True)
class _Fate:
    was_sent: bool = False
    is_answered: bool = False
    is_replaced: bool = False
    error: str = ""
    back_off: float = 0.0


class RequestFates:
    """Watch requests from their lease to their end.

    Args:
        least_back_off: seconds that a host rests after a 429 or 503 that does not say for how long.
    """

    def __init__(self, crawler: Crawler, least_back_off: float, clock: Callable[[], float] = time.time) -> None:
        self._least_back_off = least_back_off
        self._clock = clock
        self._fates: dict[Request, _Fate] = {}
        for handler, signal in (
            (self._sent, signals.request_reached_downloader),
            (self._downloaded, signals.response_downloaded),
            (self._received, signals.response_received),
            (self._raised, signals.spider_error),
        ):
            crawler.signals.connect(handler, signal=signal)

    def watch(self, request: Request) -> None:
        """Begin with a request that is handed to the engine."""
        self._fates[request] = _Fate()

    def replaced(self, request: Request) -> None:
        """Take note that a middleware put another request in its place (a redirect, a new try)."""
        if request in self._fates:
            self._fates[request].is_replaced = True

    def outcome(self, request: Request) -> Outcome:
        """What a request that has left the engine is to be committed with.

        ``page``: its callback has run; ``redirect``: another took its place; ``gone``: a middleware wanted it not
        to be fetched, or its errback has dealt with it; ``failed``: its callback has raised, or there was no answer.
        """
        fate = self._fates[request]
        if fate.error:
            return Outcome(kind="failed", reason=f"callback error: {fate.error}", back_off=fate.back_off)
        if fate.is_replaced:
            return Outcome(kind="redirect", back_off=fate.back_off)
        if fate.is_answered:
            return Outcome(kind="page", back_off=fate.back_off)
        if request.errback is not None:
            return Outcome(kind="gone", reason="errback")
        if not fate.was_sent:
            return Outcome(kind="gone", reason="ignored")
        return Outcome(kind="failed", reason="no response")

    def forget(self, request: Request) -> None:
        """End watching a request."""
        self._fates.pop(request, None)

    def _sent(self, request: Request) -> None:
        if request in self._fates:
            self._fates[request].was_sent = True

    def _downloaded(self, response: Response, request: Request) -> None:
        fate = self._fates.get(request)
        if fate is not None:
            fate.is_answered = True
            if response.status in _TOO_MANY:
                fate.back_off = retry_after(response, self._clock()) or self._least_back_off

    def _received(self, request: Request) -> None:
        if request in self._fates:
            self._fates[request].is_answered = True

    def _raised(self, failure: Failure, response: Response | Failure) -> None:
        request: Any = getattr(response, "request", None)
        if request in self._fates:
            self._fates[request].error = type(failure.value).__name__
