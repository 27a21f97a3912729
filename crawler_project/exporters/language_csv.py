"""One CSV file a language, growing while the crawl runs, cut back to a known size on resume."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from scrapy.exporters import CsvItemExporter

from crawler_project.core.errors import StateError
from crawler_project.core.file_name import file_name
from crawler_project.items import COLUMNS, PageItem

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TEXTS = ("declared_language", "title", "anchor_text", "evidence", "charset")


class LanguageCsv:
    """Write rows of pages to ``crawled-<language>.csv`` (RFC 4180, UTF-8, one header).

    Args:
        folder: must exist.
        sizes: bytes of each file at the latest checkpoint; ``None`` for a new crawl. What lies
            beyond was never acknowledged and is cut off; its pages are fetched again.
        worker: part of the file names where several workers write into one folder.
        defuse_formulas: put ``'`` before a leading ``=``, ``+``, ``-``, ``@`` of texts from the web.

    Raises:
        StateError: a file is shorter than its checkpoint says.
    """

    def __init__(
        self, folder: Path, sizes: Mapping[str, int] | None, *, defuse_formulas: bool, worker: str = ""
    ) -> None:
        self._folder = folder
        self._worker = worker
        self._unsynced: set[str] = set()
        self._defuse = defuse_formulas
        self._files: dict[str, tuple[BinaryIO, CsvItemExporter]] = {}
        self._sizes = dict(sizes or {})
        if sizes is not None:
            self._cut_back(sizes)

    def write(self, item: PageItem) -> None:
        """Append a row; it is with the operating system after the next :meth:`flush`."""
        name = file_name(item.language, self._worker)
        if name not in self._files:
            self._files[name] = self._open(name)
        row = {column: getattr(item, column) for column in COLUMNS}
        row["is_target"] = "true" if item.is_target else "false"
        if self._defuse:
            for column in _TEXTS:
                if row[column].startswith(_FORMULA):
                    row[column] = "'" + row[column]
        self._files[name][1].export_item(row)
        self._unsynced.add(name)

    def flush(self) -> dict[str, int]:
        """Hand everything to the operating system; the size in bytes of each file."""
        for name, (file, exporter) in self._files.items():
            exporter.stream.flush()
            file.flush()
            self._sizes[name] = file.tell()
        return dict(self._sizes)

    def sync(self) -> None:
        """Have the disk hold all rows so far: they survive a power cut."""
        for name in sorted(self._unsynced):
            file, exporter = self._files[name]
            exporter.stream.flush()
            file.flush()
            os.fsync(file.fileno())
        self._unsynced.clear()

    def close(self) -> None:
        self.flush()
        for file, exporter in self._files.values():
            exporter.finish_exporting()
            file.close()
        self._files.clear()

    def _open(self, name: str) -> tuple[BinaryIO, CsvItemExporter]:
        path = self._folder / name
        is_new = not path.exists() or path.stat().st_size == 0
        file = path.open("ab")
        exporter = CsvItemExporter(
            file,  # type: ignore[arg-type]  # any binary file will do
            include_headers_line=is_new,
            errors="replace",
            fields_to_export=list(COLUMNS),
            encoding="utf-8",
        )
        exporter.start_exporting()
        return file, exporter

    def _cut_back(self, sizes: Mapping[str, int]) -> None:
        for name, size in sizes.items():
            path = self._folder / name
            if not path.exists() or path.stat().st_size < size:
                raise StateError(
                    f"{path} is shorter than when the crawl was saved ({size} bytes); restore it, or start anew with another JOBDIR"
                )
        for path in self._folder.glob("crawled-*.csv"):
            if path.stat().st_size > sizes.get(path.name, 0):
                with path.open("r+b") as file:
                    file.truncate(sizes.get(path.name, 0))
