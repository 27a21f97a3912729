"""Settings that cannot be meant: told at start, instead of going wrong later."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import isfinite

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import TLDS_BY_LANGUAGE
from crawler_project.crawling.download_handler import parse_virtual_web
from crawler_project.crawling.shared_servers import limit_of

_SECONDS = (
    "CHECKPOINT_INTERVAL",
    "DOWNLOAD_DELAY",
    "FRONTIER_DELAY",
    "FRONTIER_LEASE",
    "FRONTIER_MAX_DELAY",
    "FRONTIER_RETRY_DELAY",
    "METASEARCH_DELAY",
    "PROGRESS_INTERVAL",
)
_TIMEOUTS = ("DOWNLOAD_TIMEOUT", "METASEARCH_TIMEOUT")
_FROM_ONE = ("CONCURRENT_REQUESTS", "FRONTIER_MAX_ATTEMPTS", "FRONTIER_MAX_PAGES_PER_HOST")
_FROM_NOTHING = ("DOWNLOAD_MAXSIZE", "REDIRECT_MAX_TIMES")
_SWITCHES = (
    "CSV_DEFUSE_FORMULAS",
    "FOCUS_FOLLOW_REL_NOFOLLOW",
    "FOCUS_OBEY_ROBOTS_META",
    "FOCUS_USE_HREFLANG",
    "FRONTIER_STAY_IDLE",
    "ROBOTSTXT_OBEY",
)


def check_settings(settings: BaseSettings) -> None:
    """Raise :class:`ConfigurationError` for the first setting that cannot be meant."""
    for name in _SECONDS:
        _check(settings, name, settings.getfloat, 0, "a number of seconds, 0 or more")
    for name in _TIMEOUTS:
        _check(settings, name, settings.getfloat, 1e-3, "a number of seconds, more than 0")
    for name in _FROM_ONE:
        _check(settings, name, settings.getint, 1, "a whole number, 1 or more")
    for name in _FROM_NOTHING:
        _check(settings, name, settings.getint, 0, "a whole number, 0 or more")
    for name in _SWITCHES:
        _check(settings, name, settings.getbool, 0, "1 or 0 (true or false)")
    limit_of(settings)
    try:
        parse_virtual_web(settings.get("VIRTUAL_WEB") or "")
    except ValueError as error:
        raise ConfigurationError(str(error)) from error


def tlds_by_language(settings: BaseSettings, known: Collection[str]) -> Mapping[str, Iterable[str]]:
    """Give the top-level domains of each language: those of ``FOCUS_TLDS`` in place of ours.

    Raises:
        ConfigurationError: it is no JSON object of lists, or names what is no language or no top-level domain.
    """
    given = settings.get("FOCUS_TLDS")
    try:
        own = settings.getdict("FOCUS_TLDS")
    except (TypeError, ValueError):
        own = {"": []}
    for code, tlds in own.items():
        if code not in known:
            what = f"names {code!r}, which is no language code" if code else "is no JSON object"
        elif not isinstance(tlds, list | tuple) or not all(map(_is_tld, tlds)):
            what = f"gives {code!r} what is no list of top-level domains"
        else:
            continue
        raise ConfigurationError(f'FOCUS_TLDS={given!r:.200} {what}; write it as {{"ko": ["kr", "한국"]}}')
    return {**TLDS_BY_LANGUAGE, **own}


def _is_tld(text: object) -> bool:
    return (
        isinstance(text, str)
        and bool(name := text.removeprefix("."))
        and not any(sign == "." or sign.isspace() for sign in name)
    )


def _check(settings: BaseSettings, name: str, read: Callable[[str], float], least: float, meant: str) -> None:
    try:
        is_right = least <= read(name) and isfinite(read(name))
    except (TypeError, ValueError, OverflowError):
        is_right = False
    if not is_right:
        raise ConfigurationError(f"{name}={settings.get(name)!r} must be {meant}")
