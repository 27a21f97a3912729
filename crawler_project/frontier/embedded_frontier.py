"""The frontier of a crawl on one machine: one SQLite file, no server."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from crawler_project.core.seams import Frontier
from crawler_project.core.values import SOON, CommitResult, Counts, Entry, FrontierStatus, HostRules, Lease, Outcome
from crawler_project.frontier.database import explained_errors, open_database, state_error
from crawler_project.frontier.dead_letters import DeadLetters
from crawler_project.frontier.discovery import Discovery
from crawler_project.frontier.download_counts import DownloadCounts
from crawler_project.frontier.dropped_lanes import DroppedLanes
from crawler_project.frontier.embedded_search import find_url
from crawler_project.frontier.entry_queue import EntryQueue
from crawler_project.frontier.host import Host, HostState
from crawler_project.frontier.host_table import HostTable
from crawler_project.frontier.lease_book import HeldLease, LeaseBook
from crawler_project.frontier.note_store import NoteStore
from crawler_project.frontier.outcome_kinds import check_kind
from crawler_project.frontier.politeness import Politeness
from crawler_project.frontier.rules_store import RulesStore
from crawler_project.frontier.save_point import SavePoint
from crawler_project.frontier.server_book import ServerBook
from crawler_project.frontier.tally import Tally
from crawler_project.frontier.verdicts import Verdicts
from crawler_project.frontier.whereabouts import QUEUED, Whereabouts

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _operation(
    method: Callable[Concatenate[EmbeddedFrontier, _P], _R],
) -> Callable[Concatenate[EmbeddedFrontier, _P], _R]:
    """Explain SQLite's errors; after one the frontier is shut, as memory and database may differ."""

    @wraps(method)
    def explained(self: EmbeddedFrontier, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return method(self, *args, **kwargs)
        except sqlite3.Error as error:
            self._connection.close()
            raise state_error(self.path, error) from error

    return explained


class EmbeddedFrontier(Frontier):
    """Seen-set, queue, politeness and leases in one SQLite database.

    Everything between two checkpoints is one transaction: a crash, or :meth:`close` without a
    checkpoint, takes the crawl back to the latest one, where no URL is leased. All operations take
    O(log n), also a verdict that discards or overrides a host, however long its queue is.

    A link to a discarded host leaves no trace. When a later verdict takes the discard back, links
    queue again, also to URLs that were dropped; those keep their place of first discovery (R4).

    Args:
        path: a file, made if it is not there; ``None``: a private temporary one that vanishes with
            the frontier (in SQLite's temporary folder, ``SQLITE_TMPDIR``).
        identity: what the crawl is (target, strategy, …); a file of another one is refused; ``None``: whatever is there.
        delay, max_attempts, retry_delay, max_delay: see :class:`~crawler_project.frontier.politeness.Politeness`.
        compare_distance: a smaller distance improves a queued URL of equal priority (R5).
        cache_bytes: size of SQLite's page cache: nearly all the memory that a frontier takes.

    Raises:
        ConfigurationError: a number is out of its range.
        StateError: the file is another crawl's or another program's, in use, damaged or not to be opened.
            Any operation raises it when the disk fails or the frontier is closed.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        identity: Mapping[str, str] | None,
        delay: float = 1.0,
        max_attempts: int = 3,
        retry_delay: float = 10.0,
        max_delay: float = 60.0,
        compare_distance: bool = False,
        cache_bytes: int = 64 << 20,
    ) -> None:
        self.path = path
        self._politeness = Politeness(delay, max_delay, retry_delay, max_attempts)
        self._leases = LeaseBook()
        self._servers = ServerBook(delay)
        self._closed_until = -math.inf
        self._connection = open_database(path, identity, cache_bytes)
        try:
            with explained_errors(path):
                self._open(self._connection, compare_distance)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, db: sqlite3.Connection, compare_distance: bool) -> None:
        self._save_point = SavePoint(db, durable=self.path is not None)
        self._tally = Tally.load(db)
        self._entries = EntryQueue(db)
        self._discovery = Discovery(db, self._tally, self._entries, compare_distance=compare_distance)
        self._hosts = HostTable(db, self._tally)
        self._dropped = DroppedLanes(db)
        self._verdicts = Verdicts(self._tally, self._hosts, self._entries, self._dropped)
        self._dead = DeadLetters(db)
        self._downloads = DownloadCounts(db, self._hosts)
        self._rules = RulesStore(db)
        self._notes = NoteStore(db)
        self._take_back_leases()

    @_operation
    def add(self, entries: Iterable[Entry]) -> CommitResult:
        batch = self._discovery.distinct(entries)
        hosts = self._hosts.load({entry.host for entry in batch.values()})
        added, improved = self._queue(batch, hosts)
        self._hosts.save(hosts.values())
        return CommitResult(added, improved)

    @_operation
    def lease(self, limit: int, now: float) -> list[Lease]:
        self._advance(now)
        if now < self._closed_until:
            return []
        hosts = self._hosts.best(max(limit, 0))
        leases = [self._take(host) for host in hosts]
        self._hosts.save(hosts)
        return leases

    @_operation
    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        """Settle a lease: counts, verdicts, new entries, host delay, all or nothing.

        Verdicts hold before the entries come: links to a host that this commit discards are not queued
        (R14). A lease that is not held changes nothing, notes included, but its entries are added.

        Raises:
            ValueError: an unknown ``outcome.kind``.
        """
        check_kind(outcome)
        held = self._leases.strike(lease)
        if held is None:
            return self.add(outcome.entries)._replace(accepted=False)
        batch = self._discovery.distinct(outcome.entries)
        hosts = self._hosts.load({held.host, *outcome.verdicts, *(entry.host for entry in batch.values())})
        own = hosts[held.host]
        for name, verdict in outcome.verdicts.items():
            self._verdicts.apply(hosts[name], verdict, held if name == held.host else self._leases.of_host(name))
        for name, text in outcome.notes.items():
            self._notes.set(name, text)
        retried, dead = self._settle(own, held, outcome)
        added, improved = self._queue(batch, hosts)
        back_off = max(outcome.back_off, self._politeness.retry_rest(held.attempt) if retried else 0.0)
        self._end_lease(own, now, self._politeness.rest(own.delay, outcome.fetched, back_off))
        self._servers.give_back(lease, now, fetched=outcome.fetched)
        self._hosts.save(hosts.values())
        self._dropped.collect()
        return CommitResult(added, improved, True, retried, dead)

    @_operation
    def release(
        self, lease: Lease, now: float, *, fetched: bool = False, priority: float | None = None, rest: float = 0.0
    ) -> None:
        held = self._leases.strike(lease)
        if held is None:
            return
        own = self._hosts.load([held.host])[held.host]
        if priority is not None:
            self._entries.set_priority(held.seq, priority)
            self._tally.not_worse_than(priority, lease.entry.distance)
        self._give_back(own, held)
        self._end_lease(own, now, self._politeness.rest(own.delay, fetched, rest))
        self._servers.give_back(lease, now, fetched=fetched)
        self._hosts.save([own])

    def take_server(self, lease: Lease, server: str, now: float) -> float:
        """See the seam; who has which server is not kept over a restart."""
        return self._servers.take(lease, server, now)

    @_operation
    def counts(self, units: Sequence[str]) -> Sequence[Counts]:
        return self._downloads.of(units)

    @_operation
    def host_rules(self, host: str) -> HostRules | None:
        return self._rules.get(host)

    @_operation
    def set_host_rules(self, host: str, rules: HostRules) -> None:
        """Keep what a host's robots.txt said; its delay holds from the end of the present or next fetch."""
        self._rules.set(host, rules)
        row = self._hosts.load([host])[host]
        row.delay = self._politeness.bounded_delay(rules.delay)
        row.is_moved = True
        self._hosts.save([row])

    @_operation
    def note(self, name: str) -> str | None:
        return self._notes.get(name)

    @_operation
    def notes(self, prefix: str) -> dict[str, str]:
        return self._notes.beginning_with(prefix)

    @_operation
    def set_note(self, name: str, text: str) -> None:
        self._notes.set(name, text)

    @_operation
    def next_ready(self, now: float) -> float | None:
        self._advance(now)
        if self._hosts.ready:
            return max(0.0, self._closed_until - now)
        wake = self._hosts.next_wake()
        return None if wake is None else max(0.0, wake - now, self._closed_until - now)

    @_operation
    def next_better(self, rank: float, now: float) -> float | None:
        self._advance(now)
        wake = self._hosts.next_wake(rank, now + SOON)
        if wake is not None:
            return max(0.0, wake - now, self._closed_until - now)
        leased = self._hosts.load(self._leases.hosts()).values()
        ranks = (
            self._entries.rank_beside(host, held.seq) for host in leased if (held := self._leases.of_host(host.name))
        )
        return SOON if any(best is not None and best <= rank for best in ranks) else None

    def is_finished(self) -> bool:
        return self._tally.queued == 0 and not len(self._leases)

    @_operation
    def status(self, now: float) -> FrontierStatus:
        self._advance(now)
        ready = self._hosts.ready if now >= self._closed_until else 0
        waiting = self._hosts.ready - ready + self._hosts.resting + self._hosts.count_waiting(self._leases.hosts())
        tally = self._tally
        return FrontierStatus(tally.queued, tally.seen, len(self._leases), ready, waiting, tally.dead)

    @_operation
    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        self._tally.save(self._connection)
        self._save_point.checkpoint(outputs)

    @_operation
    def outputs(self) -> dict[str, int]:
        return self._save_point.outputs()

    @_operation
    def identity(self) -> dict[str, object]:
        """What the crawl is about, as it was made."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
        return dict(json.loads(row[0]))

    @_operation
    def peek(self, limit: int, now: float) -> list[Entry]:
        """The URLs that would be leased next, one a host; nothing is changed."""
        self._advance(now)
        return [self._entries.read(host.head_seq, host.name)[0] for host in self._hosts.best(max(limit, 0))]

    @_operation
    def find(self, url: str, host: str) -> Whereabouts:
        """What has become of a canonical URL of ``host``; nothing is changed."""
        return find_url(self._connection, url, self._hosts.load([host])[host])

    def queued(self, url: str, host: str) -> Entry | None:
        found = self.find(url, host)
        return found.entry if found.state == QUEUED else None

    @_operation
    def dead(self) -> list[tuple[str, str]]:
        """List the URLs that failed too often, with the reason of the last failure; first discovered first."""
        return self._dead.reasons()

    @_operation
    def requeue_dead(self) -> int:
        """Queue the dead URLs again in their old places, with all attempts ahead; return how many.

        Those of discarded hosts stay dead.
        """
        count = last_seq = 0
        while letters := self._dead.after(last_seq):
            hosts = self._hosts.load({letter.host for letter in letters})
            wanted = [letter for letter in letters if not hosts[letter.host].discarded]
            self._dead.raise_up([(hosts[letter.host].lane, letter.seq) for letter in wanted])
            for letter in wanted:
                hosts[letter.host].add_queued(letter.priority, letter.seq)
            self._show(hosts)
            self._hosts.save(hosts.values())
            count, last_seq = count + len(wanted), letters[-1].seq
        self._tally.queued += count
        self._tally.dead -= count
        return count

    def close(self) -> None:
        """Close the database; what was done since the latest checkpoint is lost. Harmless the second time."""
        with explained_errors(self.path):
            self._save_point.close(is_at_rest=not len(self._leases))

    def _advance(self, now: float) -> None:
        """Wake hosts; after a crash, let all of them rest first: the last fetches left no trace."""
        if self._save_point.is_crashed:
            self._save_point.is_crashed = False
            self._closed_until = now + self._politeness.delay
            self._hosts.rest_longer(now, self._politeness.delay)
        self._hosts.wake(now)

    def _take(self, host: Host) -> Lease:
        entry, attempts = self._entries.read(host.head_seq, host.name)
        self._tally.queued -= 1
        self._hosts.hold(host)
        return self._leases.write(entry, host.name, host.head_seq, attempts + 1)

    def _take_back_leases(self) -> None:
        """Queue again what was leased at the latest checkpoint."""
        for host in self._hosts.leased():
            host.queued += 1
            self._tally.queued += 1
            if host.discarded:
                self._verdicts.drop_all(host)
            self._hosts.enter(host, self._entries.head(host))
            self._hosts.save([host])

    def _queue(self, batch: Mapping[int, Entry], hosts: Mapping[str, Host]) -> tuple[int, int]:
        result = self._discovery.queue(batch, hosts, self._leases.seqs)
        self._show(hosts)
        return result

    def _show(self, hosts: Mapping[str, Host]) -> None:
        """Let hosts that had nothing queued take their place among the others."""
        for host in hosts.values():
            if host.state == HostState.IDLE and host.queued:
                self._hosts.enter(host, (host.head_priority, host.head_seq))

    def _settle(self, own: Host, held: HeldLease, outcome: Outcome) -> tuple[bool, bool]:
        """Do what the outcome means for the URL: (retried, dead)."""
        if outcome.kind != "failed":
            self._entries.remove(held.seq)
            if outcome.kind == "page":
                self._downloads.add(own, outcome.directory, outcome.is_target)
            return False, False
        if held.attempt >= self._politeness.max_attempts and not own.discarded:
            self._dead.bury(held.seq, own.name, outcome.reason)
            self._tally.dead += 1
            return False, True
        self._entries.count_attempt(held.seq)
        return self._give_back(own, held), False

    def _give_back(self, own: Host, held: HeldLease) -> bool:
        """Queue a leased URL again, or drop it with its host; say whether it is queued."""
        if own.discarded:
            self._dropped.drop(held.seq, held.url)
            return False
        own.queued += 1
        self._tally.queued += 1
        return True

    def _end_lease(self, own: Host, now: float, seconds: float) -> None:
        own.ready_at = max(own.ready_at, now + seconds)
        self._hosts.now = now
        self._hosts.enter(own, self._entries.head(own))
