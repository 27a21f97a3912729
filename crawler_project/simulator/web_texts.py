"""The texts of a recorded web, read from beside it (``langcrawl-texts/1``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.text_recorder import LINK_TEXTS, PAGE_TEXTS, TEXTS
from crawler_project.simulator.web import Web

Rows = npt.NDArray[np.int32]


class WebTexts(NamedTuple):
    """Distinct texts, and for each page and link the rows of its own."""

    texts: pa.Array[Any]
    pages: Rows
    """Title and visible text, one a page."""
    labels: pa.Array[Any]
    """The topic of each page as the collection has it; empty texts: it says nothing."""
    blocks: Rows
    """Of the content block, one a link of the web."""
    anchors: Rows
    contexts: Rows

    def anchor_text(self, link: int) -> str:
        """Of a link, by its place among all links of the web."""
        return str(self.texts[self.anchors[link]].as_py())

    def context(self, link: int) -> str:
        """The text around a link."""
        return str(self.texts[self.contexts[link]].as_py())


def read_web_texts(folder: Path, web: Web) -> WebTexts:
    """Read the texts of ``web``, which was read from ``folder``.

    Raises:
        ConfigurationError: there are none, or they are damaged or of another web.
    """
    if not (folder / TEXTS).is_file():
        raise ConfigurationError(
            f"{folder} has no texts, which a model needs; record the web again with `scrapy web record` (without --no-texts)"
        )
    try:
        texts = pq.read_table(folder / TEXTS, columns=["text"])["text"].combine_chunks()
        pages = pq.read_table(folder / PAGE_TEXTS, columns=["text", "label"])
        links = pq.read_table(folder / LINK_TEXTS, columns=["block", "anchor", "context"])
    except (OSError, pa.ArrowException) as error:
        raise ConfigurationError(f"the texts in {folder} cannot be read: {' '.join(str(error).split())}") from error
    found = WebTexts(
        texts,
        _rows(pages["text"]),
        pages["label"].combine_chunks(),
        *(_rows(links[name]) for name in ("block", "anchor", "context")),
    )
    _check(found, web, folder)
    return found


def _rows(column: pa.ChunkedArray[Any]) -> Rows:
    return np.asarray(column.to_numpy()).astype(np.int32)


def _check(found: WebTexts, web: Web, folder: Path) -> None:
    if len(found.pages) != web.n_pages or len(found.blocks) != web.n_links:
        raise ConfigurationError(
            f"{folder}: texts of {len(found.pages)} pages and {len(found.blocks)} links, where the web has "
            f"{web.n_pages} and {web.n_links}; record it again"
        )
    for rows in (found.pages, found.blocks, found.anchors, found.contexts):
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(found.texts)):
            raise ConfigurationError(f"{folder}: a page or link has a text that is not in {TEXTS}; record it again")
