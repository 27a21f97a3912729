"""The frontiers that the conformance suite is run over."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

KINDS = ("temporary", "durable")
"""Add a kind and its branch in ``_open`` for another frontier."""


class FrontierMaker:
    """Make frontiers of one kind, each empty and with a storage of its own."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.can_restart = kind != "temporary"
        self._folder = folder
        self._numbers = itertools.count()
        self._opened: list[tuple[Any, Path | None, dict[str, Any]]] = []

    def __call__(self, **options: Any) -> Any:
        """A new frontier, without delay unless ``options`` say otherwise."""
        options = {"delay": 0.0, **options}
        path = self._folder / f"frontier{next(self._numbers)}.sqlite3" if self.can_restart else None
        return self._open(path, options)

    def restart(self, frontier: Any) -> Any:
        """The same frontier after its process ended: all since the latest checkpoint is gone."""
        path, options = next((path, options) for one, path, options in self._opened if one is frontier)
        frontier.close()
        return self._open(path, options)

    def close(self) -> None:
        for frontier, _, _ in self._opened:
            frontier.close()

    def _open(self, path: Path | None, options: dict[str, Any]) -> Any:
        frontier = EmbeddedFrontier(path, identity={"target": "ko"}, **options)
        self._opened.append((frontier, path, options))
        return frontier


def makers(kind: str) -> Iterator[FrontierMaker]:
    memory = Path("/dev/shm")  # thousands of checkpoints: a disk would wait for each
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        maker = FrontierMaker(kind, Path(folder))
        yield maker
        maker.close()


@pytest.fixture(params=KINDS)
def new_frontier(request: pytest.FixtureRequest) -> Iterator[FrontierMaker]:
    yield from makers(request.param)


@pytest.fixture
def new_durable_frontier() -> Iterator[FrontierMaker]:
    yield from makers("durable")
