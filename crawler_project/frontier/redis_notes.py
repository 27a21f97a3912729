"""Small texts of a crawl in one hash of Redis: a site's verification, learned weights."""

from __future__ import annotations

import re
from typing import Any

import redis

from crawler_project.frontier.redis_scripts import explained_redis_errors

_GLOB = re.compile(rb"([\\*?\[\]^-])")
_AT_ONCE = 500


class RedisNotes:
    """Notes by name, shared by all workers; those of an outcome are written by its commit."""

    def __init__(self, client: redis.Redis, prefix: str) -> None:
        self._client = client
        self._key = prefix + "n"

    def get(self, name: str) -> str | None:
        """The text of a note; ``None`` when there is none of this name."""
        with explained_redis_errors():
            text: Any = self._client.hget(self._key, encode_note(name))
        return None if text is None else _text(text)

    def beginning_with(self, prefix: str) -> dict[str, str]:
        """All notes whose name begins with ``prefix``; any number of them, some 500 a round trip."""
        pattern = _GLOB.sub(rb"\\\1", encode_note(prefix)) + b"*"
        with explained_redis_errors():
            found = self._client.hscan_iter(self._key, match=pattern, count=_AT_ONCE)
            return dict(sorted((_text(name), _text(text)) for name, text in found))

    def set(self, name: str, text: str) -> None:
        """Keep a text, in place of what was there; lone surrogates become ``?``."""
        with explained_redis_errors():
            self._client.hset(self._key, encode_note(name), encode_note(text))


def encode_note(text: str) -> bytes:
    """Write a name or a text of a note."""
    return text.encode("utf-8", "replace")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
