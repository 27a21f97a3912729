"""robots.txt (RFC 9309): from an answer to rules, and from rules to a yes or no."""

from __future__ import annotations

from functools import lru_cache

from protego import Protego

from crawler_project.core.values import HostRules

MAX_SIZE = 512 * 1024
"""Bytes that are read; RFC 9309 2.5 asks for at least 500 KiB."""
LIFETIME = 24 * 3600.0
"""Seconds; RFC 9309 2.4 advises against a longer one."""
DISALLOW_ALL = "User-agent: *\nDisallow: /\n"


def robots_url(url: str) -> str:
    """The address of the robots.txt that speaks for ``url``."""
    return "/".join(url.split("/", 3)[:3]) + "/robots.txt"


def rules_from_answer(status: int, body: bytes, user_agent: str, now: float, least_delay: float = 0.0) -> HostRules:
    """Turn an answer into rules that hold for :data:`LIFETIME`.

    A Crawl-delay below ``least_delay`` (seconds, the crawl's own) is no reason to go faster.

    4xx means no restrictions (RFC 9309 2.3.1.3), any other status but 2xx a complete disallow
    (2.3.1.4). Bytes that are not UTF-8 are replaced.
    """
    if 200 <= status < 300:
        text = body[:MAX_SIZE].decode("utf-8", "replace")
    else:
        text = "" if 400 <= status < 500 else DISALLOW_ALL
    delay = _parsed(text).crawl_delay(user_agent)
    return HostRules(text, now + LIFETIME, None if delay is None else max(delay, least_delay))


def unreachable(reason: str, now: float) -> HostRules:
    """Rules of a host whose robots.txt could not be had: nothing is allowed for a while."""
    return HostRules(f"# {reason}\n{DISALLOW_ALL}", now + LIFETIME)


def is_allowed(rules: HostRules, url: str, user_agent: str) -> bool:
    return not rules.robots or bool(_parsed(rules.robots).can_fetch(url, user_agent))


def refusal_reason(rules: HostRules) -> str:
    """``robots.txt``, or why it could not be had."""
    first = rules.robots.partition("\n")[0]
    return (
        first.removeprefix("# ")
        if rules.robots == f"{first}\n{DISALLOW_ALL}" and first.startswith("# ")
        else "robots.txt"
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Protego:
    return Protego.parse(text)
