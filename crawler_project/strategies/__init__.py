"""One file a strategy, and the one table from name to class."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from crawler_project.core.errors import ConfigurationError
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.anchor_text import AnchorText
from crawler_project.strategies.base import Strategy, distance_of_links
from crawler_project.strategies.best_first import BestFirst
from crawler_project.strategies.breadth_first import BreadthFirst
from crawler_project.strategies.cbp import Cbp
from crawler_project.strategies.cbp_slc import CbpSlc
from crawler_project.strategies.control import Control
from crawler_project.strategies.directory_filter import DirectoryFilter
from crawler_project.strategies.experimental import Experimental
from crawler_project.strategies.hard_focused import HardFocused
from crawler_project.strategies.link_context import LinkContext
from crawler_project.strategies.lswc import Lswc
from crawler_project.strategies.parameters import parameter_types, parse_parameters
from crawler_project.strategies.perfect import Perfect
from crawler_project.strategies.server_filter import ServerFilter
from crawler_project.strategies.slc import Slc
from crawler_project.strategies.soft_focused import SoftFocused
from crawler_project.strategies.topic_learned import TopicLearned

STRATEGIES: Mapping[str, type[Strategy]] = {
    cls.name: cls
    for cls in (
        Control,
        Experimental,
        HardFocused,
        SoftFocused,
        ServerFilter,
        DirectoryFilter,
        Lswc,
        Adaptive,
        Perfect,
        BreadthFirst,
        BestFirst,
        AnchorText,
        LinkContext,
        Cbp,
        Slc,
        CbpSlc,
        TopicLearned,
    )
}

__all__ = ["STRATEGIES", "Strategy", "distance_of_links", "make_strategy"]


def make_strategy(name: str, **parameters: object) -> Strategy:
    """Make the strategy called ``name``, or the class at an import path (``package.module.Class``).

    Values may be text as the command line gives them: ``make_strategy("lswc", S="1", inherit="false")``.

    Raises:
        ConfigurationError: an unknown name or parameter (lists what is allowed), or a value out of range.
    """
    cls = _strategy_class(name)
    return cls(**parse_parameters(name, parameter_types(cls), parameters))


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
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"strategy={name!r} cannot be imported: {error}") from error
    if not (isinstance(cls, type) and issubclass(cls, Strategy)):
        raise ConfigurationError(f"strategy={name!r} is not a subclass of crawler_project.strategies.Strategy")
    return cls
