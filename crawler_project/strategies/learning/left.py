"""The best links that a crawl left, with what they are worth: a small file for its report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Entry
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import describe_class

FORMAT = "crawler-left/1"
LARGEST = 1 << 20
"""Bytes of a file that is read at all."""
SHOWN = 3
"""Parts of what a link is worth that are named."""


class LeftBehind(NamedTuple):
    """A link that was still queued."""

    url: str
    referrer: str
    """The page with the best link to it; empty for a seed."""
    chance: float
    """0 to 1, that its page is on target, as of the end of the crawl."""
    leads_on: float
    """Target pages a download that the page leads to, should it be off target."""
    why: str
    """The classes that decided most, with their log-odds."""
    priority: float | None = None
    """By which it was next in line, with what the verdict on its host adds; lower is sooner. ``None``: a file of an earlier version."""


def weigh_left(entries: Iterable[Entry], strategy: Adaptive) -> list[LeftBehind]:
    """Weigh queued links as things stand, those first that come first; those of other strategies, and seeds, are left out.

    Args:
        entries: with what the verdict on their host adds in their priority.
    """
    found = []
    for entry in entries:
        weighing = strategy.weigh(entry.url, entry.host, entry.evidence)
        if weighing is not None:
            why = "; ".join(f"{describe_class(row)} {value:+.1f}" for row, value in weighing.parts[:SHOWN])
            found.append(LeftBehind(entry.url, entry.referrer, weighing.chance, weighing.leads_on, why, entry.priority))
    return sorted(found, key=_place)


def _place(link: LeftBehind) -> float:
    return inf if link.priority is None else link.priority


def write_left(path: Path, links: Iterable[LeftBehind]) -> None:
    """Write links as JSON; an older file there is replaced as a whole.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps({"format": FORMAT, "links": [link._asdict() for link in links]}, indent=1), "utf-8")
        part.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror or error}") from error


def read_left(path: Path) -> list[LeftBehind]:
    """Read what :func:`write_left` wrote.

    Raises:
        ConfigurationError: no such file, a damaged one, or one of another version.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigurationError(f"{path} holds no links that were left: it is too large")
        stored = json.loads(path.read_text("utf-8"))
        if stored["format"] != FORMAT:
            raise ConfigurationError(f"{path} has format {stored['format']!r:.60}; this version reads {FORMAT!r}")
        return [_checked(link) for link in stored["links"]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigurationError(f"{path} holds no links that were left, or is damaged") from error


def _checked(link: Any) -> LeftBehind:
    texts = [link["url"], link["referrer"], link["why"]]
    numbers, priority = [link["chance"], link["leads_on"]], link.get("priority")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text is none")
    if not all(isinstance(value, int | float) and 0 <= value < 1e9 for value in numbers):
        raise ValueError("a number is none")
    if priority is not None and not (isinstance(priority, int | float) and abs(priority) < 1e9):
        raise ValueError("the priority is none")
    return LeftBehind(texts[0], texts[1], numbers[0], numbers[1], texts[2], priority)
