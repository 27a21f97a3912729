"""Write a web as a dataset (``langcrawl-web/1``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.parquet_web import FORMAT
from crawler_project.simulator.web import Bools, Ints, Web, language_name

ROWS = 1 << 20
"""Of one row group: what a reader holds at a time."""
_NAME: Any = pa.dictionary(pa.int32(), pa.string())


def write_web(web: Web, folder: Path, notes: Mapping[str, object] | None = None) -> None:
    """Write ``web`` into ``folder``, which is made; ``meta.json`` comes last, so that a web with one is whole.

    Args:
        notes: further entries of ``meta.json``, such as how the web was made.

    Raises:
        ConfigurationError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "meta.json").unlink(missing_ok=True)
        _write_pages(web, folder / "pages.parquet")
        _write_links(web, folder / "links.parquet")
        seeds = "".join(f"{web.url(page)}\n" for page in web.seeds.tolist())
        (folder / "seeds.txt").write_text(seeds, encoding="utf-8")
        (folder / "meta.json").write_text(json.dumps(_meta(web) | dict(notes or {}), indent=1), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be written: {error}") from error


def _meta(web: Web) -> dict[str, object]:
    return {
        "format": FORMAT,
        "target_lang": language_name(web.target_lang),
        "target_tlds": sorted(web.target_tlds),
        "n_pages": web.n_pages,
        "n_links": web.n_links,
        "n_hosts": web.n_hosts,
    }


def _write_pages(web: Web, path: Path) -> None:
    schema = pa.schema({"page_id": pa.int64(), "url": pa.large_string(), "host": _NAME, "tld": _NAME, "lang": _NAME})
    names = [web.host_names, web.tld_names, [language_name(code) for code in web.lang_names]]
    dictionaries = [pa.array(list(values), pa.string()) for values in names]
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, web.n_pages, ROWS):
            stop = min(start + ROWS, web.n_pages)
            columns = [part[start:stop] for part in (web.hosts, web.tlds, web.langs)]
            encoded = [_encode(part, dictionary) for part, dictionary in zip(columns, dictionaries, strict=True)]
            ids = pa.array(np.arange(start, stop, dtype=np.int64))
            writer.write_table(pa.Table.from_arrays([ids, web.urls[start:stop], *encoded], schema=schema))


def _write_links(web: Web, path: Path) -> None:
    schema = pa.schema({"src": pa.int64(), "dst": pa.int64(), "anchor_lang": _NAME})
    dictionary = pa.array(["other", language_name(web.target_lang)], pa.string())
    sources = web.sources()
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, web.n_links, ROWS):
            part = slice(start, start + ROWS)
            columns = [
                pa.array(sources[part].astype(np.int64)),
                pa.array(web.targets[part].astype(np.int64)),
                _encode(web.anchors[part], dictionary),
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _encode(numbers: Ints | Bools, dictionary: pa.Array[Any]) -> pa.Array[Any]:
    """Encode with the names that occur only: a row group of few hosts should not carry all."""
    used, indices = np.unique(numbers, return_inverse=True)
    names = dictionary.take(pa.array(used.astype(np.int64), pa.int64()))
    return pa.DictionaryArray.from_arrays(pa.array(indices.astype(np.int32), pa.int32()), names)
