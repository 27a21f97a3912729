"""The folder that a web is written into: a new one, an empty one, or that of another web, which is replaced."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.parquet_web import PAGE_COLUMNS
from crawler_project.simulator.text_recorder import LINK_TEXTS, PAGE_TEXTS, TEXTS

_OF_TEXTS: Final = frozenset({TEXTS, PAGE_TEXTS, LINK_TEXTS})
_OF_WEB: Final = _OF_TEXTS | {"pages.parquet", "links.parquet", "seeds.txt", "meta.json"}


def check_web_folder(folder: Path) -> None:
    """Refuse a folder that holds anything but a web, whole or begun.

    Raises:
        ConfigurationError: a web cannot be written there without harm; nothing was touched.
    """
    if folder.exists() and not (folder.is_dir() and _holds_only_a_web(folder)):
        raise ConfigurationError(
            f"{folder} holds something else than a web; name a new folder, or one that holds a web only"
        )


def remove_texts(folder: Path) -> None:
    """Remove the texts of the web that was in the folder before: they are not of the next one."""
    for name in _OF_TEXTS:
        (folder / name).unlink(missing_ok=True)


def _holds_only_a_web(folder: Path) -> bool:
    names = {path.name for path in folder.iterdir()}
    if "pages.parquet" not in names:
        return names <= _OF_TEXTS  # nothing, or texts: they are recorded first
    return names <= _OF_WEB and _has_columns_of_pages(folder / "pages.parquet")


def _has_columns_of_pages(path: Path) -> bool:
    """Tell the pages of a web from those that ``scrapy export`` writes under the same name."""
    try:
        return pq.read_schema(path).names == list(PAGE_COLUMNS)
    except (OSError, ValueError):
        return False
