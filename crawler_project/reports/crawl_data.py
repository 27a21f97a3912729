"""One finished or running crawl in memory: what its report needs, about 35 bytes a page."""

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
from crawler_project.reports.crawl_info import CrawlInfo, load_crawl_info
from crawler_project.reports.csv_rows import find_files, read_batches, undefuse

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

    @property
    def target(self) -> tuple[str, ...]:
        """The languages that were collected: as recorded, else those of the rows marked as target."""
        if self.info.target:
            return self.info.target
        return tuple(sorted(map(str, self.pages["language"][self.pages["is_target"]].unique())))

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

    Raises:
        ConfigurationError: this is no crawl directory, it holds no page yet, or a file in it is
            damaged; the message names the file and what was expected.
    """
    files = find_files(directory)
    info = load_crawl_info(directory)
    damaged: list[str] = []
    batches = [_slim(batch) for path in files for batch in read_batches(path, _TYPES, damaged)]
    if not sum(batch.num_rows for batch in batches):
        raise ConfigurationError(f"{directory} holds a crawl without a complete row; expected at least one page")
    return Crawl(directory, info, _to_frame(pa.Table.from_batches(batches).unify_dictionaries()), len(damaged))


def _slim(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Put a hash in the place of the two addresses: they are most of the bytes."""
    hashes = np.fromiter(_page_hashes(batch), dtype=np.int64, count=batch.num_rows)
    columns = {"page": pa.array(hashes)} | {name: batch[name] for name in _TYPES if not name.endswith("url")}
    return pa.RecordBatch.from_pydict(columns)


def _page_hashes(batch: pa.RecordBatch) -> Iterator[int]:
    for queued, final in zip(batch["url"].to_pylist(), batch["final_url"].to_pylist(), strict=True):
        yield page_hash((queued or b"").decode("utf-8", "replace"), (final or b"").decode("utf-8", "replace"))


def page_hash(queued: str, final: str) -> int:
    """Hash the address of a page so that crawls and collections can be compared: the final one, canonical."""
    if not final or final == queued:
        return url_hash(queued)
    parts = canonical_url(final)
    return url_hash(parts.url if parts else final)


def _categorical(column: Any, rename: Callable[[str], str]) -> pd.Categorical:
    """Turn a unified dictionary column into a categorical; labels that ``rename`` makes equal become one."""
    labels = [rename(undefuse(label)) for label in [*column.chunk(0).dictionary.to_pylist(), ""]]
    categories = sorted(set(labels))
    place = {label: index for index, label in enumerate(categories)}
    lookup = np.array([place[label] for label in labels], dtype=np.int32)
    missing = len(labels) - 1
    codes = np.concatenate([chunk.indices.fill_null(missing).to_numpy() for chunk in column.chunks])
    return pd.Categorical.from_codes(lookup[codes], categories=pd.Index(categories, dtype=object))


def _to_frame(table: Any) -> pd.DataFrame:
    position = table["position"].fill_null(0).to_numpy()
    frame = pd.DataFrame(
        {
            "page": table["page"].to_numpy(),
            "language": _categorical(table["language"], lambda text: text or UNKNOWN),
            "rule": _categorical(table["why"], lambda text: text.partition(" ")[0] or "unknown"),
            "host": _categorical(table["host"], str),
            "bytes": table["bytes"].fill_null(0).to_numpy(),
            "is_target": table["is_target"].fill_null(False).to_numpy(),
        }
    )
    if np.any(np.diff(position) < 0):
        frame = frame.iloc[np.argsort(position, kind="stable")].reset_index(drop=True)
    return frame
