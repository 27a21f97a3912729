"""The frontier of a crawl by many workers: one Redis, one Lua script an operation."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import redis

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import Frontier
from crawler_project.core.urls import url_hash
from crawler_project.core.values import (
    SOON,
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
from crawler_project.frontier.politeness import Politeness
from crawler_project.frontier.redis_counts import RedisCounts
from crawler_project.frontier.redis_crawl import (
    RedisCrawl,
    Totals,
    as_float,
    as_text,
    as_whole,
    check_names,
    read_totals,
)
from crawler_project.frontier.redis_dead_letters import DeadLetter, RedisDeadLetters
from crawler_project.frontier.redis_dropped import RedisDropped
from crawler_project.frontier.redis_entries import MOST_ENTRIES, Argument, EntryWriter
from crawler_project.frontier.redis_lease_book import RedisLeaseBook, read_head
from crawler_project.frontier.redis_lessons import RedisLessons
from crawler_project.frontier.redis_links import RedisLinks
from crawler_project.frontier.redis_notes import RedisNotes
from crawler_project.frontier.redis_rules import RedisRules
from crawler_project.frontier.redis_scripts import explained_redis_errors
from crawler_project.frontier.redis_search import find_in_redis
from crawler_project.frontier.redis_server import check_server, raw_client
from crawler_project.frontier.redis_server_book import RedisServerBook
from crawler_project.frontier.redis_settlement import as_number, settlement, verdict_arguments
from crawler_project.frontier.sent_links import SentLinks
from crawler_project.frontier.whereabouts import QUEUED

__all__ = ["DeadLetter", "RedisFrontier"]

REMEMBERED = 1 << 18
"""Links; 2 MB."""
LOOKED_AT = 3
"""URLs of a leased host that an exchange shows, and as many of other hosts: saves two or three exchanges of four."""
_PAUSED = 1.0


class RedisFrontier(Frontier):
    """Seen-set, queue, politeness and leases in Redis, for any number of workers at once.

    ``add``, ``lease``, ``commit`` and ``release`` are one round trip each and atomic. What a commit
    has been answered for is as durable as the server's append-only file makes it; the caller makes its
    rows durable *before* it commits, so :meth:`checkpoint` has nothing to write but file sizes.

    Args:
        client: of redis-py.
        crawl: name of the crawl; its keys start with ``{lang_focused:CRAWL:SHARD}:``.
        identity: what the crawl is (target, strategy, …); a crawl of another one is refused.
        worker: name of this worker, without white space; its leases and output files carry it.
        delay, max_attempts, retry_delay, max_delay: see :class:`~crawler_project.frontier.politeness.Politeness`.
        compare_distance: a smaller distance improves a queued URL of equal priority (R5).
        best_priority: no link gets a better priority than this. Queued URLs that have it need not be found
            again, which saves about 20 bytes each; with the default, every queued URL can be improved.
        lease_seconds: a lease that was not renewed for so long goes back to the queue.
        max_expired: so often may leases of one URL expire before it counts as dead: its page may be
            what kills the workers.
        max_anchor: characters that are kept of an anchor text.
        server_time: count in the server's time instead of this machine's, so that workers whose clocks
            differ keep the delay. The difference is measured once, here.
        budget: pages that the crawl may store, all workers together; ``None``: no limit.
        remembered: so many links that this worker sent lately are not sent again
            (:class:`~crawler_project.frontier.sent_links.SentLinks`); a power of two, 8 bytes each, or 0.
        shard: number of this part of the crawl.

    Attributes:
        warnings: what should be known about the server; empty if all is well.

    Raises:
        ConfigurationError: a value is out of range; no server there, wrong password, unfit server.
        StateError: the crawl of this name is another one or of another version. Any operation raises it on
            damaged data, and its subclass ``RedisAwayError`` when the server does not answer.
    """

    def __init__(
        self,
        client: redis.Redis,
        crawl: str,
        *,
        identity: Mapping[str, str],
        worker: str = "worker",
        delay: float = 1.0,
        max_attempts: int = 3,
        retry_delay: float = 10.0,
        max_delay: float = 60.0,
        compare_distance: bool = False,
        best_priority: float = -math.inf,
        lease_seconds: float = 120.0,
        max_expired: int = 10,
        max_anchor: int = 40,
        server_time: bool = False,
        budget: int | None = None,
        remembered: int = REMEMBERED,
        shard: int = 0,
    ) -> None:
        check_names(crawl, worker)
        if not lease_seconds > 0 or max_expired < 1 or not 0 <= max_anchor <= 10_000:
            raise ConfigurationError("lease_seconds must be above 0, max_expired at least 1, max_anchor 0 to 10000")
        if remembered < 0 or remembered & (remembered - 1):
            raise ConfigurationError(f"remembered={remembered!r} must be 0 or a power of two")
        self.lease_seconds = lease_seconds
        self._politeness = Politeness(delay, max_delay, retry_delay, max_attempts)
        self._worker, self._max_expired, self._budget = worker, max_expired, budget
        self._compare_distance = compare_distance
        self._given = client
        self.warnings = check_server(raw_client(client))
        self._crawl = crawl_ = RedisCrawl.open(client, crawl, shard, identity)
        self.prefix, self._scripts = crawl_.prefix, crawl_.scripts
        self._book = RedisLeaseBook()
        self._rules = RedisRules(crawl_, self._politeness, self._book)
        self._counts = RedisCounts(crawl_, self._book)
        self._notes = RedisNotes(crawl_.client, crawl_.prefix)
        self._dead = RedisDeadLetters(crawl_)
        self._dropped = RedisDropped(crawl_)
        writer = EntryWriter(best_priority, compare_distance, max_anchor)
        sent = SentLinks(remembered, compare_distance)
        self._lessons = RedisLessons(worker)
        self._links = RedisLinks(crawl_, writer, sent, self._dropped, self._lessons)
        self._servers = RedisServerBook(crawl_.scripts, delay, lease_seconds)
        self._clock_offset = crawl_.clock_offset() if server_time else 0.0

    def add(self, entries: Iterable[Entry]) -> CommitResult:
        return self._links.add(entries, self._compare_distance)

    def lease(self, limit: int, now: float) -> list[Lease]:
        """The best entries of ready hosts, one a host, at most ``limit`` and at most 100.

        Takes back leases of other workers that have expired, a few at a time.
        """
        answer = self._scripts.call("lease", self._lease_arguments(limit, now))
        return [self._book.write(fields) for fields in answer]

    def exchange(
        self, worse: Sequence[tuple[Lease, float]], scored: Sequence[tuple[Head, float]], limit: int, now: float
    ) -> Exchange:
        arguments = [*self._lease_arguments(limit, now), LOOKED_AT, len(worse)]
        for lease, priority in worse:
            arguments += [lease.token, as_number(priority), str(url_hash(lease.entry.url))]
        for head, priority in scored:
            arguments += [head.place, as_number(priority), str(url_hash(head.entry.url))]
        leased, heads, put_back, passed_over = self._scripts.call("exchange", arguments)
        for lease, _ in worse:
            self._book.strike(lease)
            self.give_server_back(lease, now, fetched=False)
        leases = [self._book.write(fields) for fields in leased]
        return Exchange(leases, [read_head(fields) for fields in heads], int(put_back), int(passed_over))

    def _lease_arguments(self, limit: int, now: float) -> list[Argument]:
        now += self._clock_offset
        first_token = secrets.randbelow(1 << 45) << 7
        budget: Argument = "" if self._budget is None else self._budget
        expiry, delay = now + self.lease_seconds, self._politeness.delay
        return [now, max(limit, 0), expiry, self._worker, delay, self._max_expired, first_token, budget]

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        """Settle a lease: counts, verdicts, notes, lesson, new entries, host delay, all or nothing.

        Verdicts hold before the entries come. Of more than 250 entries all but the last 250 are added
        before, each 250 by a round trip of their own.

        Raises:
            ValueError: an unknown ``outcome.kind``.
        """
        check_kind(outcome)
        discarded = [host for host, verdict in outcome.verdicts.items() if verdict.discard]
        [arguments] = self._settlements([(lease, outcome)], now)
        result = self._links.commit(arguments, outcome.entries, discarded, self._compare_distance)
        self._book.strike(lease)
        self.give_server_back(lease, now, fetched=outcome.fetched)
        return result

    def commit_all(self, settled: Sequence[tuple[Lease, Outcome]], now: float) -> list[CommitResult]:
        """:meth:`commit` of several leases, in one round trip but for those with more than 250 entries."""
        if len(settled) < 2 or any(len(outcome.entries) > MOST_ENTRIES for _, outcome in settled):
            return [self.commit(lease, outcome, now) for lease, outcome in settled]
        for _, outcome in settled:
            check_kind(outcome)
        entries = [outcome.entries for _, outcome in settled]
        commits = list(zip(self._settlements(settled, now), entries, strict=True))
        results = self._links.commit_all(commits, self._compare_distance)
        for lease, outcome in settled:
            self._book.strike(lease)
            self.give_server_back(lease, now, fetched=outcome.fetched)
        return results

    def _settlements(self, settled: Sequence[tuple[Lease, Outcome]], now: float) -> list[list[Argument]]:
        lessons = self._lessons.arguments([outcome.lesson for _, outcome in settled])
        settlements = [
            settlement(lease, outcome, now + self._clock_offset, self._politeness) for lease, outcome in settled
        ]
        return [[*one, *lesson] for one, lesson in zip(settlements, lessons, strict=True)]

    def best(self, now: float) -> tuple[int, tuple[float, float] | None]:
        """Pages and leases so far, and precedence and priority of what :meth:`lease` would give; ``None``: nothing."""
        arguments = (now + self._clock_offset, self._politeness.delay, self._max_expired)
        count, *offer = self._scripts.call("best", arguments)
        return int(count), (as_float(offer[0], "ready"), as_float(offer[1], "ready")) if offer else None

    def judge(self, verdicts: Mapping[str, HostVerdict]) -> None:
        """Apply verdicts outside of a commit."""
        self._scripts.call("judge", verdict_arguments(verdicts))

    def holds(self, lease: Lease) -> bool:
        """Whether a lease is held still."""
        with explained_redis_errors():
            return bool(self._crawl.client.hexists(self._crawl.key("l"), str(lease.token)))

    def queued(self, url: str, host: str) -> Entry | None:
        found = find_in_redis(self._scripts, url, host)
        return found.entry if found.state == QUEUED else None

    def totals(self) -> Totals:
        """The numbers of this shard."""
        return self._crawl.totals()

    def release(
        self, lease: Lease, now: float, *, fetched: bool = False, priority: float | None = None, rest: float = 0.0
    ) -> None:
        arguments = (now + self._clock_offset, lease.token, int(fetched), self._politeness.delay)
        place = "" if priority is None else as_number(priority)
        least = self._politeness.rest(0.0, False, rest)
        self._scripts.call("release", (*arguments, place, str(url_hash(lease.entry.url)), least))
        self._book.strike(lease)
        self.give_server_back(lease, now, fetched=fetched)

    def take_server(self, lease: Lease, server: str, now: float) -> float:
        return self._servers.take(lease, server, now + self._clock_offset)

    def give_server_back(self, lease: Lease, now: float, *, fetched: bool) -> None:
        """End the hold of a lease on a server, if it has one: done by commit and release."""
        self._servers.give_back(lease, now + self._clock_offset, fetched=fetched)

    def renew_servers(self, leases: Iterable[Lease], lost: Iterable[Lease], now: float) -> None:
        """Keep the servers of leases but of those that are lost: done by renew."""
        for lease in lost:
            self._servers.forget(lease)
        self._servers.renew(leases, now + self._clock_offset)

    def renew(self, leases: Iterable[Lease], now: float) -> list[Lease]:
        """Keep leases for another ``lease_seconds``; return those that are no longer held.

        To be called every third of ``lease_seconds`` or so. Work on a lost lease may go on: its commit
        does no harm, but somebody else will fetch the page as well.
        """
        by_token = {lease.token: lease for lease in leases}
        tokens = list(by_token)
        expiry = now + self._clock_offset + self.lease_seconds
        lost: list[Lease] = []
        for start in range(0, len(tokens), 500):
            answer = self._scripts.call("renew", (expiry, *tokens[start : start + 500]))
            lost += [by_token[int(token)] for token in answer]
        for lease in lost:
            self._book.strike(lease)
        self.renew_servers(by_token.values(), lost, now)
        return lost

    def reclaim(self, now: float, limit: int = 100) -> int:
        """Queue the URLs of expired leases again; how many leases were taken back. For any worker, at any time."""
        arguments = (now + self._clock_offset, limit, self._politeness.delay, self._max_expired)
        count: int = self._scripts.call("reclaim", arguments)
        return count

    def sweep(self, host: str = "", limit: int = 10) -> int:
        """Clear up behind discarded hosts (behind ``host`` only): at most ``limit`` steps of 200 URLs.

        What is dropped stays in Redis, about 80 bytes a URL, until this is called. Afterwards such a URL takes
        20 bytes, so that it can come back to its old place if a later verdict keeps its host (R4).

        Returns:
            How many steps there were to do; 0: all is clear.
        """
        return self._dropped.sweep(host, limit)

    def counts(self, units: Sequence[str]) -> Sequence[Counts]:
        """Of hosts or directories, in the order asked: one round trip, none for hosts that this worker holds."""
        return self._counts.of(units)

    def pages(self) -> Counts:
        """Pages of the whole crawl that were committed, by any worker."""
        return self._counts.of_crawl()

    def host_rules(self, host: str) -> HostRules | None:
        """No round trip for a host that this worker holds and whose rules it knows."""
        return self._rules.get(host)

    def set_host_rules(self, host: str, rules: HostRules) -> None:
        """Keep what a host's robots.txt said, for all workers; its delay holds from the end of the present or next fetch.

        Rules are kept for eight days.
        """
        self._rules.set(host, rules)

    def note(self, name: str) -> str | None:
        return self._notes.get(name)

    def notes(self, prefix: str) -> dict[str, str]:
        return self._notes.beginning_with(prefix)

    def set_note(self, name: str, text: str) -> None:
        self._notes.set(name, text)

    def next_ready(self, now: float) -> float | None:
        """As every frontier; a second or more while the crawl is paused."""
        with explained_redis_errors():
            pipeline = self._crawl.client.pipeline(transaction=True)
            pipeline.zcard(self.prefix + "ready")
            pipeline.zrange(self.prefix + "rest", 0, 0, withscores=True)
            pipeline.hget(self.prefix + "m", "numbers")
            ready, resting, numbers = pipeline.execute()
        least = _PAUSED if read_totals(self._crawl.name, numbers).is_paused else 0.0
        if ready:
            return least
        return max(least, float(resting[0][1]) - now - self._clock_offset) if resting else None

    def next_better(self, rank: float, now: float) -> float | None:
        """See the seam; of the 100 hosts that are ready soonest, and the 100 leases that were made or renewed last."""
        now += self._clock_offset
        answer = self._scripts.call("next_better", (now, as_number(rank), now + SOON))
        if not answer:
            return None
        return SOON if answer == b"leased" else as_float(answer, self.prefix + "rest") - now

    def is_finished(self) -> bool:
        totals = self._crawl.totals()
        return totals.queued == 0 and totals.leased == 0

    def status(self, now: float) -> FrontierStatus:
        return FrontierStatus(*self._scripts.call("status", (now + self._clock_offset,))[:6])

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        """Keep the sizes of this worker's output files; commits are durable already."""
        key = f"{self.prefix}o:{self._worker}"
        fields: dict[Any, Any] = dict(outputs)
        with explained_redis_errors():
            pipeline = self._crawl.client.pipeline(transaction=True)
            pipeline.delete(key)
            if fields:
                pipeline.hset(key, mapping=fields)
            pipeline.execute()

    def outputs(self) -> dict[str, int]:
        """The sizes of this worker's latest checkpoint."""
        key = f"{self.prefix}o:{self._worker}"
        with explained_redis_errors():
            stored: dict[Any, Any] = self._crawl.client.hgetall(key)
        return {as_text(name): as_whole(size, key) for name, size in stored.items()}

    def dead(self) -> list[tuple[str, str]]:
        """List the URLs that failed too often, with the reason of the last failure; first discovered first."""
        return [(letter.entry.url, letter.reasons[-1]) for letter in self._dead.letters()]

    def dead_letters(self) -> list[DeadLetter]:
        """List the URLs that failed too often, with all reasons; first discovered first."""
        return self._dead.letters()

    def requeue_dead(self, letters: Iterable[DeadLetter] | None = None) -> int:
        """Queue dead URLs (all of them by default) again in their old places, with all attempts ahead.

        Those of discarded hosts stay dead.

        Returns:
            How many were queued.
        """
        return self._dead.requeue(letters)

    def close(self) -> None:
        """Close the connections. Leases that are still held expire by themselves."""
        self._crawl.client.close()
        self._given.close()
