"""The frontier of a crawl that is more than one Redis can do: shards by host, one after another or on a cluster."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import redis

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import SharedFrontier
from crawler_project.core.urls import url_hash
from crawler_project.core.values import (
    CommitResult,
    Counts,
    Entry,
    Exchange,
    FrontierStatus,
    Head,
    HostRules,
    HostVerdict,
    Lease,
    Outcome,
)
from crawler_project.frontier.outcome_kinds import check_kind
from crawler_project.frontier.redis_cluster import is_cluster, node_of, nodes_of
from crawler_project.frontier.redis_crawl import prefix_of
from crawler_project.frontier.redis_dead_letters import DeadLetter
from crawler_project.frontier.redis_frontier import RedisFrontier
from crawler_project.frontier.redis_scripts import RedisAwayError
from crawler_project.frontier.redis_server import raw_client

MOST_SHARDS = 256
COUNTED_ANEW = 5_000
"""Pages that a budget has left at which all shards are counted again after each lease; 50 workers of 100 requests fit in."""
_T = TypeVar("_T")


def shard_of(host: str, shards: int) -> int:
    """The shard of a host; the same for ever, and on every machine."""
    return url_hash(host) % shards


def open_frontier(
    client: redis.Redis,
    crawl: str,
    *,
    identity: Mapping[str, str],
    shards: int = 1,
    budget: int | None = None,
    **options: float | str | bool,
) -> SharedFrontier:
    """Make or join a crawl, in one part, in order to the last URL, or in shards; arguments as :class:`ShardedFrontier`."""
    if shards == 1 and not is_cluster(raw_client(client)):
        return RedisFrontier(client, crawl, identity=identity, budget=budget, **options)  # type: ignore[arg-type]
    return ShardedFrontier(client, crawl, identity=identity, shards=shards, budget=budget, **options)  # type: ignore[arg-type]


class ShardedFrontier(SharedFrontier):
    """One crawl over k parts (shards), each a :class:`RedisFrontier` with a hash tag of its own.

    What is on one host is in one shard, so that politeness and leases are as atomic as ever. A commit writes to
    the shards of its links first and settles its own lease last: links that are added twice change nothing.

    Order: precedence and priority of hosts over all shards, but among equals the shards take turns: there
    is no common count of discoveries. A budget may be exceeded by a page for each worker.

    Args:
        client: of redis-py, of one server or any node of a cluster.
        crawl, identity: see :class:`RedisFrontier`; the number of shards belongs to the identity.
        shards: how many, 1 to 256; cannot be changed later.
        budget: pages that the crawl may store, all workers together.
        shard_of: gives the shard of a host; every worker needs the same.
        options: as :class:`RedisFrontier` takes them.

    Raises:
        ConfigurationError, StateError: as :class:`RedisFrontier`.
    """

    def __init__(
        self,
        client: redis.Redis,
        crawl: str,
        *,
        identity: Mapping[str, str],
        shards: int,
        budget: int | None = None,
        shard_of: Callable[[str, int], int] = shard_of,
        **options: float | str | bool,
    ) -> None:
        if not 1 <= shards <= MOST_SHARDS:
            raise ConfigurationError(f"FRONTIER_SHARDS={shards!r} is out of range; use 1 to {MOST_SHARDS}")
        self._client = raw_client(client)
        self._is_cluster = is_cluster(self._client)
        self._budget = budget
        self._shard_of = shard_of
        self._crawl, self._identity, self._options = crawl, dict(identity), options
        if shards > 1:
            self._identity["shards"] = str(shards)
        self._nodes = [self._client, *(nodes_of(self._client) if self._is_cluster else ())]
        self._shards = [self._open(shard) for shard in range(shards)]
        self._away: set[int] = set()
        self._turn = 0
        self.lease_seconds = self._shards[0].lease_seconds
        self.warnings = sorted({warning for shard in self._shards for warning in shard.warnings})

    def add(self, entries: Iterable[Entry]) -> CommitResult:
        result = CommitResult()
        for shard, part in self._by_shard(entries, lambda entry: entry.host).items():
            result = _sum(result, self._ask(shard, partial(RedisFrontier.add, entries=part)))
        return result

    def lease(self, limit: int, now: float) -> list[Lease]:
        """The best entries of ready hosts over all shards, one a host, at most ``limit`` and at most 100."""
        leases: list[Lease] = []
        left = min(limit, 100)
        offers, room = self._offers(now) if left > 0 else ({}, 0)
        while room > 0 and offers:
            shard = min(offers, key=lambda shard: (offers[shard], (shard - self._turn) % len(self._shards)))
            taken = self._ask(shard, lambda frontier: frontier.lease(1, now))
            leases += taken
            self._turn = shard + 1
            if len(leases) >= left:
                break
            if room < COUNTED_ANEW:  # others lease at the same time
                offers, room = self._offers(now)
            else:
                room -= len(taken)
                offer = self._ask(shard, lambda frontier: frontier.best(now))[1]
                if offer is None:
                    del offers[shard]
                else:
                    offers[shard] = offer
        return leases

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        """Settle a lease: what belongs to other shards first, then, all or nothing, what belongs to its own.

        Raises:
            ValueError: an unknown ``outcome.kind``.
        """
        check_kind(outcome)
        own = self._of(lease.entry.host)
        verdicts = self._verdicts(outcome.verdicts)
        entries = self._by_shard(outcome.entries, lambda entry: entry.host)
        mine = replace(outcome, verdicts=verdicts.pop(own, {}), entries=entries.pop(own, []))
        notes = {} if own == 0 else outcome.notes
        if (verdicts or notes) and self._ask(own, lambda frontier: frontier.holds(lease)):
            for shard, part in verdicts.items():
                self._ask(shard, partial(RedisFrontier.judge, verdicts=part))
            for name, text in notes.items():
                self.set_note(name, text)
        if notes:
            mine = replace(mine, notes={})
        result = CommitResult()
        for shard, links in entries.items():
            result = _sum(result, self._ask(shard, partial(RedisFrontier.add, entries=links)))
        result = _sum(self._ask(own, lambda frontier: frontier.commit(lease, mine, now)), result)
        self._give_server_back(lease, now, fetched=outcome.fetched)
        return result

    def commit_all(self, settled: Sequence[tuple[Lease, Outcome]], now: float) -> list[CommitResult]:
        """:meth:`commit` of several leases, one after the other: the links of each go to many shards."""
        return [self.commit(lease, outcome, now) for lease, outcome in settled]

    def release(
        self, lease: Lease, now: float, *, fetched: bool = False, priority: float | None = None, rest: float = 0.0
    ) -> None:
        own = self._of(lease.entry.host)
        self._ask(own, lambda frontier: frontier.release(lease, now, fetched=fetched, priority=priority, rest=rest))
        self._give_server_back(lease, now, fetched=fetched)

    def exchange(
        self, worse: Sequence[tuple[Lease, float]], scored: Sequence[tuple[Head, float]], limit: int, now: float
    ) -> Exchange:
        """One by one: the best of all shards has to be looked for after each; heads are not shown."""
        for lease, priority in worse:
            self.release(lease, now, priority=priority)
        return Exchange(self.lease(limit, now), put_back=len(worse))

    def take_server(self, lease: Lease, server: str, now: float) -> float:
        return self._ask(0, lambda frontier: frontier.take_server(lease, server, now))

    def renew(self, leases: Iterable[Lease], now: float) -> list[Lease]:
        """See :meth:`RedisFrontier.renew`."""
        held, lost = list(leases), list[Lease]()
        for shard, part in self._by_shard(held, lambda lease: lease.entry.host).items():
            lost += self._ask(shard, partial(RedisFrontier.renew, leases=part, now=now))
        self._ask(0, lambda frontier: frontier.renew_servers(held, lost, now))
        return lost

    def reclaim(self, now: float, limit: int = 100) -> int:
        """See :meth:`RedisFrontier.reclaim`; ``limit`` is of each shard."""
        return sum(self._ask(shard, lambda frontier: frontier.reclaim(now, limit)) for shard in self._all())

    def sweep(self, host: str = "", limit: int = 10) -> int:
        """See :meth:`RedisFrontier.sweep`; ``limit`` is of each shard."""
        shards = [self._of(host)] if host else self._all()
        return sum(self._ask(shard, lambda frontier: frontier.sweep(host, limit)) for shard in shards)

    def counts(self, units: Sequence[str]) -> Sequence[Counts]:
        known: dict[str, Counts] = {}
        for shard, part in self._by_shard(dict.fromkeys(units), lambda unit: unit.partition("/")[0]).items():
            known |= zip(part, self._ask(shard, partial(RedisFrontier.counts, units=part)), strict=True)
        return [known[unit] for unit in units]

    def queued(self, url: str, host: str) -> Entry | None:
        return self._ask(self._of(host), lambda frontier: frontier.queued(url, host))

    def pages(self) -> Counts:
        """Pages of the whole crawl that were committed, by any worker."""
        found = [self._ask(shard, lambda frontier: frontier.pages()) for shard in self._all()]
        return Counts(sum(one.pages for one in found), sum(one.target_pages for one in found))

    def host_rules(self, host: str) -> HostRules | None:
        return self._ask(self._of(host), lambda frontier: frontier.host_rules(host))

    def set_host_rules(self, host: str, rules: HostRules) -> None:
        self._ask(self._of(host), lambda frontier: frontier.set_host_rules(host, rules))

    def note(self, name: str) -> str | None:
        return self._ask(0, lambda frontier: frontier.note(name))

    def notes(self, prefix: str) -> dict[str, str]:
        return self._ask(0, lambda frontier: frontier.notes(prefix))

    def set_note(self, name: str, text: str) -> None:
        self._ask(0, lambda frontier: frontier.set_note(name, text))

    def next_ready(self, now: float) -> float | None:
        waits = [self._ask(shard, lambda frontier: frontier.next_ready(now)) for shard in self._all()]
        return min((wait for wait in waits if wait is not None), default=None)

    def next_better(self, rank: float, now: float) -> float | None:
        waits = [self._ask(shard, lambda frontier: frontier.next_better(rank, now)) for shard in self._all()]
        return min((wait for wait in waits if wait is not None), default=None)

    def is_finished(self) -> bool:
        """Whether all shards are; asked twice, as a commit may move the last work from one to another meanwhile."""
        first = [self._ask(shard, lambda frontier: frontier.totals()) for shard in self._all()]
        if any(totals.queued or totals.leased for totals in first):
            return False
        return len(first) == 1 or first == [
            self._ask(shard, lambda frontier: frontier.totals()) for shard in self._all()
        ]

    def status(self, now: float) -> FrontierStatus:
        found = [self._ask(shard, lambda frontier: frontier.status(now)) for shard in self._all()]
        return FrontierStatus(*map(sum, zip(*found, strict=True)))

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        """Keep the sizes of this worker's output files; commits are durable already."""
        self._ask(0, lambda frontier: frontier.checkpoint(outputs))

    def outputs(self) -> dict[str, int]:
        """The sizes of this worker's latest checkpoint."""
        return self._ask(0, lambda frontier: frontier.outputs())

    def dead(self) -> list[tuple[str, str]]:
        """List the URLs that failed too often, with the reason of the last failure, shard by shard."""
        return [(letter.entry.url, letter.reasons[-1]) for letter in self.dead_letters()]

    def dead_letters(self) -> list[DeadLetter]:
        """List the URLs that failed too often, with all reasons, shard by shard."""
        return [
            letter for shard in self._all() for letter in self._ask(shard, lambda frontier: frontier.dead_letters())
        ]

    def requeue_dead(self, letters: Iterable[DeadLetter] | None = None) -> int:
        """See :meth:`RedisFrontier.requeue_dead`."""
        if letters is None:
            return sum(self._ask(shard, lambda frontier: frontier.requeue_dead()) for shard in self._all())
        parts = self._by_shard(letters, lambda letter: letter.entry.host)
        return sum(self._ask(shard, partial(RedisFrontier.requeue_dead, letters=part)) for shard, part in parts.items())

    def close(self) -> None:
        """Close the connections. Leases that are still held expire by themselves."""
        for shard in self._shards:
            shard.close()
        for node in self._nodes:
            node.close()

    def _ask(self, shard: int, question: Callable[[RedisFrontier], _T]) -> _T:
        """Ask a shard; after it was away, look first where it is now."""
        if shard in self._away:
            self._find_again(shard)
        try:
            return question(self._shards[shard])
        except RedisAwayError:
            self._away.add(shard)
            raise

    def _open(self, shard: int) -> RedisFrontier:
        client = node_of(self._nodes, prefix_of(self._crawl, shard)) if self._is_cluster else self._client
        return RedisFrontier(client, self._crawl, identity=self._identity, shard=shard, **self._options)  # type: ignore[arg-type]

    def _give_server_back(self, lease: Lease, now: float, *, fetched: bool) -> None:
        self._shards[0].give_server_back(lease, now, fetched=fetched)  # never raises when that shard is away

    def _find_again(self, shard: int) -> None:
        if self._is_cluster:
            try:
                found = self._open(shard)
            except ConfigurationError as error:
                raise RedisAwayError(str(error)) from error
            self._shards[shard].close()
            self._shards[shard] = found
        self._away.discard(shard)

    def _offers(self, now: float) -> tuple[dict[int, tuple[float, float]], float]:
        """What each shard that has something would lease, and how many pages the budget has left over all of them."""
        answers = [self._ask(shard, lambda frontier: frontier.best(now)) for shard in self._all()]
        offers = {shard: offer for shard, (_, offer) in enumerate(answers) if offer is not None}
        return offers, math.inf if self._budget is None else self._budget - sum(count for count, _ in answers)

    def _all(self) -> range:
        return range(len(self._shards))

    def _of(self, host: str) -> int:
        return self._shard_of(host, len(self._shards))

    def _by_shard(self, values: Iterable[_T], host_of: Callable[[_T], str]) -> dict[int, list[_T]]:
        parts: dict[int, list[_T]] = {}
        for value in values:
            parts.setdefault(self._of(host_of(value)), []).append(value)
        return parts

    def _verdicts(self, verdicts: Mapping[str, HostVerdict]) -> dict[int, dict[str, HostVerdict]]:
        parts: dict[int, dict[str, HostVerdict]] = {}
        for host, verdict in verdicts.items():
            parts.setdefault(self._of(host), {})[host] = verdict
        return parts


def _sum(one: CommitResult, other: CommitResult) -> CommitResult:
    return one._replace(added=one.added + other.added, improved=one.improved + other.improved)
