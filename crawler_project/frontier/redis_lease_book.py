"""What this worker knows of the hosts that it holds: while it does, nobody else changes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crawler_project.core.values import Counts, Head, Lease
from crawler_project.frontier.redis_crawl import as_float, as_text, as_whole
from crawler_project.frontier.redis_entries import decode_entry


@dataclass(slots=True)
class HeldHost:
    """A host that this worker holds."""

    counts: Counts
    rules_version: int
    """0: no rules are known."""


class RedisLeaseBook:
    """The hosts of the leases of one worker; saves round trips, and nothing depends on it."""

    def __init__(self) -> None:
        self._hosts: dict[str, HeldHost] = {}
        self._tokens: dict[int, str] = {}

    def write(self, fields: Sequence[bytes]) -> Lease:
        """Read one answer of lease.lua.

        Raises:
            StateError: the stored entry is damaged.
        """
        token, attempt, host, priority, header, record, pages, target_pages, version = fields
        name = as_text(host)
        where = f"host {name!r}"
        entry = decode_entry(name, as_float(priority, where), header, record)
        counts = Counts(as_whole(pages, where), as_whole(target_pages, where))
        self._hosts[name] = HeldHost(counts, as_whole(version, where))
        self._tokens[int(token)] = name
        return Lease(entry, int(token), int(attempt))

    def strike(self, lease: Lease) -> None:
        """Forget a lease that has ended; harmless if it is not known."""
        host = self._tokens.pop(lease.token, None)
        if host is not None:
            self._hosts.pop(host, None)

    def host(self, name: str) -> HeldHost | None:
        """What is known of a host, if it is held."""
        return self._hosts.get(name)


def read_head(fields: Sequence[bytes]) -> Head:
    """Read one head of exchange.lua's answer.

    Raises:
        StateError: the stored entry is damaged.
    """
    place, host, priority, header, record = fields
    name = as_text(host)
    where = f"host {name!r}"
    return Head(decode_entry(name, as_float(priority, where), header, record), as_whole(place, where))
