"""A simulation on disk, to go on later: plain arrays, nothing that could run."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.host_queue import DOWNLOADED
from crawler_project.simulator.simulator import Simulator

_BY_PAGE = ("state", "priorities", "effective", "distances", "parents")


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
    finally:
        part.unlink(missing_ok=True)


def resume_simulation(simulator: Simulator, gap: int, path: Path) -> None:
    """Bring a new simulator to the state in ``path``.

    Raises:
        ConfigurationError: the file cannot be read, or is of another web, strategy or gap.
    """
    described, arrays = _read(path)
    wanted = _describe(simulator, gap)
    different = [
        f"{key} {described.get(key)} there, {wanted[key]} here" for key in wanted if described.get(key) != wanted[key]
    ]
    if different:
        raise ConfigurationError(f"{path} is of another simulation: {'; '.join(different)}")
    try:
        _check(arrays, simulator.arrays())
        simulator.restore(arrays)
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise ConfigurationError(f"{path} is damaged: {error}") from error


def _read(path: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Read what the simulation is of, and its arrays.

    Raises:
        ConfigurationError: the file cannot be read, or something else wrote it.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return dict(json.loads(str(arrays.pop("described")))), arrays
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, LookupError, TypeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ConfigurationError(
            f"{path} is no saved simulation, or a damaged one; name a file that --state has written, or a new one"
        ) from error


def _check(arrays: Mapping[str, npt.NDArray[Any]], begun: Mapping[str, npt.NDArray[Any]]) -> None:
    """Each array is of the kind that a simulation which has just begun has, and as long where it has one entry a page.

    Raises:
        KeyError, ValueError: one is missing, or damaged.
    """
    for name, own in begun.items():
        array = arrays[name]
        if array.dtype != own.dtype or array.ndim != own.ndim or (name in _BY_PAGE and len(array) != len(own)):
            raise ValueError(f"{name} is of another kind")
    page_of, n_pages = arrays["page_of"], len(begun["state"])
    if arrays["state"].max(initial=0) > DOWNLOADED or np.isnan(arrays["priorities"]).any():
        raise ValueError("state or priorities hold what is none")
    if len(page_of) and not 0 <= page_of.min() <= page_of.max() < n_pages:
        raise ValueError("page_of holds what is no page")


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
