"""One host of the embedded frontier, as it stands in the table ``host``."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from math import inf

_NO_SEQ = 1 << 62


class HostState(IntEnum):
    """Where a host stands; the indices of the table ``host`` name READY and RESTING by number."""

    IDLE = 0
    """Nothing queued."""
    READY = 1
    RESTING = 2
    """URLs are queued, ``ready_at`` is to come."""
    LEASED = 3


@dataclass(slots=True)
class Host:
    """Fields in the order of the table's columns; change them through :class:`HostTable`."""

    hash: int
    name: str
    lane: int
    state: int = HostState.IDLE
    ready_at: float = 0.0
    """Unix time in seconds."""
    precedence: float = 0.0
    override: float | None = None
    offset: float = 0.0
    """Added to the priorities of its URLs; ``head_priority`` has it in it."""
    discarded: int = 0
    dropped: int = 0
    """Was discarded at some time: some of its seen URLs may be queued again."""
    queued: int = 0
    """Without the leased URL."""
    head_priority: float = 0.0
    head_seq: int = 0
    pages: int = 0
    target_pages: int = 0
    delay: float | None = None
    """What its robots.txt asks for, in seconds, within bounds; ``None``: the crawl's own delay."""

    is_new: bool = field(default=False, compare=False)
    is_counted: bool = field(default=False, compare=False)
    """The number of its queued URLs changed."""
    is_moved: bool = field(default=False, compare=False)
    """More changed: its place among the hosts, its counts of pages."""

    def add_queued(self, priority: float, seq: int) -> None:
        """Count one more queued URL of this priority and seq."""
        if self.queued == 0:
            self.head_priority, self.head_seq = inf, _NO_SEQ
        self.queued += 1
        self.is_counted = True
        self.head_may_be(priority, seq)

    def head_may_be(self, priority: float, seq: int) -> None:
        """Take a queued URL's priority and seq as the host's head if they are better than the present one."""
        priority = self.rank(priority)
        if (priority, seq) < (self.head_priority, self.head_seq):
            self.head_priority, self.head_seq = priority, seq
            self.is_moved = True

    def rank(self, priority: float) -> float:
        """Give the priority among the hosts of a URL with this priority of its own."""
        return (priority if self.override is None else self.override) + self.offset
