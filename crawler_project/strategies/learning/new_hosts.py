"""How sure a crawl may be of a host that it has no page of."""

from __future__ import annotations

import json
from math import log

from crawler_project.strategies.learning.model import chance_of
from crawler_project.strategies.learning.stored import is_count

ON_TARGET, OFF_TARGET = 20, 1
"""First pages that are thought to have been met before any was: a new host is believed in with .95 at most. A bound that begins low is
never disproved, as other hosts are asked first (benchmarks/adaptive-trials.md)."""
SURE = 1.0
"""Log-odds from which on a host was expected to be good: how those began is what the bound is taken from."""


class NewHosts:
    """The odds that first pages of hosts which looked good were on target, as a bound of what is believed of the next ones.

    Source: our own; odds with pages thought to have been seen before, as of a beta distribution (Bishop 2006, "Pattern recognition and
    machine learning", Section 2.1). All that is known of a new host is who links to it. Evidence of that kind comes together, and
    a sum of it is surest where a crawl knows least: without the bound hosts that were thought to be on target with .98 and more were off
    it twice as often (docs/adaptive.md).
    """

    __slots__ = ("most", "off_target", "on_target")

    def __init__(self, on_target: int = 0, off_target: int = 0) -> None:
        """Begin with so many first pages of hosts that looked good."""
        self.on_target, self.off_target = on_target, off_target
        self.most = _bound(on_target, off_target)
        """Log-odds that a page of a new host may be thought to be on target with."""

    def add(self, score: float, is_target: bool) -> None:
        """Count the first page of a host: what it was expected to be in log-odds, without the bound, and what it was."""
        if score >= SURE:
            self.on_target += is_target
            self.off_target += not is_target
            self.most = _bound(self.on_target, self.off_target)

    def as_json(self) -> dict[str, float]:
        """Say how hosts that looked good began, and the chance that a new one is given at most; for people."""
        return {
            "pages": self.on_target + self.off_target,
            "target_pages": self.on_target,
            "most": round(chance_of(self.most), 4),
        }

    def to_json(self) -> str:
        """Write both counts."""
        return json.dumps([self.on_target, self.off_target])

    @classmethod
    def from_json(cls, text: str) -> NewHosts:
        """Read what :meth:`to_json` wrote.

        Raises:
            ValueError: it is damaged.
        """
        stored = json.loads(text)
        if not (isinstance(stored, list) and len(stored) == 2 and all(map(is_count, stored))):
            raise ValueError("the counts of new hosts are damaged")
        return cls(*stored)


def _bound(on_target: int, off_target: int) -> float:
    return max(SURE, log((ON_TARGET + on_target) / (OFF_TARGET + off_target)))


NO_NEW_HOSTS = NewHosts().as_json()
