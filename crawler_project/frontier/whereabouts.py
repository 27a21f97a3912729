"""What has become of one URL, for who asks about it afterwards."""

from __future__ import annotations

from typing import NamedTuple

from crawler_project.core.values import NO_COUNTS, Counts, Entry

QUEUED, LEASED, DEAD, DROPPED, DONE, UNKNOWN = "queued", "leased", "dead", "dropped", "done", "unknown"
"""Waiting; with a worker; failed too often; dropped with its host; downloaded, or settled without a page; never seen."""


class Whereabouts(NamedTuple):
    """Where a URL is in a frontier, and what is known of it there."""

    state: str
    """``QUEUED``, ``LEASED``, ``DEAD``, ``DROPPED``, ``DONE`` or ``UNKNOWN``."""
    entry: Entry | None = None
    """As it was queued last, at the priority of its latest scoring; ``None`` unless queued, leased or dead."""
    offset: float = 0.0
    """What the verdict on its host adds to the priority."""
    reason: str = ""
    """Of the last failure, if it is dead."""
    counts: Counts = NO_COUNTS
    """Downloads of its host."""
