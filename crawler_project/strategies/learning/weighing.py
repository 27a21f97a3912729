"""What a link is worth to the strategy that learns."""

from __future__ import annotations

from typing import NamedTuple


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
