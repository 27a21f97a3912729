"""Which workers a crawl has at present: who comes last puts the light out."""

from __future__ import annotations

from typing import Any

import redis

from crawler_project.frontier.redis_cluster import client_for
from crawler_project.frontier.redis_crawl import prefix_of
from crawler_project.frontier.redis_scripts import explained_redis_errors


class RedisMembers:
    """The workers that were heard of lately, in the time of the server.

    Args:
        client: of redis-py, that gives bytes.
        crawl: name of the crawl.
        worker: name of this worker.
        patience: a worker that was not heard of for so many seconds has died.
    """

    def __init__(self, client: redis.Redis, crawl: str, worker: str, patience: float) -> None:
        prefix = prefix_of(crawl, 0)
        self._client = client_for(client, prefix)
        self._key, self._crawl = prefix + "w", prefix + "m"
        self._worker = worker
        self._patience = patience

    def come(self) -> None:
        """Be heard of; to be called again before ``patience`` is over."""
        with explained_redis_errors():
            self._client.zadd(self._key, {self._worker: self._now()})

    def leave(self) -> int:
        """Be gone; how many others are there."""
        with explained_redis_errors():
            self._client.zrem(self._key, self._worker)
        return self.others()

    def others(self) -> int:
        """How many other workers are there."""
        with explained_redis_errors():
            self._client.zremrangebyscore(self._key, "-inf", self._now() - self._patience)
            names: Any = self._client.zrange(self._key, 0, -1)
        return sum(name != self._worker.encode() for name in names)

    def is_gone(self) -> bool:
        """Whether the crawl was removed; what came back of it, with connections made since, is removed as well."""
        with explained_redis_errors():
            if self._client.hexists(self._crawl, "layout"):
                return False
            self._client.delete(self._crawl, self._key)
        return True

    def _now(self) -> float:
        answer: Any = self._client.time()
        return float(answer[0] + answer[1] / 1e6)
