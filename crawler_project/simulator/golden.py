"""Golden cases (``langcrawl-golden/1``): a small web and the exact orders of its crawls in one JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.web import Web, language_code
from crawler_project.simulator.web_builder import number_names, seed_pages
from crawler_project.strategies import Strategy, make_strategy

FORMAT = "langcrawl-golden/1"
_PAGE = {"page_id": int, "url": str, "host": str, "tld": str, "lang": str}
_LINK = {"src": int, "dst": int, "anchor_lang": str}
_TOP = {"format": str, "target_lang": str, "target_tlds": list, "pages": list, "links": list, "seeds": list}
_NAMES = {
    "bfs": "control", "hard": "hard_focused", "soft": "soft_focused", "tld_anchor": "experimental",
    "lswc": "lswc", "perfect": "perfect",
}  # fmt: skip
_NEW = {"any": "aggressive", "target_parent": "conservative", "tld": "tld"}


@dataclass(frozen=True)
class GoldenRun:
    """One expected crawl: the strategy's own parameters as the file has them, and the page ids in order."""

    name: str
    params: Mapping[str, Any]
    order: Sequence[int]

    def strategy(self) -> Strategy:
        """Make the strategy that ``params`` describe."""
        return golden_strategy(self.params)

    @property
    def limit(self) -> int | None:
        return self.params.get("limit")


def golden_strategy(params: Mapping[str, Any]) -> Strategy:
    """Make a strategy from the words of a golden file (``bfs``, ``filter``, ``new_rule`` …) or our own.

    Raises:
        ConfigurationError: as :func:`crawler_project.strategies.make_strategy`.
    """
    rest = {key: value for key, value in params.items() if key not in ("strategy", "limit")}
    name = str(params.get("strategy", ""))
    if name == "filter":
        name = "directory_filter" if str(rest.pop("unit", "server")).startswith("dir") else "server_filter"
    if "new_rule" in rest:
        rule = rest.pop("new_rule")
        rest["new"] = _NEW.get(rule, rule)
    return make_strategy(_NAMES.get(name, name), **rest)


def read_golden(path: Path) -> tuple[Web, list[GoldenRun]]:
    """Read a golden file; a file without ``expected`` has no runs.

    Raises:
        ConfigurationError: no JSON, another format, a missing or wrong value; names file, row and column.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} cannot be read as JSON: {_one_line(error)}") from error
    _check_row(document, _TOP, str(path))
    if document["format"] != FORMAT:
        raise ConfigurationError(f"{path} has format {document['format']!r}; this reads {FORMAT!r}")
    return _read_web(document, path), _read_runs(document.get("expected", []), path)


def _read_web(document: Mapping[str, Any], path: Path) -> Web:
    pages, links, target = document["pages"], document["links"], language_code(document["target_lang"])
    _check_pages(pages, path)
    _check_links(links, len(pages), path)
    _check_strings(document["target_tlds"], f"{path}: target_tlds")
    _check_strings(document["seeds"], f"{path}: seeds")
    urls = pa.array([page["url"] for page in pages], pa.large_string())
    host_names, hosts = number_names(page["host"] for page in pages)
    tld_names, tlds = number_names(page["tld"].lower() for page in pages)
    lang_names, langs = number_names((language_code(page["lang"]) for page in pages), (target, "und"))
    sizes = np.bincount([link["src"] for link in links], minlength=len(pages)) if links else np.zeros(len(pages), int)
    return Web(
        target_lang=target,
        target_tlds=frozenset(tld.lower().lstrip(".") for tld in document["target_tlds"]),
        urls=urls,
        host_names=host_names,
        hosts=hosts,
        tld_names=tld_names,
        tlds=tlds,
        lang_names=lang_names,
        langs=langs.astype(np.int16),
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        targets=np.array([link["dst"] for link in links], dtype=np.int32),
        anchors=np.array([language_code(link["anchor_lang"]) == target for link in links], dtype=bool),
        seeds=seed_pages(list(enumerate(document["seeds"])), urls, f"{path}: seeds"),
    )


def _check_pages(pages: Sequence[Any], path: Path) -> None:
    rows: dict[str, int] = {}
    for row, page in enumerate(pages):
        where = f"{path}: pages row {row}"
        _check_row(page, _PAGE, where)
        if page["page_id"] != row:
            raise ConfigurationError(f"{where}, column 'page_id': {page['page_id']} is not the row number {row}")
        if rows.setdefault(page["url"], row) != row:
            raise ConfigurationError(
                f"{where}, column 'url': {page['url']!r} is the URL of row {rows[page['url']]} too"
            )


def _check_links(links: Sequence[Any], n_pages: int, path: Path) -> None:
    previous = 0
    for row, link in enumerate(links):
        where = f"{path}: links row {row}"
        _check_row(link, _LINK, where)
        for column in ("src", "dst"):
            if not 0 <= link[column] < n_pages:
                raise ConfigurationError(f"{where}, column {column!r}: no page {link[column]}; there are {n_pages}")
        if link["src"] < previous:
            raise ConfigurationError(f"{where}, column 'src': {link['src']} comes after {previous}; sort links by src")
        previous = link["src"]


def _check_row(row: object, types: Mapping[str, type], where: str) -> None:
    if not isinstance(row, dict):
        raise ConfigurationError(f"{where} is {type(row).__name__}, not an object with {', '.join(types)}")
    for key, kind in types.items():
        if key not in row:
            raise ConfigurationError(f"{where}, column {key!r}: missing")
        if not isinstance(row[key], kind) or isinstance(row[key], bool):
            raise ConfigurationError(f"{where}, column {key!r}: {row[key]!r} is not of type {kind.__name__}")
        if kind is str:
            _check_text(row[key], f"{where}, column {key!r}")


def _check_strings(values: Sequence[Any], where: str) -> None:
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise ConfigurationError(f"{where} row {row}: {value!r} is not of type str")
        _check_text(value, f"{where} row {row}")


def _check_text(text: str, where: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"{where}: {text!r} holds half a surrogate pair; no URL or name does") from None


def _read_runs(expected: object, path: Path) -> list[GoldenRun]:
    if not isinstance(expected, list):
        raise ConfigurationError(f"{path}: expected is {type(expected).__name__}, not a list")
    for row, run in enumerate(expected):
        _check_row(run, {"name": str, "params": dict, "order": list}, f"{path}: expected row {row}")
    return [GoldenRun(run["name"], run["params"], run["order"]) for run in expected]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
