"""Three redis-servers that are one cluster, without replicas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from redis_fixture import RedisServer, comes_true

SLOTS = 16384
INTRODUCTIONS = 12
"""Times that the nodes are made known to each other: on a busy machine one that is slower than the node timeout is forgotten."""
SECONDS = 5
"""From one time to the next."""


class RedisCluster:
    """The nodes by number; each has a third of the slots."""

    def __init__(self, folder: Path, stack: ExitStack, count: int = 3) -> None:
        self.nodes = []
        for number in range(count):
            (folder / str(number)).mkdir()
            options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--appendonly", "yes")
            self.nodes.append(stack.enter_context(RedisServer(folder / str(number), *options)))
        self._meet()

    def _meet(self) -> None:
        clients = [node.client() for node in self.nodes]
        for number, client in enumerate(clients):
            client.execute_command("CONFIG", "SET", "masterauth", self.nodes[0].password)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            first, last = (SLOTS * number // len(clients), SLOTS * (number + 1) // len(clients))
            client.execute_command("CLUSTER ADDSLOTS", *range(first, last))
        if not any(self._have_met(clients) for _ in range(INTRODUCTIONS)):
            states = "\n".join(f"{client.execute_command('CLUSTER NODES')}" for client in clients)
            logs = "\n".join(node.log() for node in self.nodes)
            pytest.fail(f"the nodes are no cluster after {INTRODUCTIONS * SECONDS} s:\n{states}\n{logs}")
        for client in clients:
            client.close()

    def _have_met(self, clients: Sequence[redis.Redis]) -> bool:
        for client in clients:
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port)
        return comes_true(lambda: all(map(self._is_whole, clients)), SECONDS)

    def _is_whole(self, client: redis.Redis) -> bool:
        info = client.execute_command("CLUSTER INFO")
        return info["cluster_state"] == "ok" and info["cluster_slots_ok"] == str(SLOTS)

    def flush(self) -> None:
        for node in self.nodes:
            with node.client() as client:
                client.flushall()

    def keys(self) -> list[int]:
        """How many keys each node has."""
        counts = []
        for node in self.nodes:
            with node.client() as client:
                counts.append(client.dbsize())
        return counts


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    with ExitStack() as stack:
        yield RedisCluster(tmp_path_factory.mktemp("cluster"), stack)
