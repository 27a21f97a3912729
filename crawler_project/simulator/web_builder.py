"""Steps that both readers of webs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from crawler_project.core.errors import ConfigurationError


def number_names(names: Iterable[str], first: Iterable[str] = ()) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Give the distinct names, ``first`` first, and the row of each given name among them."""
    rows = {name: row for row, name in enumerate(dict.fromkeys(first))}
    numbers = np.array([rows.setdefault(name, len(rows)) for name in names], dtype=np.int32)
    return list(rows), numbers


class NameNumbers:
    """Numbers for the names in a column that comes in parts."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        """Number the names in ``first`` before all others."""
        self._rows = {name: row for row, name in enumerate(dict.fromkeys(first))}
        self._parts: list[npt.NDArray[np.int32]] = []

    @property
    def names(self) -> list[str]:
        return list(self._rows)

    def extend(self, values: pa.Array[Any], rename: Callable[[str], str] = str) -> None:
        """Take the next part of the column, of strings or a dictionary of strings."""
        encoded = values if isinstance(values, pa.DictionaryArray) else values.dictionary_encode()
        rows = [self._rows.setdefault(rename(str(name)), len(self._rows)) for name in encoded.dictionary.to_pylist()]
        self._parts.append(np.array(rows, dtype=np.int32)[np.asarray(encoded.indices)])

    def numbers(self) -> npt.NDArray[np.int32]:
        """Give the number of the name in each row so far."""
        return np.concatenate(self._parts) if self._parts else np.zeros(0, dtype=np.int32)


def seed_pages(seeds: Sequence[tuple[int, str]], urls: pa.LargeStringArray, where: str) -> npt.NDArray[np.int32]:
    """Find the pages of the seeds, given as (row in their file, URL); a repeat counts once.

    Raises:
        ConfigurationError: no seed at all, or one that is no page of this web.
    """
    wanted = pa.array([url for _, url in seeds], pa.large_string())
    is_seed = np.asarray(pc.is_in(urls, value_set=wanted), dtype=bool)
    page_of = {str(urls[row].as_py()): row for row in np.flatnonzero(is_seed).tolist()}
    for row, url in seeds:
        if url not in page_of:
            raise ConfigurationError(f"{where} row {row}: {url!r} is no page of this web; every seed must be one")
    if not seeds:
        raise ConfigurationError(f"{where}: there is no seed; name one URL of this web at least")
    return np.array(list(dict.fromkeys(page_of[url] for _, url in seeds)), dtype=np.int32)
