"""One finished or running crawl in memory: what its report needs, about 23 bytes a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url, url_hash
from crawler_project.core.values import UNKNOWN
from crawler_project.reports.aim import Aim
from crawler_project.reports.crawl_info import CrawlInfo, load_crawl_info
from crawler_project.reports.csv_rows import PATTERN, find_files, read_batches, undefuse
from crawler_project.reports.merged_rows import is_of_workers
from crawler_project.reports.row_counts import check_rows

_LABEL = pa.dictionary(pa.int32(), pa.string())
_TYPES = {
    "url": pa.binary(),
    "final_url": pa.binary(),
    "language": _LABEL,
    "why": _LABEL,
    "host": _LABEL,
    "bytes": pa.int64(),
    "position": pa.int64(),
    "is_target": pa.bool_(),
}
_TIME = {"fetched_at": pa.timestamp("ms", tz="UTC")}
"""What orders the rows of several workers, each of which counts positions of its own."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """A crawl directory as read."""

    path: Path
    info: CrawlInfo
    pages: pd.DataFrame
    """One row for each page, in order of download: ``page`` (64-bit hash of the final address),
    ``language``, ``rule`` (first word of *why*), ``host`` (all three categorical), ``bytes``, ``is_target``."""
    damaged_rows: int = 0
    """Rows that were left out because they had too few or too many fields."""
    remarks: tuple[str, ...] = ()
    """What is odd about its files, a sentence each."""

    @property
    def target(self) -> tuple[str, ...]:
        """The languages that were collected: as recorded, else those of the rows marked as target."""
        if self.info.target:
            return self.info.target
        return tuple(sorted(map(str, self.pages["language"][self.pages["is_target"]].unique())))

    @property
    def aim(self) -> Aim:
        """What makes a page of it a target page."""
        topic = self.info.topic
        return Aim(() if self.target == (topic,) else self.target, topic)

    @property
    def is_target(self) -> npt.NDArray[np.bool_]:
        """One truth value for each page, in order of download."""
        return self.pages["is_target"].to_numpy()

    @property
    def page_count(self) -> int:
        return len(self.pages)

    @property
    def target_count(self) -> int:
        return int(self.is_target.sum())


def load_crawl(directory: Path) -> Crawl:
    """Read a crawl directory; rows that are being written at this moment are left out.

    Of several workers' rows of one page the first is kept.

    Raises:
        ConfigurationError: this is no crawl directory, it holds no page yet, or a file in it is
            damaged or lacks rows that the crawl counted; the message names the file and what was expected.
    """
    find_files(directory)  # says so where this is no crawl
    info = load_crawl_info(directory)  # before the rows, which a crawl that runs writes before it counts them
    files = find_files(directory)
    found = {path.name: 0 for path in directory.glob(PATTERN)}
    damaged: list[str] = []
    of_workers = is_of_workers(files)
    columns = _Columns(of_workers)
    for path in files:
        left_out = len(damaged)
        for batch in read_batches(path, {**_TYPES, **(_TIME if of_workers else {})}, damaged):
            columns.add(batch)
            found[path.name] += batch.num_rows
        found[path.name] += len(damaged) - left_out
    remarks = check_rows(directory, info, found)
    frame = columns.to_frame()
    if frame.empty:
        raise ConfigurationError(f"{directory} holds a crawl without a complete row; expected at least one page")
    return Crawl(directory, info, frame, len(damaged), tuple(remarks))


def page_hash(queued: str, final: str) -> int:
    """Hash the address of a page so that crawls and collections can be compared: the final one, canonical."""
    if not final or final == queued:
        return url_hash(queued)
    parts = canonical_url(final)
    return url_hash(parts.url if parts else final)


class _Labels:
    """The texts of one column, each kept once, and a number for each row."""

    def __init__(self, rename: Callable[[str], str]) -> None:
        self._rename = rename
        self._numbers: dict[str, int] = {}

    def encode(self, column: Any) -> npt.NDArray[np.int32]:
        """Number the values of an Arrow dictionary array; a missing value counts as an empty text."""
        labels = [self._rename(undefuse(label)) for label in [*column.dictionary.to_pylist(), ""]]
        numbers = [self._numbers.setdefault(label, len(self._numbers)) for label in labels]
        codes = column.indices.fill_null(len(labels) - 1).to_numpy(zero_copy_only=False)
        encoded: npt.NDArray[np.int32] = np.array(numbers, dtype=np.int32)[codes]
        return encoded

    def to_categorical(self, codes: npt.NDArray[np.int32]) -> pd.Categorical:
        return pd.Categorical.from_codes(codes, categories=pd.Index(list(self._numbers), dtype=object))


class _Columns:
    """Rows as arrays of numbers, batch by batch, so that no more than a batch is ever held as text."""

    def __init__(self, of_workers: bool) -> None:
        self._of_workers = of_workers
        self._labels = {
            "language": _Labels(lambda text: text or UNKNOWN),
            "rule": _Labels(lambda text: text.partition(" ")[0] or "unknown"),
            "host": _Labels(str),
        }
        self._parts: dict[str, list[npt.NDArray[Any]]] = {
            name: [] for name in ("order", "page", *self._labels, "bytes", "is_target")
        }

    def add(self, batch: Any) -> None:
        arrays = {
            "order": self._order(batch),
            "page": np.fromiter(_page_hashes(batch), dtype=np.int64, count=batch.num_rows),
            "language": self._labels["language"].encode(batch["language"]),
            "rule": self._labels["rule"].encode(batch["why"]),
            "host": self._labels["host"].encode(batch["host"]),
            "bytes": batch["bytes"].fill_null(0).to_numpy(),
            "is_target": batch["is_target"].fill_null(False).to_numpy(zero_copy_only=False),
        }
        for name, array in arrays.items():
            self._parts[name].append(array.copy())

    def _order(self, batch: Any) -> npt.NDArray[np.int64]:
        """What the rows are sorted by: the position, or the time in milliseconds."""
        column = batch["fetched_at"].cast(pa.int64()) if self._of_workers else batch["position"]
        order: npt.NDArray[np.int64] = column.fill_null(0).to_numpy()
        return order

    def to_frame(self) -> pd.DataFrame:
        """Give the columns in order of download; the rows are not here any more afterwards."""
        if not self._parts["page"]:
            return pd.DataFrame()
        order = np.argsort(np.concatenate(self._parts.pop("order")), kind="stable")
        if self._of_workers:
            _, firsts = np.unique(np.concatenate(self._parts["page"])[order], return_index=True)
            order = order[np.sort(firsts)]
        columns: dict[str, Any] = {}
        for name in list(self._parts):
            column = np.concatenate(self._parts.pop(name))[order]
            columns[name] = self._labels[name].to_categorical(column) if name in self._labels else column
        return pd.DataFrame(columns, copy=False)


def _page_hashes(batch: Any) -> Iterator[int]:
    for queued, final in zip(batch["url"].to_pylist(), batch["final_url"].to_pylist(), strict=True):
        yield page_hash((queued or b"").decode("utf-8", "replace"), (final or b"").decode("utf-8", "replace"))
