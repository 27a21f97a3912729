"""A crawl in one screen, for its operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from crawler_project.core.values import FrontierStatus


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is to know of a frontier at one moment. ``None``: this kind of frontier cannot tell."""

    name: str
    identity: Mapping[str, object]
    status: FrontierStatus
    pages: int | None = None
    target_pages: int | None = None
    is_paused: bool = False
    leased_by_worker: Mapping[str, int] = field(default_factory=dict)
    oldest_lease: float | None = None
    """Seconds since the longest held lease was given; ``None`` also when there is none."""
    backing_off: int | None = None
    """Hosts that rest for more than a minute from now on."""
    memory: int | None = None
    """Bytes that the server uses, for all crawls on it."""
    memory_limit: int | None = None
    """Bytes that the server may use; 0: all there is."""
    shards: int = 1

    def lines(self, pages_per_second: float | None = None) -> Iterator[str]:
        """Say it, a line a fact."""
        what = ", ".join(f"{key} {value}" for key, value in sorted(self.identity.items()))
        yield f"crawl    {self.name}{' (PAUSED)' if self.is_paused else ''}: {what}"
        status = self.status
        yield f"queued   {status.queued:,}"
        yield f"seen     {status.seen:,}"
        yield f"leased   {status.leased:,}{self._leases()}"
        backing_off = "" if self.backing_off is None else f", {self.backing_off:,} of them for more than a minute"
        yield f"hosts    {status.hosts_ready:,} ready, {status.hosts_waiting:,} waiting{backing_off}"
        yield f"dead     {status.dead:,}"
        if self.pages is not None and self.target_pages is not None:
            share = f" ({self.target_pages / self.pages:.1%})" if self.pages else ""
            yield f"pages    {self.pages:,}, on target {self.target_pages:,}{share}"
        if pages_per_second is not None:
            yield f"speed    {pages_per_second:,.1f} pages/s"
        if self.memory is not None:
            limit = f" of {self.memory_limit / 1e6:,.0f}" if self.memory_limit else ""
            shards = f", {self.shards} shards" if self.shards > 1 else ""
            yield f"memory   {self.memory / 1e6:,.1f}{limit} MB of Redis{shards}"

    def _leases(self) -> str:
        if not self.leased_by_worker:
            return ""
        workers = ", ".join(f"{worker} {count}" for worker, count in sorted(self.leased_by_worker.items()))
        oldest = "" if self.oldest_lease is None else f"; the oldest for {self.oldest_lease:,.0f} s"
        return f" ({workers}{oldest})"
