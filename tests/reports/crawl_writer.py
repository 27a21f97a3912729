"""Crawl directories as a crawl leaves them, written with Python's own csv module."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from crawler_project.core.urls import canonical_url
from crawler_project.items import COLUMNS


def page(url: str, language: str = "ko", **values: Any) -> dict[str, Any]:
    """A row; ``position`` is given by :func:`write_crawl` when it is not named."""
    parts = canonical_url(url)
    row = dict.fromkeys(COLUMNS, "") | {
        "url": url,
        "final_url": url,
        "status": 200,
        "fetched_at": "2026-11-21T09:00:00.123Z",
        "language": language,
        "language_score": 0.98,
        "charset": "utf-8",
        "bytes": 1000,
        "depth": 0,
        "distance": 1,
        "why": "seed",
        "host": parts.host if parts else "",
    }
    return row | values


def pages(languages: Iterable[str], start: str = "http://example.org/") -> list[dict[str, Any]]:
    """One row for each language, addresses numbered."""
    return [page(f"{start}{number}", language) for number, language in enumerate(languages, 1)]


def write_rows(directory: Path, rows: Iterable[Mapping[str, Any]], target: Iterable[str] = ("ko",)) -> None:
    """Sort rows into ``crawled-<language>.csv``; positions and ``is_target`` are filled in."""
    directory.mkdir(parents=True, exist_ok=True)
    for number, row in enumerate(rows, 1):
        path = directory / f"crawled-{re.sub('[^a-z-]', '_', row['language'])}.csv"
        is_new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            if is_new:
                writer.writeheader()
            is_target = "true" if row["language"] in target else "false"
            writer.writerow({**row, "position": row["position"] or number, "is_target": row["is_target"] or is_target})


def write_crawl(
    directory: Path,
    rows: Iterable[Mapping[str, Any]],
    strategy: str = "experimental",
    target: Iterable[str] = ("ko",),
    **info: Any,
) -> Path:
    """Write rows and ``crawl.json``; gives the directory back."""
    write_rows(directory, rows, target)
    data = {
        "format": "crawler-project-crawl/1",
        "version": "0.1",
        "target": list(target),
        "target_tlds": ["kr"],
        "strategy": strategy,
        "parameters": {},
        "judge": "combined",
        "seeds": 3,
        "budget": None,
        "started_at": "2026-11-21T09:00:00Z",
        "finished_at": "2026-11-21T09:30:00Z",
        "finish_reason": "finished",
        "stats": {},
    }
    (directory / "crawl.json").write_text(json.dumps(data | info), encoding="utf-8")
    return directory
