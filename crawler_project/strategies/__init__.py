"""One file a strategy, and the one table from name to class."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping

from crawler_project.core.errors import ConfigurationError
from crawler_project.strategies.base import Strategy
from crawler_project.strategies.control import Control
from crawler_project.strategies.experimental import Experimental

STRATEGIES: Mapping[str, type[Strategy]] = {cls.name: cls for cls in (Control, Experimental)}

__all__ = ["STRATEGIES", "Strategy", "make_strategy"]


def make_strategy(name: str, **parameters: object) -> Strategy:
    """Make the strategy called ``name``, or the class at an import path (``package.module.Class``).

    Raises:
        ConfigurationError: an unknown name or parameter (lists what is allowed), or a value out of range.
    """
    cls = _strategy_class(name)
    allowed = [p for p in inspect.signature(cls).parameters if p != "self"]
    unknown = sorted(set(parameters) - set(allowed))
    if unknown:
        raise ConfigurationError(
            f"strategy {name!r} has no parameter {', '.join(map(repr, unknown))}; allowed: {', '.join(allowed) or 'none'}"
        )
    return cls(**parameters)


def _strategy_class(name: str) -> type[Strategy]:
    if name in STRATEGIES:
        return STRATEGIES[name]
    module, _, attribute = name.rpartition(".")
    if not module:
        raise ConfigurationError(
            f"strategy={name!r} is unknown; choose one of {', '.join(STRATEGIES)}, or give an import path (package.module.Class)"
        )
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"strategy={name!r} cannot be imported: {error}") from error
    if not (isinstance(cls, type) and issubclass(cls, Strategy)):
        raise ConfigurationError(f"strategy={name!r} is not a subclass of crawler_project.strategies.Strategy")
    return cls
