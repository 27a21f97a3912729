"""Which node of a Redis Cluster keeps a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import redis
from redis.crc import key_slot

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.frontier.redis_scripts import RedisAwayError, explained_redis_errors


def is_cluster(client: redis.Redis) -> bool:
    """Whether the server is a node of a cluster; ``False`` too when it does not answer: who opens it will say so."""
    try:
        with explained_redis_errors():
            info: Any = client.info("cluster")
    except (ConfigurationError, StateError):
        return False
    return bool(info.get("cluster_enabled"))


def node_of(nodes: Sequence[redis.Redis], key: str) -> redis.Redis:
    """A client of the node that has ``key`` at present, by what the first of ``nodes`` that answers knows.

    Raises:
        RedisAwayError: none of them answers, or no node has the key's slot at present.
    """
    slot = key_slot(key.encode())
    failure = RedisAwayError(f"the Redis Cluster has no node for slot {slot} (redis-cli --cluster check)")
    for node in nodes:
        try:
            ranges = _slots(node)
        except RedisAwayError as error:
            failure = error
            continue
        for first, last, primary in ranges:
            if first <= slot <= last:
                return _at(node, *primary)
    raise failure


def client_for(client: redis.Redis, key: str) -> redis.Redis:
    """The client itself, or on a cluster one of the node that has ``key``."""
    return node_of([client], key) if is_cluster(client) else client


def nodes_of(client: redis.Redis) -> list[redis.Redis]:
    """A client of every node that has keys: should one be away, another knows who took over."""
    return [_at(client, *address) for address in sorted({primary for _, _, primary in _slots(client)})]


def _slots(client: redis.Redis) -> list[tuple[int, int, tuple[str, int]]]:
    """First and last slot, host and port of the primary."""
    ask: Callable[..., Any] = client.execute_command
    with explained_redis_errors():
        answer = ask("CLUSTER SLOTS")
    return [(int(first), int(last), (_host(primary[0]), int(primary[1]))) for first, last, primary, *_ in answer]


def _host(name: bytes | str | None) -> str:
    """A node's host; empty: the one that was asked."""
    return name.decode() if isinstance(name, bytes) else name or ""


def _at(client: redis.Redis, host: str, port: int) -> redis.Redis:
    pool = client.connection_pool
    own = pool.connection_kwargs
    arguments = {**own, "host": host or own.get("host", "localhost"), "port": port}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **arguments))
