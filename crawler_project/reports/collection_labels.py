"""What languages the pages of a recorded collection are in, as the collection itself labels them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url, url_hash
from crawler_project.core.values import UNKNOWN

_EXPECTED = "JSON Lines with the fields url and text_lang, plain, .gz or .zst"
_LARGEST_WINDOW = 1 << 31


@dataclass(frozen=True, slots=True)
class CollectionLabels:
    """The labels of a collection's pages (``text_lang``), by page."""

    path: Path
    languages: dict[int, str]
    """Hash of the canonical address → language; ``und`` where the collection gives none."""

    def labelled_pages(self) -> npt.NDArray[np.int64]:
        """Give the hashes of all pages whose language the collection knows."""
        known = [page for page, language in self.languages.items() if language != UNKNOWN]
        return np.array(known, dtype=np.int64)

    def pages_in(self, target: tuple[str, ...]) -> npt.NDArray[np.int64]:
        """Give the hashes of all pages that are labelled with a target language, ascending.

        A label such as ``zh-Hans`` counts as ``zh``.
        """
        found = [page for page, language in self.languages.items() if language.partition("-")[0] in target]
        return np.array(sorted(found), dtype=np.int64)


def load_collection_labels(path: Path) -> CollectionLabels:
    """Read the labels of ``pages.jsonl.zst``; pages that were recorded with an error status are left out.

    Raises:
        ConfigurationError: the file cannot be read, or a line of it is not what was expected.
    """
    languages: dict[int, str] = {}
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    languages.update(_label(path, number, line))
    except (OSError, EOFError, UnicodeDecodeError, zstandard.ZstdError) as error:
        raise ConfigurationError(f"{path} cannot be read ({error}); expected {_EXPECTED}") from error
    if not any(language != UNKNOWN for language in languages.values()):
        raise ConfigurationError(f"{path} labels no page; expected {_EXPECTED}")
    return CollectionLabels(path, languages)


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    if path.suffix != ".zst":
        return path.open(encoding="utf-8")
    stream = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).stream_reader(
        path.open("rb"), read_across_frames=True, closefd=True
    )
    return io.TextIOWrapper(stream, encoding="utf-8")


def _label(path: Path, number: int, line: str) -> Iterator[tuple[int, str]]:
    try:
        record = json.loads(line)
        url, language, status = record["url"], record.get("text_lang"), record.get("status")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{path} line {number} is no page of a collection; expected {_EXPECTED}") from error
    parts = canonical_url(str(url))
    if parts and (status is None or status == 200):
        yield url_hash(parts.url), str(language) if language else UNKNOWN
