"""Short forms for what the tests do with a frontier."""

from __future__ import annotations

from typing import Any

from crawler_project.core.values import CommitResult, Entry, HostVerdict, Lease, Outcome


def entry(short: str, priority: float = 0.0, **fields: Any) -> Entry:
    """``a.kr/1`` as an entry of host ``a.kr``."""
    return Entry(f"https://{short}", short.partition("/")[0], priority, **fields)


def shorts(leases: list[Lease]) -> list[str]:
    """URLs as :func:`entry` takes them."""
    return [lease.entry.url.removeprefix("https://") for lease in leases]


def take(frontier: Any, now: float = 0.0) -> Lease:
    """Lease the one best URL."""
    (lease,) = frontier.lease(1, now)
    return lease


def fetch(frontier: Any, *links: Entry, now: float = 0.0, **fields: Any) -> CommitResult:
    """Lease the best URL and commit it as a page with these links."""
    outcome = Outcome(**{"kind": "page", "entries": links, **fields})
    return frontier.commit(take(frontier, now), outcome, now)


def give_verdict(frontier: Any, host: str, verdict: HostVerdict) -> None:
    """Let a page of a host of its own bring a verdict on ``host``."""
    frontier.add([entry("judge.example/" + str(frontier.status(0.0).seen), -99.0)])
    lease = take(frontier)
    assert lease.entry.host == "judge.example"
    verdicts = {host: verdict, "judge.example": HostVerdict(precedence=-99.0)}
    frontier.commit(lease, Outcome("gone", fetched=False, verdicts=verdicts), 0.0)


def drain(frontier: Any, now: float = 0.0) -> list[str]:
    """Fetch everything one by one, without links; the order."""
    order = []
    while leases := frontier.lease(1, now):
        order += shorts(leases)
        frontier.commit(leases[0], Outcome("gone", fetched=False), now)
    return order
