"""What to do while the frontier is away: say so once, ask again with growing pauses, say when it is back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

FIRST_PAUSE = 0.1
"""Seconds until the frontier is asked again."""
LONGEST_PAUSE = 5.0


class Outage:
    """Whether the frontier is away, and when to ask it again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: float | None = None
        self._pause = 0.0
        self._ask_again_at = 0.0

    @property
    def is_on(self) -> bool:
        return self._since is not None

    def wait(self) -> float:
        """Seconds until the frontier may be asked; 0: now."""
        return max(0.0, self._ask_again_at - self._clock()) if self.is_on else 0.0

    def begin(self, error: Exception) -> float:
        """Take note that the frontier did not answer; seconds until it may be asked again."""
        if self._since is None:
            self._since = self._clock()
            logger.warning("%s. The crawl waits; what it has fetched is kept.", str(error).rstrip("."))
        self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
        self._ask_again_at = self._clock() + self._pause
        return self._pause

    def end(self) -> None:
        """Take note that the frontier has answered."""
        if self._since is not None:
            logger.warning("The frontier is back after %.0f s; the crawl goes on.", self._clock() - self._since)
            self._since, self._pause = None, 0.0
