"""The conformance suite of all frontiers (``test_frontier_*.py``), run over the one on Redis."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._opened: list[RedisFrontier] = []

    def __call__(self, **options: Any) -> RedisFrontier:
        options = {"delay": 0.0, "lease_seconds": 1e12, **options}
        crawl = f"conformance-{next(_NUMBERS)}"
        frontier = RedisFrontier(self._server.client(), crawl, identity={"target": "ko"}, **options)
        self._opened.append(frontier)
        return frontier

    def close(self) -> None:
        for frontier in self._opened:
            frontier.close()


@pytest.fixture
def new_frontier(redis_server: RedisServer) -> Iterator[RedisMaker]:
    maker = RedisMaker(redis_server)
    yield maker
    maker.close()
    with redis_server.client() as client:
        client.flushall()
