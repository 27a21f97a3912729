"""Ask a frontier that may be away: wait and ask again, and stop when it is damaged."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from scrapy.crawler import Crawler
from scrapy.utils.asyncio import CallLaterResult, call_later
from scrapy.utils.defer import _schedule_coro

from crawler_project.core.errors import ConfigurationError, FrontierAwayError, StateError
from crawler_project.crawling.outage import Outage

logger = logging.getLogger(__name__)

DAMAGED = "frontier damaged"
"""The reason with which a crawl ends whose frontier cannot be used any more."""
REMOVED = "crawl removed"
"""The reason with which a worker ends whose crawl others have removed, because it was done or not wanted any more."""
LONGEST_WAIT = 5.0
"""Seconds until the frontier is asked again when nothing is ready."""
_Answer = TypeVar("_Answer")


class Patience:
    """What stands between a scheduler and its frontier, and wakes the engine when there may be something to do.

    Attributes:
        renew: called before the first question after an outage: leases may have expired meanwhile.
        is_gone: asked when the frontier is damaged: whether the whole crawl is not there any more.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._outage = Outage()
        self._is_stopping = False
        self._wake_up: CallLaterResult | None = None
        self.renew: Callable[[], None] | None = None
        self.is_gone: Callable[[], bool] | None = None

    def guarded(self, call: Callable[[], None]) -> None:
        """Run a call to the frontier; nothing happens while it is away."""
        self.ask(call, unknown=None)

    def ask(self, question: Callable[[], _Answer], *, unknown: _Answer) -> _Answer:
        """Ask the frontier; ``unknown`` while it is away. All that is known here is to be kept until it is back."""
        wait = self._outage.wait()
        if wait > 0 or self._is_stopping:
            self.wake_up_in(wait or LONGEST_WAIT)
            return unknown
        try:
            if self._outage.is_on and self.renew is not None:
                self.renew()
            answer = question()
            self._outage.end()
        except (FrontierAwayError, ConfigurationError) as error:
            self.wake_up_in(self._outage.begin(error))
            return unknown
        except StateError as error:
            self._stop(error)
            return unknown
        return answer

    def wake_up_in(self, seconds: float) -> None:
        """Have the engine ask for a request again; by itself it would only every 5 s."""
        self.cancel()
        self._wake_up = call_later(max(seconds, 0.001), self._ask_again)

    def cancel(self) -> None:
        """Wake nobody up any more."""
        if self._wake_up is not None:
            self._wake_up.cancel()
            self._wake_up = None

    def look_again(self) -> None:
        """Have the engine ask for a request as soon as it can."""
        slot = self._crawler.engine._slot if self._crawler.engine is not None else None
        if slot is not None:
            slot.nextcall.schedule()

    def _ask_again(self) -> None:
        self._wake_up = None
        self.look_again()

    def _stop(self, error: StateError) -> None:
        """End the crawl: a damaged frontier does not heal by being asked again."""
        self._is_stopping = True
        reason = REMOVED if self.is_gone is not None and self._holds(self.is_gone) else DAMAGED
        if reason == REMOVED:
            logger.warning("The crawl was removed meanwhile. This worker ends.")
        else:
            logger.error("%s. The crawl stops.", str(error).rstrip("."))
        assert self._crawler.engine is not None
        _schedule_coro(self._crawler.engine.close_spider_async(reason=reason))

    @staticmethod
    def _holds(question: Callable[[], bool]) -> bool:
        try:
            return question()
        except (StateError, ConfigurationError):
            return False
