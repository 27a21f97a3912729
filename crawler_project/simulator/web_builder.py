"""Steps that both readers of webs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target
from crawler_project.core.urls import top_level_domain
from crawler_project.core.values import UNKNOWN
from crawler_project.simulator.web import Web


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


class PageColumns(NamedTuple):
    """The pages of a web as plain columns; a page is its place in them."""

    urls: Sequence[str]
    hosts: Sequence[str]
    languages: Sequence[str]
    """Codes."""


class LinkColumns(NamedTuple):
    """The links of a web, sorted by their source."""

    sources: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    anchors: npt.NDArray[np.bool_]


def assemble(target: Target, pages: PageColumns, links: LinkColumns, seeds: Sequence[int]) -> Web:
    """Put a web together for a target of one language; top-level domains are those of the hosts."""
    language = next(iter(target.languages))
    host_names, hosts = number_names(pages.hosts)
    tld_names, host_tlds = number_names(map(top_level_domain, host_names))
    lang_names, langs = number_names(pages.languages, (language, UNKNOWN))
    return Web(
        target_lang=language,
        target_tlds=target.tlds,
        urls=pa.array(pages.urls, pa.large_string()),
        host_names=host_names,
        hosts=hosts,
        tld_names=tld_names,
        tlds=host_tlds[hosts],
        lang_names=lang_names,
        langs=langs.astype(np.int16),
        offsets=np.concatenate([[0], np.cumsum(np.bincount(links.sources, minlength=len(pages.urls)))]).astype(
            np.int64
        ),
        targets=links.ends.astype(np.int32),
        anchors=links.anchors,
        seeds=np.array(seeds, dtype=np.int32),
    )


def one_language(target: Target) -> str:
    """Give the language of a target that has one only.

    Raises:
        ConfigurationError: it has several; the dataset format has room for one.
    """
    if len(target.languages) != 1:
        raise ConfigurationError(f"target={target} names {len(target.languages)} languages; a recorded web has one")
    return next(iter(target.languages))


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
