"""The Lua scripts of the frontier: loaded, called by their hash, and their errors in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any

import redis
from redis.exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    ConnectionError,  # noqa: A004 - Redis' own names
    NoScriptError,
    RedisError,
    ResponseError,
    TimeoutError,  # noqa: A004
)

from crawler_project.core.errors import ConfigurationError, FrontierAwayError, StateError
from crawler_project.frontier.redis_entries import Argument

_PARTS: Mapping[str, tuple[str, ...]] = {
    "open": (),
    "add": ("base", "hosts", "discovery"),
    "lease": ("base", "hosts", "leases", "leasing"),
    "exchange": ("base", "hosts", "leases", "leasing", "discovery", "demotion"),
    "commit": ("base", "hosts", "leases", "discovery", "lessons"),
    "release": ("base", "hosts", "leases", "discovery", "demotion"),
    "renew": ("base",),
    "reclaim": ("base", "hosts", "leases"),
    "dropped": ("base", "hosts"),
    "sweep": ("base", "hosts", "discovery"),
    "dead": ("base",),
    "requeue": ("base", "hosts"),
    "status": ("base", "hosts"),
    "best": ("base", "hosts", "leases"),
    "next_better": ("base", "hosts"),
    "judge": ("base", "hosts"),
    "peek": ("base", "hosts"),
    "find": ("base", "hosts", "discovery"),
    "discard": ("base", "hosts"),
    "pause": ("base",),
    "take_server": (),
    "give_server_back": (),
}
"""What each script needs in front of itself: Redis has no modules."""
SCRIPTS = tuple(_PARTS)
_PASSING = ("OOM", "LOADING", "MISCONF", "READONLY", "BUSY", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN", "MASTERDOWN")
_TO_DO = {
    "OOM": "Redis is full: raise its maxmemory; nothing was changed",
    "MISCONF": "Redis cannot save to its disk: make room there, see its log",
    "READONLY": "this is a replica: name the primary in REDIS_URL",
}


class RedisAwayError(FrontierAwayError):
    """Redis does not answer or takes no writes at present; what was asked for may be asked again later."""


class LuaScripts:
    """The operations on one crawl. Each call is one round trip, and one more when the server forgot the script."""

    def __init__(self, client: redis.Redis, prefix: str) -> None:
        self._client = client
        self._execute: Callable[..., Any] = client.execute_command
        self._key = prefix + "m"

    def call(self, name: str, arguments: Sequence[Argument]) -> Any:
        """Run one script.

        Raises:
            RedisAwayError: no answer (the client has tried again by itself), or no writes at present.
            StateError: the stored state is not what the scripts expect.
        """
        source, digest = script_source(name)
        with explained_redis_errors():
            try:
                return self._execute("EVALSHA", digest, 1, self._key, *arguments)
            except NoScriptError:
                return self._execute("EVAL", source, 1, self._key, *arguments)

    def call_all(self, name: str, calls: Sequence[Sequence[Argument]]) -> list[Any]:
        """Run one script several times in one round trip; others may come in between. Errors as :meth:`call`."""
        _, digest = script_source(name)
        with explained_redis_errors():
            pipeline = self._client.pipeline(transaction=False)
            for arguments in calls:
                pipeline.execute_command("EVALSHA", digest, 1, self._key, *arguments)  # type: ignore[no-untyped-call]
            answers = pipeline.execute(raise_on_error=False)
            for number, answer in enumerate(answers):
                if isinstance(answer, NoScriptError):
                    answers[number] = self.call(name, calls[number])
                elif isinstance(answer, Exception):
                    raise answer
        return answers


@cache
def script_source(name: str) -> tuple[str, str]:
    """The text of a script and its SHA-1, by which Redis knows it."""
    folder = files("crawler_project.frontier") / "lua"
    source = "\n".join((folder / f"{part}.lua").read_text("utf-8") for part in (*_PARTS[name], name))
    return source, sha1(source.encode(), usedforsecurity=False).hexdigest()


@contextmanager
def explained_redis_errors() -> Iterator[None]:
    """Turn errors of the client into this project's, with what to do."""
    try:
        yield
    except (AuthenticationError, AuthorizationError) as error:
        raise ConfigurationError(f"Redis refuses the user or password ({error}); check REDIS_URL") from error
    except (ConnectionError, TimeoutError) as error:
        raise RedisAwayError(f"Redis does not answer ({error})") from error
    except ResponseError as error:
        raise _explained(error) from error
    except RedisError as error:
        raise StateError(f"Redis cannot be used: {error}") from error


def _explained(error: ResponseError) -> StateError:
    text = str(error)
    if text.startswith(("NOAUTH", "WRONGPASS", "NOPERM")):
        raise ConfigurationError(f"Redis refuses the user or password ({text}); check REDIS_URL") from error
    if isinstance(error, AskError):  # MOVED, ASK
        return RedisAwayError(f"this part of the crawl is on another node of the cluster by now ({text})")
    kind = next((kind for kind in _PASSING if kind in text.partition(":")[0] or f"-{kind} " in text), None)
    if kind is None and "'maxmemory'" in text:
        kind = "OOM"
    if kind is not None:
        return RedisAwayError(_TO_DO.get(kind, "Redis takes no writes at present") + f" ({text})")
    return StateError(f"the frontier in Redis is damaged, or not one of this version: {text}")
