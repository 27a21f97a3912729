"""Read crawl directories, write their report: the one way in for the command and for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pandas as pd

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.collection_labels import load_collection_labels
from crawler_project.reports.comparison import Comparison, compare
from crawler_project.reports.crawl_data import load_crawl
from crawler_project.reports.html_report import render_report, report_frames
from crawler_project.reports.tables import members_of

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def compare_directories(directories: Sequence[Path], collection: Path | None = None) -> list[Comparison]:
    """Load crawl directories and put those of one target beside each other.

    Raises:
        ConfigurationError: a directory or the collection cannot be used as asked; the message says why.
    """
    seen: dict[Path, Path] = {}
    for directory in directories:
        twin = seen.setdefault(directory.resolve(), directory)
        if twin is not directory:
            raise ConfigurationError(f"{directory} is given twice; name each crawl directory once")
    labels = load_collection_labels(collection) if collection else None
    return compare([load_crawl(directory) for directory in directories], labels)


def write_report(comparisons: Sequence[Comparison], output: Path, made_at: datetime) -> list[Path]:
    """Write the page, and the tables in a folder beside it that is named like the page.

    Returns:
        The files written, the page first.

    Raises:
        ConfigurationError: the output has no HTML suffix, cannot be written, or has its folder where a crawl lies.
    """
    if output.suffix.lower() not in {".html", ".htm"}:
        raise ConfigurationError(f"output {str(output)!r} must end in .html: the tables go into a folder of that name")
    folder = output.with_suffix("")
    if folder.resolve() in {member.crawl.path.resolve() for _, member in members_of(comparisons)}:
        raise ConfigurationError(f"the tables would go into the crawl directory {folder}; choose another --output")
    frames = report_frames(comparisons)
    page = render_report(comparisons, frames, folder.name, made_at.strftime("%Y-%m-%d %H:%M %Z").strip())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = [_write(folder / f"{name}.csv", to_csv(frame)) for name, frame in frames.items()]
        return [_write(output, page), *tables]
    except OSError as error:
        raise ConfigurationError(f"the report cannot be written: {error}; choose another --output") from error


def _write(path: Path, text: str) -> Path:
    """Replace a file at once, so that a reader never sees half of it."""
    fresh = path.with_name(f".{path.name}.part")
    fresh.write_text(text, encoding="utf-8", errors="replace", newline="")
    fresh.replace(path)
    return path


def to_csv(frame: pd.DataFrame) -> str:
    """Write a table as CSV (RFC 4180), truth values as the crawl's own files have them.

    Texts that a spreadsheet would take for a formula get a ``'`` in front.
    """
    types = pd.api.types
    texts: Mapping[str, pd.Series[str]] = {
        name: frame[name].map(_defuse)
        for name in frame.columns
        if types.is_bool_dtype(frame[name]) or not types.is_numeric_dtype(frame[name])
    }
    return frame.assign(**texts).to_csv(index=False, lineterminator="\r\n")


def _defuse(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
