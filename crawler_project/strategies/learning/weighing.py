"""What a link is worth to the strategy that learns."""

from __future__ import annotations

from typing import NamedTuple

from crawler_project.strategies.learning.ways import lift


class Weighing(NamedTuple):
    """What a link is worth, and by which evidence."""

    chance: float
    """That its page is on target."""
    leads_on: float
    """Target pages a download that the page leads to, should it be off target."""
    answers: float
    """Share of such requests that give a page."""
    score: float
    """All together in log-odds."""
    parts: tuple[tuple[int, float], ...]
    """(class, log-odds), largest first; their sum is the log-odds of ``chance``."""

    @property
    def of_page(self) -> float:
        """Log-odds that its page is on target: what the parts add up to."""
        return sum(value for _, value in self.parts)

    @property
    def of_leading_on(self) -> float:
        """What ``leads_on`` adds to that, in log-odds."""
        return lift(self.of_page, self.leads_on) - self.of_page

    @property
    def of_answers(self) -> float:
        """What ``answers`` adds to both, in log-odds, 0 or less; all three together are ``score``."""
        return self.score - self.of_page - self.of_leading_on
