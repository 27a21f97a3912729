"""The frontier of a crawl by many workers: one Redis, one Lua script an operation."""

from __future__ import annotations

import json
import math
import secrets
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import redis

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.seams import Frontier
from crawler_project.core.urls import url_hash
from crawler_project.core.values import (
    NO_COUNTS,
    CommitResult,
    Counts,
    Entry,
    FrontierStatus,
    HostRules,
    Lease,
    Outcome,
)
from crawler_project.frontier.politeness import MAX_BACK_OFF, Politeness
from crawler_project.frontier.redis_entries import (
    Argument,
    EntryWriter,
    decode_entry,
    distinct_entries,
    in_chunks,
)
from crawler_project.frontier.redis_notes import RedisNotes, encode_note
from crawler_project.frontier.redis_scripts import LuaScripts, explained_redis_errors
from crawler_project.frontier.redis_server import check_server, raw_client

LAYOUT = 2
"""Version of the keys; a crawl of another one is refused, never guessed at."""
OUTCOMES = ("page", "redirect", "refused", "failed", "gone")
_RULES_SECONDS = 8 * 86_400
_RULES_CACHED = 10_000
_AT_ONCE = 200
_TRIES = 3


class DeadLetter(NamedTuple):
    """A URL that failed too often."""

    entry: Entry
    reasons: tuple[str, ...]
    """Of each failure, oldest first."""
    id: int


@dataclass(slots=True)
class _Held:
    """What is known of the host of a lease while this worker holds it: nobody else changes it."""

    counts: Counts
    rules_version: int


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
        shard: int = 0,
    ) -> None:
        _check_names(crawl, worker)
        if not lease_seconds > 0 or max_expired < 1 or not 0 <= max_anchor <= 10_000:
            raise ConfigurationError("lease_seconds must be above 0, max_expired at least 1, max_anchor 0 to 10000")
        self.prefix = f"{{lang_focused:{crawl}:{shard}}}:"
        self.lease_seconds = lease_seconds
        self._politeness = Politeness(delay, max_delay, retry_delay, max_attempts)
        self._worker = worker
        self._max_expired = max_expired
        self._budget = budget
        self._compare_distance = compare_distance
        self._writer = EntryWriter(best_priority, compare_distance, max_anchor)
        self._client = raw_client(client)
        self.warnings = check_server(self._client)
        self._scripts = LuaScripts(self._client, self.prefix)
        self._notes = RedisNotes(self._client, self.prefix)
        self._check_identity(crawl, dict(identity))
        self._clock_offset = self._measure_offset() if server_time else 0.0
        self._held: dict[str, _Held] = {}
        self._tokens: dict[int, str] = {}
        self._rules: OrderedDict[str, tuple[int, HostRules]] = OrderedDict()

    def add(self, entries: Iterable[Entry]) -> CommitResult:
        return self._add(distinct_entries(entries, self._compare_distance))

    def lease(self, limit: int, now: float) -> list[Lease]:
        """The best entries of ready hosts, one a host, at most ``limit`` and at most 100.

        Takes back leases of other workers that have expired, a few at a time.
        """
        now += self._clock_offset
        expiry = now + self.lease_seconds
        first_token = secrets.randbelow(1 << 45) << 7
        delay = self._politeness.delay
        arguments = (now, max(limit, 0), expiry, self._worker, delay, self._max_expired, first_token)
        budget: Argument = "" if self._budget is None else self._budget
        found = self._scripts.call("lease", (*arguments, budget))
        return [self._leased(fields) for fields in found]

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        """Settle a lease: counts, verdicts, new entries, host delay, all or nothing.

        Verdicts hold before the entries come. Of more than 250 entries all but the last 250 are added
        before, each 250 by a round trip of their own.

        Raises:
            ValueError: an unknown ``outcome.kind``.
        """
        if outcome.kind not in OUTCOMES:
            raise ValueError(f"outcome {outcome.kind!r} is unknown; allowed: {', '.join(OUTCOMES)}")
        *before, last = in_chunks(distinct_entries(outcome.entries, self._compare_distance))
        earlier = [self._add(_without_discarded(chunk, outcome)) for chunk in before]
        answer = self._scripts.call("commit", [*self._settlement(lease, outcome, now), *self._writer.arguments(last)])
        self._forget(lease)
        accepted, added, improved, retried, dead, deferred = answer
        late = self._add_deferred(last, deferred)
        added += late.added + sum(result.added for result in earlier)
        improved += late.improved + sum(result.improved for result in earlier)
        return CommitResult(added, improved, bool(accepted), bool(retried), bool(dead))

    def release(self, lease: Lease, now: float, *, fetched: bool = False) -> None:
        arguments = (now + self._clock_offset, lease.token, int(fetched), self._politeness.delay)
        self._scripts.call("release", arguments)
        self._forget(lease)

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
            self._forget(lease)
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
        swept = 0
        for _ in range(limit):
            dropped = self._scripts.call("dropped", (host, _AT_ONCE))
            if not dropped:
                break
            swept += 1
            id_, kind, name, count, first, last, records = dropped
            arguments: list[Argument] = [id_, kind, name, count, first, last]
            for rid, seq, header, record in records:
                entry = decode_entry(_text(name), 0.0, header, record)
                arguments += (rid, seq, str(url_hash(entry.url)))
            self._scripts.call("sweep", arguments)
        return swept

    def counts(self, units: Sequence[str]) -> Sequence[Counts]:
        """Of hosts or directories, in the order asked: one round trip, none for hosts that this worker holds."""
        missing = [unit for unit in dict.fromkeys(units) if unit not in self._held]
        if not missing:
            return [self._held[unit].counts for unit in units]
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=False)
            for unit in missing:
                host, slash, path = unit.partition("/")
                if slash:
                    pipeline.hmget(f"{self.prefix}d:{host}", [f"p/{path}", f"t/{path}"])
                else:
                    pipeline.hmget(f"{self.prefix}h:{host}", ["p", "t"])
            answers = pipeline.execute()
        known = {unit: _counts(answer) for unit, answer in zip(missing, answers, strict=True)}
        return [known[unit] if unit in known else self._held[unit].counts for unit in units]

    def host_rules(self, host: str) -> HostRules | None:
        """No round trip for a host that this worker holds and whose rules it knows."""
        held, cached = self._held.get(host), self._rules.get(host)
        if held is not None and held.rules_version == 0:
            return None
        if held is not None and cached is not None and cached[0] == held.rules_version:
            self._rules.move_to_end(host)
            return cached[1]
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.hmget(f"{self.prefix}t:{host}", ["robots", "expires", "delay"])
            pipeline.hget(f"{self.prefix}h:{host}", "v")
            (robots, expires, delay), version = pipeline.execute()
        if expires is None:
            return None
        rules = _read_rules(host, robots, expires, delay)
        self._remember(host, int(version or 0), rules)
        return rules

    def set_host_rules(self, host: str, rules: HostRules) -> None:
        """Keep what a host's robots.txt said, for all workers; its delay holds from the end of the present or next fetch.

        Rules are kept for eight days.
        """
        key, host_key = f"{self.prefix}t:{host}", f"{self.prefix}h:{host}"
        fields: dict[Any, Any] = {
            "robots": zlib.compress(rules.robots.encode("utf-8", "surrogatepass")),
            "expires": repr(rules.expires),
            "delay": "" if rules.delay is None else repr(rules.delay),
        }
        delay = self._politeness.bounded_delay(rules.delay)
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.hset(key, mapping=fields)
            pipeline.expire(key, _RULES_SECONDS)
            if delay is None:
                pipeline.hdel(host_key, "d")
            else:
                pipeline.hset(host_key, "d", repr(float(delay)))
            pipeline.hincrby(host_key, "v", 1)
            version: int = pipeline.execute()[-1]
        self._remember(host, version, rules)

    def note(self, name: str) -> str | None:
        return self._notes.get(name)

    def notes(self, prefix: str) -> dict[str, str]:
        return self._notes.beginning_with(prefix)

    def set_note(self, name: str, text: str) -> None:
        self._notes.set(name, text)

    def next_ready(self, now: float) -> float | None:
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.zcard(self.prefix + "ready")
            pipeline.zrange(self.prefix + "rest", 0, 0, withscores=True)
            ready, resting = pipeline.execute()
        if ready:
            return 0.0
        return max(0.0, float(resting[0][1]) - now - self._clock_offset) if resting else None

    def is_finished(self) -> bool:
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.hget(self.prefix + "m", "queued")
            pipeline.hlen(self.prefix + "l")
            queued, leased = pipeline.execute()
        return _whole(queued, self.prefix + "m") == 0 and leased == 0

    def status(self, now: float) -> FrontierStatus:
        return FrontierStatus(*self._scripts.call("status", (now + self._clock_offset,))[:6])

    def pages(self) -> Counts:
        """Pages of the whole crawl that were committed, by any worker."""
        with explained_redis_errors():
            answer: Any = self._client.hmget(self.prefix + "m", ["pages", "targets"])
        return _counts(answer)

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        """Keep the sizes of this worker's output files; commits are durable already."""
        key = f"{self.prefix}o:{self._worker}"
        fields: dict[Any, Any] = dict(outputs)
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=True)
            pipeline.delete(key)
            if fields:
                pipeline.hset(key, mapping=fields)
            pipeline.execute()

    def outputs(self) -> dict[str, int]:
        """The sizes of this worker's latest checkpoint."""
        key = f"{self.prefix}o:{self._worker}"
        with explained_redis_errors():
            stored: dict[Any, Any] = self._client.hgetall(key)
        return {_text(name): _whole(size, key) for name, size in stored.items()}

    def dead(self) -> list[tuple[str, str]]:
        """List the URLs that failed too often, with the reason of the last failure; first discovered first."""
        return [(letter.entry.url, letter.reasons[-1]) for letter in self.dead_letters()]

    def dead_letters(self) -> list[DeadLetter]:
        """List the URLs that failed too often, with all reasons; first discovered first."""
        found: list[tuple[float, DeadLetter]] = []
        ids = self._dead_ids()
        for start in range(0, len(ids), _AT_ONCE):
            for rid, seq, host, reasons, header, record in self._scripts.call("dead", ids[start : start + _AT_ONCE]):
                entry = decode_entry(_text(host), 0.0, header, record)
                found.append((float(seq), DeadLetter(entry, tuple(_text(reasons).split("\n")), int(rid))))
        return [letter for _, letter in sorted(found, key=lambda item: item[0])]

    def requeue_dead(self, letters: Iterable[DeadLetter] | None = None) -> int:
        """Queue dead URLs (all of them by default) again in their old places, with all attempts ahead.

        Those of discarded hosts stay dead.

        Returns:
            How many were queued.
        """
        ids: list[Argument] = list(self._dead_ids()) if letters is None else [letter.id for letter in letters]
        parts = [ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE)]
        return sum(self._scripts.call("requeue", part) for part in parts)

    def close(self) -> None:
        """Close the connection. Leases that are still held expire by themselves."""
        self._client.close()

    def _add(self, batch: dict[int, Entry]) -> CommitResult:
        added = improved = 0
        for chunk in in_chunks(batch):
            if chunk:
                new, better, deferred = self._scripts.call("add", self._writer.arguments(chunk))
                late = self._add_deferred(chunk, deferred)
                added += new + late.added
                improved += better + late.improved
        return CommitResult(added, improved)

    def _add_deferred(self, chunk: dict[int, Entry], deferred: Sequence[int]) -> CommitResult:
        """Clear up behind hosts that were discarded and are kept now, then meet their URLs again (R4)."""
        if not deferred:
            return CommitResult()
        added = improved = 0
        for _ in range(_TRIES):
            items = list(chunk.items())
            chunk = dict(items[number - 1] for number in deferred)
            for host in {entry.host for entry in chunk.values()}:
                while self.sweep(host) or self.sweep():
                    pass
            new, better, deferred = self._scripts.call("add", self._writer.arguments(chunk))
            added += new
            improved += better
            if not deferred:
                return CommitResult(added, improved)
        raise StateError("the frontier in Redis is damaged: what was dropped with a host cannot be cleared up")

    def _settlement(self, lease: Lease, outcome: Outcome, now: float) -> list[Argument]:
        politeness = self._politeness
        verdicts: list[Argument] = []
        for host, verdict in outcome.verdicts.items():
            override = "-" if verdict.override is None else format(verdict.override + 0.0, ".17g")
            verdicts += (host, format(verdict.precedence, ".17g"), int(verdict.discard), override)
        return [
            now + self._clock_offset,
            lease.token,
            outcome.kind if outcome.kind in ("page", "failed") else "other",
            int(outcome.fetched),
            int(outcome.is_target),
            outcome.directory,
            str(url_hash(lease.entry.url)),
            politeness.delay,
            min(outcome.back_off, MAX_BACK_OFF) if outcome.back_off > 0 else 0,
            politeness.retry_delay,
            politeness.max_attempts,
            outcome.reason[:200].replace("\n", " ").encode("utf-8", "replace"),
            len(outcome.verdicts),
            *verdicts,
            len(outcome.notes),
            *(encode_note(text) for note in outcome.notes.items() for text in note),
        ]

    def _leased(self, fields: Sequence[bytes]) -> Lease:
        token, attempt, host, priority, header, record, pages, target_pages, version = fields
        name = _text(host)
        entry = decode_entry(name, float(priority), header, record)
        self._held[name] = _Held(Counts(int(pages), int(target_pages)), int(version))
        self._tokens[int(token)] = name
        return Lease(entry, int(token), int(attempt))

    def _forget(self, lease: Lease) -> None:
        host = self._tokens.pop(lease.token, None)
        if host is not None:
            self._held.pop(host, None)

    def _remember(self, host: str, version: int, rules: HostRules) -> None:
        self._rules[host] = version, rules
        self._rules.move_to_end(host)
        if len(self._rules) > _RULES_CACHED:
            self._rules.popitem(last=False)
        if host in self._held:
            self._held[host].rules_version = version

    def _dead_ids(self) -> list[bytes]:
        with explained_redis_errors():
            return [rid for rid, _ in self._client.hscan_iter(self.prefix + "dead", count=_AT_ONCE)]

    def _check_identity(self, crawl: str, identity: dict[str, str]) -> None:
        mine = json.dumps(identity, sort_keys=True)
        layout, stored = self._scripts.call("open", (LAYOUT, mine))
        if layout != b"%d" % LAYOUT:
            raise StateError(
                f"crawl {crawl!r} in Redis has layout {_text(layout)}, this version reads layout {LAYOUT}; "
                "use another name, or delete that crawl"
            )
        try:
            theirs: Any = json.loads(stored or b"")
        except ValueError:
            theirs = None
        if not isinstance(theirs, dict):
            raise StateError(f"crawl {crawl!r} in Redis is damaged: its identity cannot be read")
        differences = [
            f"{key} is {theirs.get(key, 'not set')!r} there and {identity.get(key, 'not set')!r} here"
            for key in sorted({*theirs, *identity})
            if theirs.get(key) != identity.get(key)
        ]
        if differences:
            raise StateError(
                f"crawl {crawl!r} in Redis is another one: {'; '.join(differences)}. Use another name, or delete that crawl"
            )

    def _measure_offset(self) -> float:
        with explained_redis_errors():
            before = time.time()
            seconds, microseconds = self._client.time()
            return seconds + microseconds / 1e6 - (before + time.time()) / 2


def _check_names(crawl: str, worker: str) -> None:
    if not crawl or any(character in "{}" or character.isspace() for character in crawl):
        raise ConfigurationError(f"crawl name {crawl!r}: use letters, digits, '-' and '_', without braces or spaces")
    if not worker or any(character.isspace() for character in worker):
        raise ConfigurationError(f"worker name {worker!r}: use letters, digits, '-' and '_', without spaces")


def _without_discarded(batch: dict[int, Entry], outcome: Outcome) -> dict[int, Entry]:
    discarded = {host for host, verdict in outcome.verdicts.items() if verdict.discard}
    return {key: entry for key, entry in batch.items() if entry.host not in discarded} if discarded else batch


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _whole(value: bytes | None, key: str) -> int:
    try:
        return int(value or b"")
    except ValueError as error:
        raise StateError(f"the frontier in Redis is damaged: {key} holds {value!r} where a number belongs") from error


def _counts(answer: Sequence[bytes | None]) -> Counts:
    pages, target_pages = answer
    if pages is None:
        return NO_COUNTS
    return Counts(_whole(pages, "a count"), _whole(target_pages or b"0", "a count"))


def _read_rules(host: str, robots: bytes, expires: bytes, delay: bytes) -> HostRules:
    try:
        text = zlib.decompress(robots).decode("utf-8", "surrogatepass")
        return HostRules(text, float(expires), float(delay) if delay else None)
    except (zlib.error, ValueError, TypeError) as error:
        raise StateError(f"the stored robots.txt of {host!r} is damaged ({error})") from error
