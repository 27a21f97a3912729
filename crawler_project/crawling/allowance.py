"""How many bytes may be moved now, so that in the long run no more than so many a second are."""

from __future__ import annotations


class Allowance:
    """So many bytes at once, and then as many a second as come in (a token bucket)."""

    def __init__(self, at_once: float, a_second: float, now: float) -> None:
        """Begin at ``now``, s, with ``at_once`` bytes, which are also the most that are saved up."""
        self._at_once = at_once
        self._a_second = a_second
        self._left = at_once
        self._seen = now

    def is_left(self, now: float) -> bool:
        """Whether anything may be moved at ``now``, s; a clock that is put back gives nothing."""
        self._left = min(self._at_once, self._left + self._a_second * max(0.0, now - self._seen))
        self._seen = now
        return self._left > 0

    def take(self, count: float) -> None:
        """Note that ``count`` bytes were moved, which may be more than were left."""
        self._left -= count
