"""Python's garbage collector in a process that remembers much."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from crawler_project.crawling.garbage import collect_rarely


@pytest.fixture
def _fresh_process() -> Iterator[None]:
    """As if nothing had been made or set before: what other tests left would keep the collector from going through all."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 10)
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def full_collections_beside(count: int) -> int:
    """How often everything is gone through while so many containers are made and kept."""
    found: list[int] = []

    def note(phase: str, about: dict[str, int]) -> None:
        found.append(phase == "start" and about["generation"] == 2)

    gc.collect()
    gc.callbacks.append(note)
    kept: list[list[int]] = []
    try:
        kept.extend([number] for number in range(count))
    finally:
        gc.callbacks.remove(note)
    return sum(found)


@pytest.mark.usefixtures("_fresh_process")
def test_containers_that_stay_are_not_gone_through_again_and_again() -> None:
    by_default = full_collections_beside(1_000_000)
    collect_rarely()
    assert full_collections_beside(1_000_000) < by_default
