"""Is this Redis fit to keep a crawl? Asked once, before the first fetch."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

import redis
from redis.exceptions import ResponseError

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.frontier.redis_scripts import RedisAwayError, explained_redis_errors

OLDEST = (6, 2)


def raw_client(client: redis.Redis) -> redis.Redis:
    """The same server, with answers as bytes whatever the settings of scrapy-redis say: records are no text."""
    pool = client.connection_pool
    if not pool.connection_kwargs.get("decode_responses"):
        return client
    arguments = {**pool.connection_kwargs, "decode_responses": False}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **arguments))


def fresh_client(client: redis.Redis, key: str) -> redis.Redis:
    """The same server, with answers as bytes; each new connection writes a random number to field ``boot`` of ``key``.

    A server that lost its latest writes was restarted, and so all workers had to connect anew: by a number that is
    not the one they know, they learn that it may have lost what they sent (:class:`SentLinks`).
    """
    pool = client.connection_pool
    inherited = pool.connection_kwargs.get("redis_connect_func")

    def connect(connection: Any) -> None:
        if inherited is None:
            connection.on_connect()
        else:
            inherited(connection)
        connection.send_command("HSET", key, "boot", secrets.token_hex(4))
        with suppress(ResponseError):  # full, or a replica: it will refuse the commit as well
            connection.read_response()

    arguments = {**pool.connection_kwargs, "decode_responses": False, "redis_connect_func": connect}
    return redis.Redis(connection_pool=redis.ConnectionPool(pool.connection_class, **arguments))


def check_server(client: redis.Redis) -> list[str]:
    """Refuse a server that cannot serve; return warnings about one that could lose the crawl.

    Raises:
        ConfigurationError: no server there, wrong password, older than 6.2, or it evicts keys when full.
    """
    try:
        with explained_redis_errors():
            server, persistence = client.info("server"), client.info("persistence")
            memory = client.info("memory")
    except RedisAwayError as error:
        raise ConfigurationError(f"{_where(client)}: {error}; start it, or correct REDIS_URL") from error
    except ConfigurationError as error:
        raise ConfigurationError(f"{_where(client)}: {error}") from error
    except StateError as error:  # it does not even know how its clients say hello
        reason = str(error.__cause__ or error)
        raise ConfigurationError(f"{_where(client)} answers {reason!r}; Redis 6.2 or newer is needed") from error
    _check_version(client, server)
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise ConfigurationError(
            f"{_where(client)} evicts keys when it is full (maxmemory-policy {policy}), which would lose parts of the "
            "crawl; set maxmemory-policy noeviction"
        )
    return _warnings(client, persistence)


def _check_version(client: redis.Redis, server: dict[str, Any]) -> None:
    version = str(server.get("redis_version", "0"))
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise ConfigurationError(f"{_where(client)} is Redis {version}; 6.2 or newer is needed")


def _warnings(client: redis.Redis, persistence: dict[str, Any]) -> list[str]:
    if persistence.get("aof_enabled"):
        if persistence.get("aof_last_write_status") != "ok":
            return [f"{_where(client)} fails to write its append-only file; see its log"]
        return []
    lost = "what happened since its latest snapshot is lost when it stops"
    return [f"{_where(client)} keeps no append-only file: {lost}; set appendonly yes"]


def _where(client: redis.Redis) -> str:
    arguments = client.connection_pool.connection_kwargs
    if "path" in arguments:
        return f"Redis at {arguments['path']}"
    return f"Redis at {arguments.get('host', 'localhost')}:{arguments.get('port', 6379)}"
