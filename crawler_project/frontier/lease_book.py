"""Who holds what: the leases of one process."""

from __future__ import annotations

import itertools
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from crawler_project.core.values import Entry, Lease

_TOKENS = itertools.count(1)
"""Of the process, so that a lease of a frontier that was closed fits no other one."""


class HeldLease(NamedTuple):
    """A lease as the frontier remembers it."""

    host: str
    seq: int
    url: str
    attempt: int


class LeaseBook:
    """Leases by token, in memory only: no lease outlives its process."""

    def __init__(self) -> None:
        self._by_token: dict[int, HeldLease] = {}
        self._by_host: dict[str, HeldLease] = {}
        self._seqs: set[int] = set()

    @property
    def seqs(self) -> AbstractSet[int]:
        """The seqs of all leased URLs."""
        return self._seqs

    def __len__(self) -> int:
        return len(self._by_token)

    def hosts(self) -> list[str]:
        """The names of all hosts that a lease is held on."""
        return list(self._by_host)

    def of_host(self, host: str) -> HeldLease | None:
        """The one lease on a host, if there is one."""
        return self._by_host.get(host)

    def write(self, entry: Entry, host: str, seq: int, attempt: int) -> Lease:
        """Begin a lease."""
        lease = Lease(entry, next(_TOKENS), attempt)
        held = HeldLease(host, seq, entry.url, attempt)
        self._by_token[lease.token] = self._by_host[host] = held
        self._seqs.add(seq)
        return lease

    def strike(self, lease: Lease) -> HeldLease | None:
        """End a lease; ``None`` when it is not held (any more)."""
        held = self._by_token.get(lease.token)
        if held is None or held.url != lease.entry.url:
            return None
        del self._by_token[lease.token], self._by_host[held.host]
        self._seqs.remove(held.seq)
        return held
