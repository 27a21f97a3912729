"""What a spider is whose URLs are leased from a frontier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scrapy import Request

from crawler_project.core.seams import Frontier, SharedFrontier
from crawler_project.core.values import Entry, Lease, Outcome


class LeasingSpider(Protocol):
    """What the scheduler needs of a spider."""

    frontier: Frontier
    shared: SharedFrontier | None
    """The frontier again, when other workers use it too."""
    user_agent: str
    delay: float
    """Seconds between two requests to a host."""
    max_attempts: int
    request_headers: dict[str, str]

    def refusal(self, entry: Entry) -> str:
        """Why a leased URL is not wanted any more; empty: it is."""
        ...

    def postponement(self, entry: Entry) -> float | None:
        """The worse priority with which a leased URL goes back into the queue; ``None``: it is fetched now."""
        ...

    def awaited(self, entry: Entry) -> float | None:
        """The rank of URLs on hosts that are ready soon for which a leased one is to wait; ``None``: it is fetched now."""
        ...

    def make_request(self, lease: Lease) -> Request: ...

    def complete(self, lease: Lease, outcome: Outcome) -> Outcome:
        """What a lease is to be committed with; asked right before, again when the commit has to be repeated."""
        ...

    def hear(self, lessons: Sequence[str]) -> None:
        """Learn what other workers told with the latest commit."""
        ...

    def pages_left(self) -> int:
        """Pages that may still be stored."""
        ...
