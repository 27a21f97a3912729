"""The parameters of a strategy, read from its annotations: one place for all checks and messages."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from crawler_project.core.errors import ConfigurationError

_TRUE = {"true", "1", "yes", "on"}
_FALSE = {"false", "0", "no", "off"}


class Between(NamedTuple):
    """The numbers that a parameter may take, both ends included: ``Annotated[int, Between(1)]``."""

    low: float
    high: float | None = None

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        return f"{self.low} or more" if self.high is None else f"between {self.low} and {self.high}"


def parameter_types(cls: type) -> dict[str, Any]:
    """Give the annotation of each keyword argument of ``cls``, in the order of its signature."""
    source = cls if dataclasses.is_dataclass(cls) else cls.__init__  # type: ignore[misc]
    hints = get_type_hints(source, include_extras=True)
    return {name: hints.get(name, str) for name in inspect.signature(cls).parameters}


def parse_parameters(strategy: str, types: Mapping[str, Any], given: Mapping[str, object]) -> dict[str, object]:
    """Turn the text of a command line (``S=3``, ``inherit=false``) into typed, checked values.

    Values that have their type already pass through the same checks.

    Raises:
        ConfigurationError: an unknown name, a value of another type, or one out of range; lists
            what is allowed.
    """
    unknown = sorted(set(given) - set(types))
    if unknown:
        raise ConfigurationError(
            f"strategy {strategy!r} has no parameter {', '.join(map(repr, unknown))}; "
            f"allowed: {', '.join(types) or 'none'}"
        )
    return {name: parse_value(strategy, name, types[name], value) for name, value in given.items()}


def parse_value(strategy: str, name: str, annotation: object, value: object) -> object:
    """Read one value as its annotation asks: ``int``, ``float``, ``bool``, ``str`` or ``Literal``,
    numbers perhaps :class:`Between` two ends.

    Raises:
        ConfigurationError: anything else, with what is allowed.
    """
    base, limits = _split(annotation)
    parsed = _convert(base, value)
    if parsed is None or (limits is not None and parsed not in limits):
        raise ConfigurationError(
            f"{name}={value!s} does not fit strategy {strategy!r}; allowed: {describe(annotation)}"
        )
    return parsed


def describe(annotation: object) -> str:
    """Say in words what a parameter of this annotation may be: ``a whole number, 1 or more``."""
    base, limits = _split(annotation)
    if get_origin(base) is Literal:
        return ", ".join(map(str, get_args(base)))
    kinds = {bool: "true or false", int: "a whole number", float: "a number"}
    kind = kinds.get(base, "text") if isinstance(base, type) else "text"
    return kind if limits is None else f"{kind}, {limits}"


def _split(annotation: object) -> tuple[object, Between | None]:
    if get_origin(annotation) is Annotated:
        base, *extras = get_args(annotation)
        return base, next((extra for extra in extras if isinstance(extra, Between)), None)
    return annotation, None


def _convert(base: object, value: object) -> object | None:
    """The typed value, or ``None`` when ``value`` cannot be read as ``base``."""
    if get_origin(base) is Literal:
        return value if value in get_args(base) else None
    if base is bool:
        return value if isinstance(value, bool) else _boolean(value)
    if base in (int, float):
        return _number(base is int, value)
    return value


def _boolean(value: object) -> bool | None:
    word = str(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def _number(whole: bool, value: object) -> int | float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(str(value).strip())
        return int(str(value).strip()) if whole else number
    except ValueError:
        return None
