"""Leases on their way back: nothing is lost when the frontier is away, and nobody else's lease is put back."""

from __future__ import annotations

from typing import Any

import pytest

from crawler_project.core.errors import FrontierAwayError
from crawler_project.core.values import Entry, Exchange, Head, Lease
from crawler_project.crawling.put_backs import PutBacks


class Frontier:
    """Answers once, after it was away."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.released: list[tuple[int, float | None]] = []

    def exchange(self, worse: Any, scored: Any, limit: int, now: float) -> Exchange:
        self.calls.append(([(lease.token, later) for lease, later in worse], [head.place for head, _ in scored], limit))
        if len(self.calls) == 1:
            raise FrontierAwayError("away")
        return Exchange([lease(9)], [Head(entry("b"), 1), Head(entry("c"), 2)], len(worse), len(scored))

    def lease(self, limit: int, now: float) -> list[Lease]:
        return [lease(1)]

    def release(self, lease: Lease, now: float, *, priority: float | None = None) -> None:
        self.released.append((lease.token, priority))


def entry(name: str) -> Entry:
    return Entry(f"http://{name}.kr/", f"{name}.kr")


def lease(token: int) -> Lease:
    return Lease(entry("a"), token)


def test_leases_go_back_when_the_frontier_is_back_and_heads_are_scored_ahead() -> None:
    frontier, counts = Frontier(), list[int]()
    put_backs = PutBacks(frontier, frontier, lambda entry: 5.0 if entry.host == "c.kr" else None, counts.append)  # type: ignore[arg-type]
    put_backs.add(lease(1), 2.0)
    with pytest.raises(FrontierAwayError):
        put_backs.lease(1, 0.0)
    assert put_backs.held() == [lease(1)]
    assert list(put_backs.lease(1, 0.0)) == [lease(9)]
    assert put_backs.held() == []
    put_backs.add(lease(9), 3.0)
    put_backs.lease(4, 0.0)
    assert frontier.calls[1:] == [([(1, 2.0)], [], 1), ([(9, 3.0)], [2], 4)]
    assert counts == [1, 2]


def test_lost_lease_is_not_put_back() -> None:
    frontier, counts = Frontier(), list[int]()
    put_backs = PutBacks(frontier, frontier, lambda entry: None, counts.append)  # type: ignore[arg-type]
    put_backs.add(lease(1), 2.0)
    put_backs.add(lease(2), 3.0)
    put_backs.drop([1])
    put_backs.flush(0.0)
    assert frontier.released == [(2, 3.0)]


def test_frontier_of_one_process_releases_and_leases() -> None:
    frontier, counts = Frontier(), list[int]()
    put_backs = PutBacks(frontier, None, lambda entry: None, counts.append)  # type: ignore[arg-type]
    put_backs.add(lease(1), 2.0)
    assert list(put_backs.lease(1, 0.0)) == [lease(1)]
    assert (frontier.released, frontier.calls, counts) == ([(1, 2.0)], [], [1])
