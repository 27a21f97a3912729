"""How many of the next downloads will be target pages: an estimate from how the latest ones went."""

from __future__ import annotations

import json

from crawler_project.strategies.learning.stored import is_count, is_number

HORIZON = 1000
"""Downloads that the estimate speaks of."""
_NEAR = 200
"""Downloads that weigh in the expected chance: the queue is served best first, so the latest are nearest to the next."""


class YieldEstimate:
    """Expected share of target pages in the next ``HORIZON`` downloads.

    The mean chance that the model gave to the latest downloads (the queue's best), corrected by how such
    chances came true over a longer while. Both are exponential means, so that nothing is kept.
    """

    __slots__ = ("_chance", "_chance_long", "_seen", "_target_long")

    def __init__(self) -> None:
        self._seen = 0
        self._chance = self._chance_long = self._target_long = 0.5

    def add(self, chance: float, is_target: bool) -> None:
        """Count a download: what the model expected of it, and what it was."""
        self._seen += 1
        near, far = 1 / min(self._seen, _NEAR), 1 / min(self._seen, HORIZON)
        self._chance += near * (chance - self._chance)
        self._chance_long += far * (chance - self._chance_long)
        self._target_long += far * (is_target - self._target_long)

    def to_json(self) -> str:
        """Write everything, to the last digit."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def from_json(cls, text: str) -> YieldEstimate:
        """Read what :meth:`to_json` wrote; ``ValueError`` when it is damaged."""
        estimate, stored = cls(), json.loads(text)
        for name in cls.__slots__:
            value = stored.get(name)
            if not (is_count(value) if name == "_seen" else is_number(value, 0, 1)):
                raise ValueError(f"{name} of the estimated yield is damaged")
            setattr(estimate, name, value)
        return estimate

    @property
    def value(self) -> float:
        """0 to 1; 0.5 before anything is known."""
        if self._chance_long <= 0:
            return self._target_long
        return min(1.0, self._chance * self._target_long / self._chance_long)

    def is_below(self, limit: float) -> bool:
        """Whether the estimate and the latest ``HORIZON`` downloads are both below ``limit``; never before so many."""
        return self._seen >= HORIZON and self.value < limit and self._target_long < limit
