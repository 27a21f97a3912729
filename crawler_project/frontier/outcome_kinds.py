"""The kinds of outcome that a commit takes."""

from __future__ import annotations

from crawler_project.core.values import Outcome

OUTCOMES = ("page", "redirect", "refused", "failed", "gone")
"""The kinds of :class:`~crawler_project.core.values.Outcome`."""


def check_kind(outcome: Outcome) -> None:
    """Refuse a kind that nobody knows.

    Raises:
        ValueError: an unknown ``outcome.kind``.
    """
    if outcome.kind not in OUTCOMES:
        raise ValueError(f"outcome {outcome.kind!r} is unknown; allowed: {', '.join(OUTCOMES)}")
