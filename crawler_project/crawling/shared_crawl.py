"""A crawl that several workers share: its Redis, its name, this worker's name.

The settings are those of scrapy-redis (``REDIS_URL``, ``REDIS_HOST``, ``REDIS_PARAMS``, …), read by
its own code, so that they mean what its users know.
"""

from __future__ import annotations

import math
import os
import re
import secrets
import socket
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import SharedFrontier
from crawler_project.core.target import Target
from crawler_project.crawling.shared_servers import limit_of
from crawler_project.strategies import Strategy

if TYPE_CHECKING:
    import redis

    from crawler_project.crawling.crawl_plan import CrawlPlan

KINDS = ("", "embedded", "redis")
"""Of ``FRONTIER``; empty: Redis if REDIS_URL is set."""
_PATIENCE = {"socket_connect_timeout": 2.0, "socket_timeout": 5.0, "retry_on_timeout": False}
"""Seconds. A crawler that waits for Redis must still hear Ctrl-C; scrapy-redis' 30 s are too long for that."""
_NEVER_BELOW_ZERO = frozenset(
    {"control", "experimental", "hard_focused", "soft_focused", "server_filter", "directory_filter", "lswc"}
)
"""Strategies whose best priority is 0: URLs that have it cannot be improved, which saves 20 bytes each."""
_NO_NAME = re.compile(r"[^A-Za-z0-9-]+")


def is_shared(settings: BaseSettings) -> bool:
    """Whether the crawl's frontier is in Redis.

    Raises:
        ConfigurationError: FRONTIER is something else.
    """
    kind = str(settings.get("FRONTIER") or "")
    if kind not in KINDS:
        raise ConfigurationError(f"FRONTIER={kind!r} is unknown; choose embedded or redis, or leave it out")
    return kind == "redis" or (not kind and bool(settings.get("REDIS_URL")))


def is_shared_crawl(given: str | None, settings: BaseSettings, job: Path | None) -> bool:
    """Whether the crawl's frontier is in Redis, and what the user has ``given`` as its name and as its JOBDIR fits that.

    Raises:
        ConfigurationError: a name for a crawl of one process, a JOBDIR for one in Redis.
    """
    if not is_shared(settings):
        if given:
            raise ConfigurationError(f"crawl={given!r} names a crawl in Redis; say which Redis: -s REDIS_URL=redis://…")
        return False
    if job:
        raise ConfigurationError(
            f"JOBDIR={str(job)!r} is for crawls without Redis; in Redis every crawl can be continued, leave it out"
        )
    return True


def crawl_name(given: str | None, settings: BaseSettings, target: Target, strategy: Strategy) -> str:
    """The name under which workers find each other: ``-a crawl=``, ``FRONTIER_CRAWL``, else target and strategy."""
    return given or settings.get("FRONTIER_CRAWL") or "-".join([*sorted(target.languages), strategy.name])


def new_worker_name() -> str:
    """A name that no other worker has or had: this machine, this process, and chance."""
    machine = _NO_NAME.sub("-", socket.gethostname())[:40].strip("-") or "worker"
    return f"{machine}-{os.getpid()}-{secrets.token_hex(3)}"


def connect(settings: BaseSettings) -> redis.Redis:
    """A client by the settings of scrapy-redis; it gives up sooner than scrapy-redis' own.

    Raises:
        ConfigurationError: the settings cannot be read as an address.
    """
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError  # noqa: A004 - Redis' own name
    from redis.retry import Retry
    from scrapy_redis.connection import get_redis_from_settings

    # one new try at once: the server may have closed an idle connection, or been started again
    parameters: dict[str, Any] = {**_PATIENCE, "retry": Retry(NoBackoff(), 1, (ConnectionError,))}
    own = settings.copy()
    own.frozen = False  # a running crawler's are
    own.set("REDIS_PARAMS", {**parameters, **settings.getdict("REDIS_PARAMS")}, priority=1000)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # scrapy-redis names a parameter that is on its way out
            client: redis.Redis = get_redis_from_settings(own)
    except (ValueError, TypeError) as error:
        raise ConfigurationError(
            f"REDIS_URL or REDIS_PARAMS cannot be used ({error}); an address looks like redis://:PASSWORD@HOST:6379/0"
        ) from error
    return client


def open_shared_frontier(plan: CrawlPlan, settings: BaseSettings, worker: str) -> SharedFrontier:
    """Make or join the crawl of this plan.

    Raises:
        ConfigurationError: no fit server there.
        StateError: the crawl of this name is another one.
    """
    from crawler_project.frontier.sharded_frontier import open_frontier

    return open_frontier(
        connect(settings),
        plan.crawl,
        shards=settings.getint("FRONTIER_SHARDS"),
        identity=_identity(plan, settings),
        worker=worker,
        delay=plan.delay,
        retry_delay=settings.getfloat("FRONTIER_RETRY_DELAY"),
        max_delay=settings.getfloat("FRONTIER_MAX_DELAY"),
        max_attempts=settings.getint("FRONTIER_MAX_ATTEMPTS"),
        compare_distance=plan.strategy.tracks_distance,
        best_priority=0.0 if plan.strategy.name in _NEVER_BELOW_ZERO else -math.inf,
        lease_seconds=settings.getfloat("FRONTIER_LEASE"),
        server_time=True,
        budget=plan.budget,
    )


def _identity(plan: CrawlPlan, settings: BaseSettings) -> dict[str, str]:
    """What all workers must have in common; each may write where it likes."""
    identity = {key: value for key, value in plan.identity.items() if key != "output"}
    limit = limit_of(settings)
    return {**identity, "limit_by": limit} if limit else identity
