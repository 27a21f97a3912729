"""A uniform sample of seeds with few addresses a host, from a stream of any length."""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

import xxhash

T = TypeVar("T")


class Pick(NamedTuple, Generic[T]):
    """A chosen row."""

    chance: int
    """The number that chose it: the smallest are in the sample."""
    host: str
    row: T


class HostReservoir(Generic[T]):
    """Keep a uniform sample of at most ``size`` rows, at most ``per_host`` of a host.

    A reservoir of the smallest hashes (bottom-k sampling; the idea is Vitter's 1985 Algorithm R with fixed instead of
    drawn numbers): every host has ``per_host`` places, each place a number by hash of host and ``random_state``, and the
    ``size`` smallest numbers whose place is taken are the sample. A host's rows take its places in the order of their own
    hashes. So hosts are equally likely however many addresses they have, the same rows give the same sample in
    whatever order they come, and the memory is that of the sample. With ``per_host`` 0, rows are equally likely.
    """

    def __init__(self, size: int, per_host: int = 1, random_state: int = 0) -> None:
        self._size = size
        self._places = per_host
        self._state = random_state & 0xFFFFFFFFFFFFFFFF
        self._hosts: dict[str, list[tuple[int, str, T]]] = {}
        self._numbers: dict[str, list[int]] = {}
        self._taken: list[tuple[int, str]] = []
        """Heap of numbers of taken places, largest first."""
        self._waiting: list[tuple[int, str]] = []
        """Heap of hosts by their least number, largest first."""

    def add(self, host: str, key: str, row: T) -> None:
        """Offer a row of ``host``; of rows with an equal ``key`` (its address) the first is kept."""
        if not self._places:
            host, key = key, ""
        rows = self._hosts.get(host)
        if rows is None:
            numbers = [self._hash(f"{place} {host}") for place in range(max(self._places, 1))]
            if len(self._taken) >= self._size and min(numbers) >= -self._taken[0][0]:
                return
            rows = self._hosts[host] = []
            self._numbers[host] = numbers
            heapq.heappush(self._waiting, (-min(numbers), host))
        item = (self._hash(f"row {key}"), key)
        if any(known[:2] == item for known in rows):
            return
        insort(rows, (*item, row), key=lambda known: known[:2])
        if len(rows) > max(self._places, 1):
            rows.pop()
            return
        self._take(self._numbers[host][len(rows) - 1], host)

    def sample(self) -> list[Pick[T]]:
        """Give the sample in the order of its numbers, which is random."""
        chosen: list[Pick[T]] = []
        used: dict[str, int] = {}
        for number, host in sorted((-negative, host) for negative, host in self._taken):
            at = used.get(host, 0)
            used[host] = at + 1
            chosen.append(Pick(number, host, self._hosts[host][at][2]))
        return chosen

    def _take(self, number: int, host: str) -> None:
        heapq.heappush(self._taken, (-number, host))
        if len(self._taken) > self._size:
            heapq.heappop(self._taken)
            limit = -self._taken[0][0] if self._taken else -1
            while self._waiting and -self._waiting[0][0] > limit:
                _, gone = heapq.heappop(self._waiting)
                self._hosts.pop(gone, None)
                self._numbers.pop(gone, None)

    def _hash(self, text: str) -> int:
        return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"), seed=self._state)


class StratifiedReservoir(Generic[T]):
    """A sample of every stratum in proportion to its hosts, and of each at least one while there is room."""

    def __init__(self, size: int, per_host: int = 1, random_state: int = 0) -> None:
        self._size, self._per_host, self._state = size, per_host, random_state
        self._strata: dict[Hashable, HostReservoir[T]] = {}
        self._hosts: dict[Hashable, set[int]] = {}

    def add(self, stratum: Hashable, host: str, key: str, row: T) -> None:
        if stratum not in self._strata:
            self._strata[stratum] = HostReservoir(self._size, self._per_host, self._state)
            self._hosts[stratum] = set()
        self._strata[stratum].add(host, key, row)
        self._hosts[stratum].add(xxhash.xxh3_64_intdigest(host.encode("utf-8", "surrogatepass")))

    def sample(self) -> list[Pick[T]]:
        """Give the sample, stratum by stratum, the largest first."""
        strata = sorted(self._strata, key=lambda stratum: (-len(self._hosts[stratum]), str(stratum)))
        samples = {stratum: iter(self._strata[stratum].sample()) for stratum in strata}
        shares = allotted(self._size, [len(self._hosts[stratum]) for stratum in strata])
        used: dict[str, int] = {}
        chosen = {s: list(self._fitting(samples[s], n, used)) for s, n in zip(strata, shares, strict=True)}
        for stratum in strata:  # what others could not give
            missing = self._size - sum(map(len, chosen.values()))
            chosen[stratum].extend(self._fitting(samples[stratum], missing, used))
        return [pick for stratum in strata for pick in chosen[stratum]]

    def _fitting(self, picks: Iterable[Pick[T]], count: int, used: dict[str, int]) -> Iterator[Pick[T]]:
        """A host may be in several strata; its addresses are counted over all of them."""
        if count <= 0:
            return
        for pick in picks:
            if self._per_host and used.get(pick.host, 0) >= self._per_host:
                continue
            used[pick.host] = used.get(pick.host, 0) + 1
            yield pick
            count -= 1
            if not count:
                return


def allotted(size: int, weights: Sequence[int]) -> list[int]:
    """Share ``size`` in proportion to ``weights`` by largest remainders, at least one each while ``size`` allows."""
    if size <= len(weights):
        return [1] * size + [0] * (len(weights) - size)
    total = sum(weights)
    rest = size - len(weights)
    exact = [max(weight * size / total - 1, 0) for weight in weights]
    scale = rest / sum(exact) if sum(exact) else 0.0
    shares = [int(part * scale) for part in exact]
    by_remainder = sorted(range(len(weights)), key=lambda at: shares[at] - exact[at] * scale)
    for at in by_remainder[: rest - sum(shares)]:
        shares[at] += 1
    return [share + 1 for share in shares]
