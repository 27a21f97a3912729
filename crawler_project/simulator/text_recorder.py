"""Keep the texts of a recorded web beside it (``langcrawl-texts/1``): pages, blocks, anchors and link contexts."""

from __future__ import annotations

from array import array
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from crawler_project.core.values import Page
from crawler_project.relevance.topic.judge import page_text
from crawler_project.relevance.topic.link_scores import link_places

FORMAT: Final = "langcrawl-texts/1"
TEXTS, PAGE_TEXTS, LINK_TEXTS = "texts.parquet", "page_texts.parquet", "link_texts.parquet"
_BATCH: Final = 10_000


class TextRecorder:
    """Write each distinct text once, as it comes; keeps 12 bytes a link and about 100 a distinct text in memory."""

    def __init__(self, folder: Path) -> None:
        """Keep texts in ``folder``, which is made with the first page: a source that cannot be read leaves nothing."""
        self._folder = folder
        self._schema = pa.schema({"text": pa.large_string()})
        self._rows: dict[int, int] = {}
        self._waiting: list[str] = []
        self._pages = array("i")
        self._labels: list[str] = []
        self._blocks, self._anchors, self._contexts = array("i"), array("i"), array("i")

    def add(self, page: Page, label: str = "") -> None:
        """Take a page that was parsed with its blocks; ``label``: its topic as the collection has it.

        Raises:
            OSError: the files cannot be written.
        """
        self._writer  # noqa: B018  an hour of pages is not to be read for a folder that cannot be written
        whole = self._row(page_text(page))
        self._pages.append(whole)
        self._labels.append(label)
        for block, link in link_places(page):
            self._blocks.append(whole if block is None else self._row(block))
            self._anchors.append(self._row(link.anchor_text))
            self._contexts.append(self._row(link.context))

    def finish(self, is_kept: npt.NDArray[np.bool_]) -> None:
        """Write what is left; of the links so far only those that are kept, in their order."""
        self._flush()
        self._writer.close()
        links = {
            name: pa.array(np.frombuffer(rows, dtype=np.int32)[is_kept] if rows else [], pa.int32())
            for name, rows in (("block", self._blocks), ("anchor", self._anchors), ("context", self._contexts))
        }
        pq.write_table(pa.table(links), self._folder / LINK_TEXTS, compression="zstd")
        labels = pa.array(self._labels, pa.string()).dictionary_encode()
        pages = pa.table({"text": pa.array(self._pages, pa.int32()), "label": labels})
        pq.write_table(pages, self._folder / PAGE_TEXTS, compression="zstd")

    @cached_property
    def _writer(self) -> pq.ParquetWriter:
        self._folder.mkdir(parents=True, exist_ok=True)
        return pq.ParquetWriter(self._folder / TEXTS, self._schema, compression="zstd")

    def _row(self, text: str) -> int:
        written = text.encode("utf-8", "replace")
        count = len(self._rows)
        row = self._rows.setdefault(xxhash.xxh3_64_intdigest(written), count)
        if row == count:
            self._waiting.append(written.decode())
            if len(self._waiting) >= _BATCH:
                self._flush()
        return row

    def _flush(self) -> None:
        self._writer.write_table(pa.table([pa.array(self._waiting, pa.large_string())], schema=self._schema))
        self._waiting.clear()
