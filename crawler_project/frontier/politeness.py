"""How long a host rests: the arithmetic of politeness, the same for every frontier."""

from __future__ import annotations

import math
from dataclasses import dataclass

from crawler_project.core.errors import ConfigurationError

MAX_BACK_OFF = 86_400.0
"""Seconds. A host that asks for more than a day is asked again after a day: a crawl must be able to end."""


@dataclass(frozen=True)
class Politeness:
    """The times of one crawl, in seconds.

    Raises:
        ConfigurationError: a number is out of its range.
    """

    delay: float = 1.0
    """From the end of one fetch to the next of the same host."""
    max_delay: float = 60.0
    """The most that a robots.txt may ask for. Delays of hours do occur there, by mistake or to keep crawlers
    out without saying so; at a minute a page such a host is still left alone, and its queue drains."""
    retry_delay: float = 10.0
    """Rest of a host after a failure; doubles with each further one of the same URL."""
    max_attempts: int = 3
    """How often a URL may fail before it is dead."""

    def __post_init__(self) -> None:
        for name, least in (("delay", 0), ("max_delay", 0), ("retry_delay", 0), ("max_attempts", 1)):
            value = getattr(self, name)
            if not least <= value < math.inf:
                raise ConfigurationError(f"{name}={value!r} is out of range; use a number of at least {least}")

    def bounded_delay(self, asked: float | None) -> float | None:
        """Bring the delay of a robots.txt within bounds; ``None``, the crawl's own, for one that says nothing
        (none, negative, NaN)."""
        return min(asked, self.max_delay) if asked is not None and asked >= 0 else None

    def rest(self, host_delay: float | None, fetched: bool, back_off: float = 0.0) -> float:
        """Seconds from the end of a lease until the host may be asked again.

        Args:
            host_delay: of :meth:`bounded_delay`.
            fetched: a request was sent, so that the delay counts.
            back_off: the least rest that is wanted anyway; negative and NaN ask for none.
        """
        delay = self.delay if host_delay is None else host_delay
        return max(delay if fetched else 0.0, min(back_off, MAX_BACK_OFF) if back_off > 0 else 0.0)

    def retry_rest(self, attempt: int) -> float:
        """Seconds that a host rests after the ``attempt``-th failure of one of its URLs."""
        return min(self.retry_delay * 2.0 ** min(attempt - 1, 30), MAX_BACK_OFF)
