"""A simulation on disk, to go on later: plain arrays, nothing that could run."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.simulator import Simulator


def save_simulation(simulator: Simulator, gap: int, path: Path) -> None:
    """Write the state between two downloads into ``path``; an older file there is replaced as a whole.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    described = np.array(json.dumps(_describe(simulator, gap)))
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez(file, allow_pickle=False, described=described, **simulator.arrays())
        part.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error}") from error


def resume_simulation(simulator: Simulator, gap: int, path: Path) -> None:
    """Bring a new simulator to the state in ``path``.

    Raises:
        ConfigurationError: the file cannot be read, or is of another web, strategy or gap.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        described = json.loads(str(arrays.pop("described")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigurationError(f"{path} is no saved simulation: {' '.join(str(error).split())}") from error
    wanted = _describe(simulator, gap)
    different = [
        f"{key} {described.get(key)} there, {wanted[key]} here" for key in wanted if described.get(key) != wanted[key]
    ]
    if different:
        raise ConfigurationError(f"{path} is of another simulation: {'; '.join(different)}")
    try:
        simulator.restore(arrays)
    except (ValueError, KeyError) as error:
        raise ConfigurationError(f"{path} is damaged: {error}") from error


def _describe(simulator: Simulator, gap: int) -> dict[str, object]:
    web = simulator.web
    return {
        "strategy": type(simulator.strategy).__qualname__,
        "parameters": simulator.strategy.parameters(),
        "gap": gap,
        "pages": web.n_pages,
        "links": web.n_links,
        "targets": int(web.is_target.sum()),
        "checksum": int(web.targets.sum(dtype=np.int64)),
    }
