"""How many target pages each host of a generated web has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]

PURITY_SPREAD = 2.8
"""How much hosts of the target's web differ, on the logit scale: most are nearly full of it or nearly empty."""
PURITY_BY_SIZE = 0.45
"""Log odds that a host e times larger has more of the target: portals are fuller than small sites."""
GOLDEN_RATIO = (5**0.5 - 1) / 2
STRAY_SPREAD = 3.0
"""Spread of the logarithm of how many strays a foreign host attracts: a few hosts have most of them."""
SMALLEST_WITH_STRAYS = 6
MOST_STRAYS = 4
"""At most every so manieth page of a foreign host is a stray."""


def spread_at_home(sizes: Counts, targets: int, rng: np.random.Generator) -> Counts:
    """Give the target pages of each host of the target's web: ``targets`` in all, in very unequal shares.

    The share of a host is logistic in a number of its own and in the logarithm of its size. The numbers
    follow the golden ratio down the hosts by size, so that webs of different seeds have equally many full
    and empty hosts among their large ones. Small hosts may get none.
    """
    if not targets or not len(sizes):
        return np.zeros(len(sizes), dtype=np.int64)
    places = np.empty(len(sizes))
    places[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    odds = PURITY_SPREAD * _logit((rng.random() + places * GOLDEN_RATIO) % 1) + PURITY_BY_SIZE * np.log(sizes)
    hosts = np.repeat(np.arange(len(sizes)), sizes)
    liking = odds[hosts] + rng.logistic(0, 1, len(hosts))
    chosen = np.argpartition(liking, len(hosts) - targets)[len(hosts) - targets :]
    return np.bincount(hosts[chosen], minlength=len(sizes)).astype(np.int64)


def _logit(share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    bounded = np.clip(share, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(bounded / (1 - bounded)))


def spread_abroad(sizes: Counts, targets: int, rng: np.random.Generator) -> Counts:
    """Give the target pages of each foreign host: most have none, nobody more than a quarter."""
    found = np.zeros(len(sizes), dtype=np.int64)
    if not targets or not len(sizes):
        return found
    room = np.where(sizes >= SMALLEST_WITH_STRAYS, sizes // MOST_STRAYS, 0)
    appeal = np.exp(rng.normal(0, STRAY_SPREAD, len(sizes)))
    for _ in range(50):
        missing = targets - int(found.sum())
        weights = (room - found) * appeal
        if missing <= 0 or weights.sum() <= 0:
            break
        found = np.minimum(found + rng.multinomial(missing, weights / weights.sum()), room)
    return found + _fill(sizes - found, targets - int(found.sum()))


def _fill(room: Counts, amount: int) -> Counts:
    """Spread ``amount`` over the first hosts that have room."""
    before = np.cumsum(room) - room
    return np.asarray(np.clip(amount - before, 0, room), dtype=np.int64)
