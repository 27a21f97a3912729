"""Is this Redis fit to keep a crawl? Asked once, before the first fetch."""

from __future__ import annotations

from typing import Any

import redis

from crawler_project.core.errors import ConfigurationError
from crawler_project.frontier.redis_scripts import RedisAwayError, explained_redis_errors

OLDEST = (6, 2)


def raw_client(client: redis.Redis) -> redis.Redis:
    """The same server, with answers as bytes whatever the settings of scrapy-redis say: records are no text."""
    pool = client.connection_pool
    if not pool.connection_kwargs.get("decode_responses"):
        return client
    arguments = {**pool.connection_kwargs, "decode_responses": False}
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
