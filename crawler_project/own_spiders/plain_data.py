"""Plain Python values as JSON text, and back: what a request may carry from one worker to another.

JSON has no bytes, tuples, sets, nor keys that are no text; they are written as an object with the one key ``$``.
Nothing that is read can name a class or a function, so that no text, whoever wrote it, has code run.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_TAG = "$"
_MOST_LEVELS = 64
"""Nested values; deeper ones are no data that somebody wrote."""


def dump_plain(value: object) -> str:
    """Write ``None``, booleans, numbers, text, bytes, and lists, tuples, sets and dictionaries of them.

    Of subclasses of these (but of tuples and sets) the plain value is kept.

    Raises:
        ValueError: something else is in it, or it is nested without end; says what and where.
    """
    return json.dumps(_written(value, "", 0), ensure_ascii=False, separators=(",", ":"))


def load_plain(text: str) -> Any:
    """Read what :func:`dump_plain` wrote.

    Raises:
        ValueError: it is something else.
    """
    try:
        return _read(json.loads(text))
    except (RecursionError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no plain data: {error}") from error


def _written(value: object, where: str, level: int) -> object:
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    for plain in (str, int, float):  # a parser's texts are of classes of their own
        if isinstance(value, plain):
            return plain(value)
    if level > _MOST_LEVELS:
        raise ValueError(f"{where or 'it'} is nested too deeply")
    if isinstance(value, bytes):
        return {_TAG: "bytes", "of": value.decode("latin-1")}
    if isinstance(value, list):
        return _members(value, where, level)
    if isinstance(value, (tuple, set, frozenset)) and kind in _SEQUENCES.values():
        return {_TAG: kind.__name__, "of": _members(list(value), where, level)}
    if isinstance(value, dict):
        return _mapping(value, where, level)
    raise ValueError(f"{where or 'it'} is a {kind.__module__}.{kind.__qualname__}")


def _members(values: list[Any], where: str, level: int) -> list[object]:
    return [_written(member, f"{where}[{place}]", level + 1) for place, member in enumerate(values)]


def _mapping(value: dict[Any, Any], where: str, level: int) -> object:
    """Subclasses of dict (Scrapy's headers, a defaultdict) become plain ones."""
    if all(type(key) is str for key in value) and _TAG not in value:
        return {key: _written(member, f"{where}.{key}" if where else key, level + 1) for key, member in value.items()}
    pairs = [
        [_written(key, f"a key of {where}", level + 1), _written(member, f"{where}[{key!r}]", level + 1)]
        for key, member in value.items()
    ]
    return {_TAG: "dict", "of": pairs}


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(member) for member in value]
    if not isinstance(value, dict):
        return value
    if _TAG not in value:
        return {key: _read(member) for key, member in value.items()}
    kind, of = value[_TAG], value["of"]
    if kind == "bytes":
        return of.encode("latin-1")
    if kind == "dict":
        return {_read(key): _read(member) for key, member in of}
    return _SEQUENCES[kind](_read(member) for member in of)


_SEQUENCES: dict[str, Callable[..., object]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
