"""The conformance suite of all frontiers (``test_frontier_*.py``), run over the one on Redis."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import test_frontier_model
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from redis_fixture import RedisServer, redis_server

from crawler_project.frontier.redis_frontier import RedisFrontier

__all__ = ["redis_server"]

for _path in sorted(Path(__file__).parent.glob("test_frontier_*.py")):
    _module = importlib.import_module(_path.stem)
    globals().update({name: value for name, value in vars(_module).items() if name.startswith("test_")})

_NUMBERS = itertools.count()


class RedisMaker:
    """Make frontiers on one server, each of a crawl of its own."""

    kind = "redis"
    can_restart = False
    """A checkpoint is no line that a restart falls back to: commits are durable when they are answered."""

    def __init__(self, server: RedisServer, **options: Any) -> None:
        self._server = server
        self._options = options
        self._opened: list[RedisFrontier] = []

    def __call__(self, **options: Any) -> RedisFrontier:
        options = {"delay": 0.0, "lease_seconds": 1e12, **self._options, **options}
        crawl = f"conformance-{next(_NUMBERS)}"
        frontier = RedisFrontier(self._server.client(), crawl, identity={"target": "ko"}, **options)
        self._opened.append(frontier)
        return frontier

    def close(self) -> None:
        for frontier in self._opened:
            frontier.close()


def test_frontier_agrees_with_the_model_when_the_best_priority_is_known(redis_server: RedisServer) -> None:
    maker = RedisMaker(redis_server, best_priority=0.0)
    machine = type("Machine", (test_frontier_model.FrontierMachine,), {"make": maker})
    few = settings(test_frontier_model.MANY, max_examples=30)
    run_state_machine_as_test(lambda: machine(compare_distance=True, delay=1.0), settings=few)
    maker.close()


@pytest.fixture
def new_frontier(redis_server: RedisServer) -> Iterator[RedisMaker]:
    maker = RedisMaker(redis_server)
    yield maker
    maker.close()
    with redis_server.client() as client:
        client.flushall()
