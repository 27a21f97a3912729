"""Parquet as a feed format: ``-O pages.parquet:parquet``."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from scrapy.exporters import BaseItemExporter

ROWS_PER_GROUP = 10_000
"""Rows kept in memory until a row group is written: about 10 MB."""


class ParquetItemExporter(BaseItemExporter):
    """Write items as rows of one Parquet file; the first row group sets the types of the columns."""

    def __init__(self, file: BytesIO, **kwargs: Any) -> None:
        super().__init__(dont_fail=True, **kwargs)
        self._file = file
        self._rows: list[dict[str, Any]] = []
        self._writer: pq.ParquetWriter | None = None
        self._schema: pa.Schema | None = None

    def export_item(self, item: Any) -> None:
        self._rows.append({name: _text(value) for name, value in self.get_serialized_fields(item, include_empty=True)})
        if len(self._rows) >= ROWS_PER_GROUP:
            self._write_group()

    def finish_exporting(self) -> None:
        self._write_group()
        if self._writer is not None:
            self._writer.close()

    def _write_group(self) -> None:
        if not self._rows:
            return
        table = pa.Table.from_pylist(self._rows, schema=self._schema)
        if self._writer is None:
            self._schema = table.schema
            self._writer = pq.ParquetWriter(self._file, self._schema)
        self._writer.write_table(table)
        self._rows.clear()


def _text(value: Any) -> Any:
    """Text that UTF-8 can hold; a lone surrogate becomes ``?``."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
