"""The obvious frontier: dictionaries and loops, no index, no file. What every frontier must agree with."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler_project.core.values import (
    KEEP_HOST,
    SOON,
    CommitResult,
    Counts,
    Entry,
    FrontierStatus,
    HostRules,
    HostVerdict,
    Lease,
    Outcome,
)

MAX_BACK_OFF = 86_400.0


@dataclass
class Url:
    seq: int
    entry: Entry
    state: str = "queued"
    """``queued``, ``leased``, ``done``, ``dead`` or ``dropped``."""
    attempts: int = 0
    reason: str = ""


@dataclass
class HostState:
    verdict: HostVerdict = KEEP_HOST
    ready_at: float = 0.0
    pages: int = 0
    targets: int = 0
    rules: HostRules | None = None


@dataclass
class Memory:
    """All that a checkpoint keeps."""

    urls: dict[str, Url] = field(default_factory=dict)
    hosts: dict[str, HostState] = field(default_factory=dict)
    directories: dict[str, list[int]] = field(default_factory=dict)
    seqs: Any = field(default_factory=lambda: itertools.count(1))
    outputs: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


class ModelFrontier:
    def __init__(
        self,
        *,
        delay: float = 1.0,
        max_attempts: int = 3,
        retry_delay: float = 10.0,
        max_delay: float = 60.0,
        compare_distance: bool = False,
    ) -> None:
        self.delay, self.max_attempts, self.retry_delay = delay, max_attempts, retry_delay
        self.max_delay, self.compare_distance = max_delay, compare_distance
        self.memory = Memory()
        self.saved = Memory()
        self.leases: dict[int, str] = {}
        self.tokens = itertools.count(1)
        self.closed_until = float("-inf")
        self.is_crashed = False

    def host(self, name: str) -> HostState:
        return self.memory.hosts.setdefault(name, HostState())

    def in_state(self, state: str, host: str | None = None) -> list[Url]:
        return [
            url for url in self.memory.urls.values() if url.state == state and host in (None, url.entry.host)
        ]  # fmt: skip

    def add(self, entries: Iterable[Entry]) -> CommitResult:
        before = copy.deepcopy(self.memory.urls)
        for entry in entries:
            self.meet(entry)
        added = improved = 0
        for name, url in self.memory.urls.items():
            was = before.get(name)
            added += was is None or (was.state, url.state) == ("dropped", "queued")
            improved += was is not None and was.state == "queued" and was.entry != url.entry
        return CommitResult(added, improved)

    def meet(self, entry: Entry) -> None:
        if self.host(entry.host).verdict.discard:
            return
        known = self.memory.urls.get(entry.url)
        if known is None:
            self.memory.urls[entry.url] = Url(next(self.memory.seqs), entry)
        elif known.state == "dropped":
            self.memory.urls[entry.url] = Url(known.seq, entry)
        elif known.state == "queued" and self.rank(entry) < self.rank(known.entry):
            known.entry = entry

    def rank(self, entry: Entry) -> tuple[float, int]:
        return entry.priority, entry.distance if self.compare_distance else 0

    def place(self, url: Url) -> tuple[float, float, int]:
        verdict = self.host(url.entry.host).verdict
        own = url.entry.priority if verdict.override is None else verdict.override
        return verdict.precedence, own + verdict.offset, url.seq

    def start(self, now: float) -> None:
        if self.is_crashed:
            self.is_crashed = False
            self.closed_until = now + self.delay
            for host in self.memory.hosts.values():
                if self.host_delay(host) > self.delay:
                    host.ready_at = max(host.ready_at, now + self.host_delay(host))

    def resting_hosts(self, now: float) -> list[str]:
        held = {self.memory.urls[url].entry.host for url in self.leases.values()}
        names = {url.entry.host for url in self.in_state("queued")}
        return [name for name in names if name in held or self.host(name).ready_at > now]

    def ready_hosts(self, now: float) -> list[str]:
        resting = self.resting_hosts(now)
        return sorted({url.entry.host for url in self.in_state("queued")} - set(resting))

    def lease(self, limit: int, now: float) -> list[Lease]:
        self.start(now)
        if now < self.closed_until:
            return []
        best = [min(self.in_state("queued", host), key=self.place) for host in self.ready_hosts(now)]
        return [self.take(url) for url in sorted(best, key=self.place)[: max(limit, 0)]]

    def take(self, url: Url) -> Lease:
        url.state = "leased"
        lease = Lease(url.entry, next(self.tokens), url.attempts + 1)
        self.leases[lease.token] = url.entry.url
        return lease

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        if self.leases.pop(lease.token, None) is None:
            return self.add(outcome.entries)._replace(accepted=False)
        url, host = self.memory.urls[lease.entry.url], self.host(lease.entry.host)
        for name, verdict in outcome.verdicts.items():
            self.judge(name, verdict)
        self.memory.notes.update(outcome.notes)
        retried = self.settle(url, host, outcome)
        result = self.add(outcome.entries)
        back_off = max(outcome.back_off, self.retry_delay * 2 ** (lease.attempt - 1) if retried else 0)
        self.rest(host, now, outcome.fetched, back_off)
        return result._replace(retried=retried, dead=url.state == "dead")

    def settle(self, url: Url, host: HostState, outcome: Outcome) -> bool:
        if outcome.kind == "failed":
            return self.fail(url, host, outcome.reason)
        url.state = "done"
        if outcome.kind == "page":
            host.pages += 1
            host.targets += outcome.is_target
            counts = self.memory.directories.setdefault(outcome.directory, [0, 0])
            counts[0] += 1
            counts[1] += outcome.is_target
        return False

    def fail(self, url: Url, host: HostState, reason: str) -> bool:
        url.attempts += 1
        url.reason = reason
        if host.verdict.discard:
            url.state = "dropped"
        else:
            url.state = "dead" if url.attempts >= self.max_attempts else "queued"
        return url.state == "queued"

    def judge(self, name: str, verdict: HostVerdict) -> None:
        self.host(name).verdict = verdict
        if verdict.discard:
            for url in self.in_state("queued", name):
                url.state = "dropped"

    def release(self, lease: Lease, now: float, *, fetched: bool = False, priority: float | None = None) -> None:
        if self.leases.pop(lease.token, None) is not None:
            host = self.host(lease.entry.host)
            if priority is not None:
                url = self.memory.urls[lease.entry.url]
                url.entry = url.entry._replace(priority=priority)
            self.memory.urls[lease.entry.url].state = "dropped" if host.verdict.discard else "queued"
            self.rest(host, now, fetched, 0.0)

    def rest(self, host: HostState, now: float, fetched: bool, back_off: float) -> None:
        seconds = max(self.host_delay(host) if fetched else 0.0, min(back_off, MAX_BACK_OFF))
        host.ready_at = max(host.ready_at, now + seconds)

    def host_delay(self, host: HostState) -> float:
        asked = host.rules.delay if host.rules else None
        return self.delay if asked is None or asked < 0 else min(asked, self.max_delay)

    def counts(self, units: Sequence[str]) -> list[Counts]:
        return [
            Counts(*self.memory.directories.get(unit, [0, 0]))
            if "/" in unit
            else Counts(self.host(unit).pages, self.host(unit).targets)
            for unit in units
        ]

    def host_rules(self, host: str) -> HostRules | None:
        return self.host(host).rules

    def set_host_rules(self, host: str, rules: HostRules) -> None:
        self.host(host).rules = rules

    def notes(self, prefix: str) -> dict[str, str]:
        return {name: text for name, text in self.memory.notes.items() if name.startswith(prefix)}

    def set_note(self, name: str, text: str) -> None:
        self.memory.notes[name] = text

    def next_ready(self, now: float) -> float | None:
        self.start(now)
        held = {self.memory.urls[url].entry.host for url in self.leases.values()}
        waits = [
            max(0.0, self.host(url.entry.host).ready_at - now)
            for url in self.in_state("queued")
            if url.entry.host not in held
        ]
        return max(min(waits), self.closed_until - now) if waits else None

    def next_better(self, rank: float, now: float) -> float | None:
        self.start(now)
        held = {self.memory.urls[url].entry.host for url in self.leases.values()}
        good = {url.entry.host for url in self.in_state("queued") if self.place(url)[1] <= rank}
        waits = [ready_at - now for host in good - held if now < (ready_at := self.host(host).ready_at) <= now + SOON]
        if waits:
            return max(min(waits), self.closed_until - now)
        return SOON if good & held else None

    def is_finished(self) -> bool:
        return not self.in_state("queued") and not self.leases

    def status(self, now: float) -> FrontierStatus:
        self.start(now)
        ready, waiting = len(self.ready_hosts(now)), len(self.resting_hosts(now))
        if now < self.closed_until:
            ready, waiting = 0, ready + waiting
        return FrontierStatus(
            queued=len(self.in_state("queued")),
            seen=len(self.memory.urls),
            leased=len(self.leases),
            hosts_ready=ready,
            hosts_waiting=waiting,
            dead=len(self.in_state("dead")),
        )

    def dead(self) -> list[tuple[str, str]]:
        return [(url.entry.url, url.reason) for url in sorted(self.in_state("dead"), key=lambda url: url.seq)]

    def requeue_dead(self) -> int:
        wanted = [url for url in self.in_state("dead") if not self.host(url.entry.host).verdict.discard]
        for url in wanted:
            url.state, url.attempts = "queued", 0
        return len(wanted)

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        self.memory.outputs = dict(outputs)
        self.saved = copy.deepcopy(self.memory)

    def outputs(self) -> dict[str, int]:
        return self.memory.outputs

    def restart(self, *, after_crash: bool) -> None:
        self.memory = copy.deepcopy(self.saved)
        for url in self.in_state("leased"):
            url.state = "dropped" if self.host(url.entry.host).verdict.discard else "queued"
        self.leases = {}
        self.closed_until = float("-inf")
        self.is_crashed = after_crash
