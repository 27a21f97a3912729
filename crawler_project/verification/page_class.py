"""The pages of a site that have one AbstractURL (V11)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(slots=True)
class PageClass:
    """A_k = E_k ∪ Q_k."""

    abstract_url: str
    parent_score: float = 0.0
    """F of the page that its first page was found on; 0 for the class of p0."""
    scores: list[float] = field(default_factory=list)
    """F of the pages of E_k."""
    queue: deque[int] = field(default_factory=deque)
    """Q_k: numbers of pages, the oldest first."""

    @property
    def directory(self) -> str:
        """Give the path up to its last ``/``: ``/category/`` of ``/category/fiction?page``."""
        path = self.abstract_url.partition("?")[0]
        return path[: path.rindex("/") + 1]
