"""Webs on disk (``langcrawl-web/1``): a directory of two Parquet tables, seeds and a description."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.web import Bools, Web, first_repeat, language_code
from crawler_project.simulator.web_builder import NameNumbers, seed_pages

FORMAT = "langcrawl-web/1"
PAGE_COLUMNS = {"page_id": "integer", "url": "string", "host": "string", "tld": "string", "lang": "string"}
LINK_COLUMNS = {"src": "integer", "dst": "integer", "anchor_lang": "string"}
_META = {"format": str, "target_lang": str, "target_tlds": list, "n_pages": int, "n_links": int, "n_hosts": int}


class _Pages(NamedTuple):
    urls: Any
    hosts: NameNumbers
    tlds: NameNumbers
    langs: NameNumbers


def read_parquet_web(folder: Path) -> Web:
    """Read and check a web; tables are read column by column, a row group at a time.

    Raises:
        ConfigurationError: a file that is missing, damaged or of another format, a wrong column, a
            page id that is not its row, a repeated URL, unsorted links, a link to no page, an unknown
            seed, counts that ``meta.json`` does not have; names file, row and column.
    """
    meta = _read_meta(folder / "meta.json")
    target = language_code(meta["target_lang"])
    pages = _read_pages(folder / "pages.parquet", meta, target)
    n_pages = len(pages.urls)
    offsets, targets, anchors = _read_links(folder / "links.parquet", n_pages, meta, target)
    return Web(
        target_lang=target,
        target_tlds=frozenset(tld.lower().lstrip(".") for tld in meta["target_tlds"]),
        urls=pages.urls,
        host_names=pages.hosts.names,
        hosts=pages.hosts.numbers(),
        tld_names=[name.lower() for name in pages.tlds.names],
        tlds=pages.tlds.numbers(),
        lang_names=pages.langs.names,
        langs=pages.langs.numbers().astype(np.int16),
        offsets=offsets,
        targets=targets,
        anchors=anchors,
        seeds=seed_pages(read_seed_lines(folder / "seeds.txt"), pages.urls, str(folder / "seeds.txt")),
    )


def _read_meta(path: Path) -> dict[str, Any]:
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} cannot be read as JSON: {one_line(error)}") from error
    for key, kind in _META.items():
        if not isinstance(meta, dict) or not isinstance(meta.get(key), kind) or isinstance(meta[key], bool):
            raise ConfigurationError(f"{path}: {key!r} is missing or not of type {kind.__name__}")
    if meta["format"] != FORMAT:
        raise ConfigurationError(f"{path} has format {meta['format']!r}; this reads {FORMAT!r}")
    if not all(isinstance(tld, str) for tld in meta["target_tlds"]):
        raise ConfigurationError(f"{path}: 'target_tlds' is not a list of strings")
    return dict(meta)


def _read_pages(path: Path, meta: Mapping[str, Any], target: str) -> _Pages:
    hosts, tlds, langs = NameNumbers(), NameNumbers(), NameNumbers((target, "und"))
    urls: list[pa.Array[Any]] = []
    row = 0
    for batch in _batches(path, PAGE_COLUMNS):
        _check_page_ids(_integers(batch, "page_id"), row, path)
        urls.append(batch.column("url").cast(pa.large_string()))
        hosts.extend(batch.column("host"))
        tlds.extend(batch.column("tld"))
        langs.extend(batch.column("lang"), language_code)
        row += batch.num_rows
    pages = _Pages(pa.concat_arrays([*urls, pa.array([], pa.large_string())]), hosts, tlds, langs)
    _check_count(path, "n_pages", row, meta)
    repeat = first_repeat(pages.urls)
    if repeat is not None:
        raise ConfigurationError(
            f"{path} row {repeat}, column 'url': {pages.urls[repeat].as_py()!r} has an earlier row"
        )
    return pages


def _read_links(
    path: Path, n_pages: int, meta: Mapping[str, Any], target: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Bools]:
    n_links = _open(path).metadata.num_rows
    _check_count(path, "n_links", n_links, meta)
    sizes = np.zeros(n_pages + 1, dtype=np.int64)
    targets, anchors = np.empty(n_links, dtype=np.int32), np.empty(n_links, dtype=bool)
    row, previous = 0, 0
    for batch in _batches(path, LINK_COLUMNS):
        sources, ends = _integers(batch, "src"), _integers(batch, "dst")
        for column, values in (("src", sources), ("dst", ends)):
            _check_range(values, n_pages, row, f"{path}", column)
        _check_sorted(sources, previous, row, path)
        if len(sources):
            first, previous = int(sources[0]), int(sources[-1])
            sizes[first + 1 : previous + 2] += np.bincount(sources - first)
        stop = row + batch.num_rows
        targets[row:stop], anchors[row:stop] = ends, _is_in_language(batch.column("anchor_lang"), target)
        row = stop
    return np.cumsum(sizes), targets, anchors


def read_seed_lines(path: Path) -> list[tuple[int, str]]:
    """Give the URLs of a seed file with their line numbers; comments (``#``) and blank lines are skipped.

    Raises:
        ConfigurationError: the file cannot be read as UTF-8 text.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read as UTF-8 text: {one_line(error)}") from error
    stripped = ((number, line.strip()) for number, line in enumerate(lines, 1))
    return [(number, line) for number, line in stripped if line and not line.startswith("#")]


def _open(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, memory_map=True)
    except (OSError, pa.ArrowException) as error:
        raise ConfigurationError(
            f"{path} cannot be read as Parquet, perhaps it was cut off: {one_line(error)}"
        ) from error


def _batches(path: Path, columns: Mapping[str, str]) -> Iterator[pa.RecordBatch]:
    """Read the named columns of a table, about a million rows at a time."""
    file = _open(path)
    _check_schema(file.schema_arrow, columns, path)
    row = 0
    try:
        for batch in file.iter_batches(batch_size=1 << 20, columns=list(columns)):
            for name in columns:
                _check_no_nulls(batch.column(name), row, path, name)
            yield batch
            row += batch.num_rows
    except (OSError, pa.ArrowException) as error:
        raise ConfigurationError(f"{path} is damaged behind row {row}: {one_line(error)}") from error
    finally:
        file.close()


def _check_schema(schema: pa.Schema, columns: Mapping[str, str], path: Path) -> None:
    for name, kind in columns.items():
        if name not in schema.names:
            raise ConfigurationError(f"{path} has no column {name!r}; its columns: {', '.join(schema.names) or 'none'}")
        found = schema.field(name).type
        plain = found.value_type if pa.types.is_dictionary(found) else found
        is_text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
        if not (is_text if kind == "string" else pa.types.is_integer(found)):
            raise ConfigurationError(f"{path}, column {name!r}: type {found}, where {kind} is needed")


def _check_no_nulls(values: pa.Array[Any], row: int, path: Path, column: str) -> None:
    if values.null_count:
        first = int(np.flatnonzero(np.asarray(values.is_null()))[0])
        raise ConfigurationError(f"{path} row {row + first}, column {column!r}: empty (null)")


def _integers(batch: pa.RecordBatch, column: str) -> npt.NDArray[np.int64]:
    return np.asarray(batch.column(column).to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)


def _check_page_ids(ids: npt.NDArray[np.int64], row: int, path: Path) -> None:
    wrong = np.flatnonzero(ids != np.arange(row, row + len(ids)))
    if len(wrong):
        at = int(wrong[0])
        raise ConfigurationError(f"{path} row {row + at}, column 'page_id': {ids[at]} is not the row number {row + at}")


def _check_range(values: npt.NDArray[np.int64], n_pages: int, row: int, path: str, column: str) -> None:
    wrong = np.flatnonzero((values < 0) | (values >= n_pages))
    if len(wrong):
        at = int(wrong[0])
        raise ConfigurationError(f"{path} row {row + at}, column {column!r}: no page {values[at]}; there are {n_pages}")


def _check_sorted(sources: npt.NDArray[np.int64], previous: int, row: int, path: Path) -> None:
    wrong = np.flatnonzero(np.diff(sources, prepend=previous) < 0)
    if len(wrong):
        at = int(wrong[0])
        before = int(sources[at - 1]) if at else previous
        raise ConfigurationError(
            f"{path} row {row + at}, column 'src': {sources[at]} comes after {before}; sort links by src"
        )


def _check_count(path: Path, key: str, found: int, meta: Mapping[str, Any]) -> None:
    if found != meta[key]:
        raise ConfigurationError(f"{path} has {found} where {path.with_name('meta.json')} says {key} {meta[key]}")


def _is_in_language(values: pa.Array[Any], target: str) -> Bools:
    encoded = values if isinstance(values, pa.DictionaryArray) else values.dictionary_encode()
    wanted: Bools = np.array(
        [language_code(str(name)) == target for name in encoded.dictionary.to_pylist()], dtype=bool
    )
    return wanted[np.asarray(encoded.indices)] if len(values) else np.zeros(0, dtype=bool)


def one_line(error: Exception) -> str:
    """Give an error's message without line breaks."""
    return " ".join(str(error).split())
