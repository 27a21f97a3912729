"""Look a page up in a saved simulation: how it was found, and what it is worth if it was left."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.simulator.saved_simulation import resume_simulation
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.strategies import STRATEGIES, make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.weighing import Weighing


class Stop(NamedTuple):
    """A page on the way."""

    url: str
    language: str
    is_target: bool


class Standing(NamedTuple):
    """Where one page of a web is."""

    state: str
    """``downloaded``, ``queued``, ``unknown`` (no link to it was kept) or ``nowhere`` (the web has no such page)."""
    chain: tuple[Stop, ...] = ()
    """From the seed to the page; empty when it was not found."""
    priority: float = 0.0
    """Of a queued page: its own, by its latest scoring."""
    offset: float = 0.0
    """Added by the verdict on its host."""
    weighing: Weighing | None = None
    """Of a queued page: what it is worth now; ``None`` for strategies that do not learn."""


def open_simulation(web: Web, path: Path) -> Simulator:
    """Bring back a simulation that was saved, with the strategy that it had.

    Raises:
        ConfigurationError: the file cannot be read, is of another web, or of a strategy that is not this project's.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            described = json.loads(str(stored["described"]))
        kind, parameters, gap = described["strategy"], dict(described["parameters"]), int(described["gap"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigurationError(f"{path} is no saved simulation: {' '.join(str(error).split())}") from error
    name = next((name for name, cls in STRATEGIES.items() if cls.__qualname__ == kind), None)
    if name is None:
        raise ConfigurationError(f"{path} is of strategy {str(kind)[:60]!r}, which is none of {', '.join(STRATEGIES)}")
    simulator = Simulator(web, make_strategy(name, **parameters), gap)
    resume_simulation(simulator, gap, path)
    return simulator


def find_standing(simulator: Simulator, asked: str) -> Standing:
    """Find an address, with or without a scheme."""
    web = simulator.web
    page = next((page for url in _forms(asked) if (page := pc.index(web.urls, url).as_py()) >= 0), -1)
    if page < 0:
        return Standing("nowhere")
    place = simulator.place(page)
    if place.state == "unknown":
        return Standing("unknown")
    chain = tuple(Stop(web.url(at), web.lang_names[web.langs[at]], bool(web.is_target[at])) for at in place.chain)
    strategy = simulator.strategy
    weighing = None
    if place.state == "queued" and isinstance(strategy, Adaptive):
        weighing = strategy.weigh(web.url(page), web.host(page), place.evidence)
    return Standing(place.state, chain, place.priority, place.offset, weighing)


def _forms(asked: str) -> Iterator[str]:
    """As typed, and as a canonical address."""
    yield asked.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate stands in no web
    for form in [asked] if "://" in asked else [f"https://{asked}", f"http://{asked}"]:
        parts = canonical_url(form.strip())
        if parts is not None:
            yield parts.url
