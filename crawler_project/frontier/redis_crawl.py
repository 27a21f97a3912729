"""One crawl in one Redis: its keys, its scripts, and whether it is the one that is meant."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import redis

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.frontier.redis_scripts import LuaScripts, explained_redis_errors
from crawler_project.frontier.redis_server import fresh_client

_READINGS = 9
"""Of the server's clock."""
LAYOUT = 3
"""Version of the keys; a crawl of another one is refused, never guessed at."""


def prefix_of(crawl: str, shard: int) -> str:
    """What all keys of a part of a crawl begin with; the braces put them in one slot of a Redis Cluster."""
    return f"{{lang_focused:{crawl}:{shard}}}:"


class Totals(NamedTuple):
    """Numbers of a part of a crawl."""

    queued: int
    seen: int
    dead: int
    pages: int
    target_pages: int
    is_paused: bool
    leased: int = 0


@dataclass(frozen=True, slots=True)
class RedisCrawl:
    """A part of a crawl (a shard), opened."""

    client: redis.Redis
    """Gives bytes."""
    name: str
    prefix: str
    scripts: LuaScripts

    @classmethod
    def open(cls, client: redis.Redis, name: str, shard: int, identity: Mapping[str, str]) -> RedisCrawl:
        """Make a crawl, or join it if it is there.

        Raises:
            StateError: it has another layout or another identity; says what differs.
        """
        prefix = prefix_of(name, shard)
        raw = fresh_client(client, prefix + "m")
        crawl = cls(raw, name, prefix, LuaScripts(raw, prefix))
        layout, stored = crawl.scripts.call("open", (LAYOUT, json.dumps(dict(identity), sort_keys=True)))
        check_layout(name, layout)
        crawl._check_identity(stored, identity)
        return crawl

    @classmethod
    def find(cls, client: redis.Redis, name: str, shard: int = 0) -> RedisCrawl:
        """Take a crawl as it is there, whatever it is about.

        Raises:
            StateError: there is none of this name, or it has another layout.
        """
        prefix = prefix_of(name, shard)
        with explained_redis_errors():
            layout = client.hget(prefix + "m", "layout")
        if layout is None:
            raise StateError(f"there is no crawl {name!r} in this Redis")
        check_layout(name, cast("bytes", layout))
        return cls(client, name, prefix, LuaScripts(client, prefix))

    def identity(self) -> dict[str, Any]:
        """What the crawl is about: target, strategy, …"""
        with explained_redis_errors():
            stored: Any = self.client.hget(self.key("m"), "identity")
        return stored_identity(self.name, stored)

    def key(self, kind: str) -> str:
        """The key of this name."""
        return self.prefix + kind

    def totals(self) -> Totals:
        """The numbers of the moment, in one round trip.

        Raises:
            StateError: they are damaged.
        """
        with explained_redis_errors():
            pipeline = self.client.pipeline(transaction=True)
            pipeline.hget(self.key("m"), "numbers")
            pipeline.hlen(self.key("l"))
            pipeline.zcard(self.key("ready"))
            pipeline.zcard(self.key("rest"))
            numbers, leased, ready, resting = pipeline.execute()
        totals = read_totals(self.name, numbers)._replace(leased=leased)
        if totals.queued > 0 and not (leased or ready or resting):  # they would be waited for, for ever
            raise StateError(f"crawl {self.name!r} in Redis is damaged: no host has the {totals.queued} queued URLs")
        return totals

    def clock_offset(self) -> float:
        """Seconds that the server's clock is ahead of this machine's.

        Of several answers the fastest counts (Cristian 1989, "Probabilistic clock synchronization"): it is wrong by half its
        round trip at most. On a busy machine a single one was wrong by milliseconds, and so was the delay between workers.
        """
        return min(self._clock_reading() for _ in range(_READINGS))[1]

    def _clock_reading(self) -> tuple[float, float]:
        """The round trip in seconds, and how far the server was ahead in the middle of it."""
        with explained_redis_errors():
            before = time.time()
            seconds, microseconds = self.client.time()
            after = time.time()
        return after - before, float(seconds + microseconds / 1e6 - (before + after) / 2)

    def _check_identity(self, stored: bytes | None, identity: Mapping[str, str]) -> None:
        theirs = stored_identity(self.name, stored)
        differences = [
            f"{key} is {theirs.get(key, 'not set')!r} there and {identity.get(key, 'not set')!r} here"
            for key in sorted({*theirs, *identity})
            if theirs.get(key) != identity.get(key)
        ]
        if differences:
            raise StateError(
                f"crawl {self.name!r} in Redis is another one: {'; '.join(differences)}. "
                "Use another name, or delete that crawl"
            )


def read_totals(name: str, numbers: bytes | None) -> Totals:
    """Read the counters as base.lua writes them.

    Raises:
        StateError: they are damaged.
    """
    try:
        values = struct.unpack(">13d", numbers or b"")
        queued, seen, dead, pages, targets = (int(values[place]) for place in (2, 1, 3, 10, 11))
    except (struct.error, ValueError, OverflowError) as error:
        raise StateError(f"crawl {name!r} in Redis is damaged: its counters cannot be read ({error})") from error
    return Totals(queued, seen, dead, pages, targets, values[12] != 0)


def check_layout(name: str, layout: bytes | None) -> None:
    """Refuse a crawl of another layout.

    Raises:
        StateError: it is one.
    """
    if layout != b"%d" % LAYOUT:
        if layout is None or not layout.isdigit():
            raise StateError(f"crawl {name!r} in Redis is damaged: its layout is {layout!r:.80}")
        raise StateError(
            f"crawl {name!r} in Redis has layout {as_text(layout)}, this version reads layout {LAYOUT}; "
            "use another name, or delete that crawl"
        )


def stored_identity(name: str, stored: bytes | None) -> dict[str, Any]:
    """Read an identity.

    Raises:
        StateError: it cannot be read.
    """
    try:
        identity: Any = json.loads(stored or b"")
    except ValueError:
        identity = None
    if not isinstance(identity, dict):
        raise StateError(f"crawl {name!r} in Redis is damaged: its identity cannot be read")
    return identity


def check_names(crawl: str, worker: str) -> None:
    """Refuse names that cannot be parts of keys.

    Raises:
        ConfigurationError: a name is empty or has characters that are not allowed.
    """
    if not crawl or any(character in "{}" or character.isspace() for character in crawl):
        raise ConfigurationError(f"crawl name {crawl!r}: use letters, digits, '-' and '_', without braces or spaces")
    if not worker or any(character.isspace() for character in worker):
        raise ConfigurationError(f"worker name {worker!r}: use letters, digits, '-' and '_', without spaces")


def as_text(value: bytes) -> str:
    """Read text that should be UTF-8."""
    return value.decode("utf-8", "replace")


def as_whole(value: bytes | None, key: str) -> int:
    """Read a whole number.

    Raises:
        StateError: it is none; names ``key``.
    """
    try:
        return int(value or b"")
    except ValueError as error:
        raise StateError(f"the frontier in Redis is damaged: {key} holds {value!r} where a number belongs") from error


def as_float(value: bytes, key: str) -> float:
    """Read a number.

    Raises:
        StateError: it is none; names ``key``.
    """
    try:
        return float(value)
    except ValueError as error:
        raise StateError(f"the frontier in Redis is damaged: {key} holds {value!r} where a number belongs") from error
