"""What somebody who looked at sites says of them: a table with a site and yes or no."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.verification.site import site_of

_WORDS: Final = {
    **dict.fromkeys(("true", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "no", "n", "0"), False),
    "": None,
}
_SITE, _LABEL = ("site", "url"), ("relevant", "label")


def read_labels(name: str) -> dict[str, bool]:
    """Read a CSV file with the columns ``site`` (or ``url``) and ``relevant`` (or ``label``): true or false, empty for unknown.

    Raises:
        ConfigurationError: the file cannot be read, lacks a column, or says something else; names the line.
    """
    try:
        with Path(name).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise ConfigurationError(
            f"labels={name!r} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    header = rows[0].keys() if rows else ()
    site, label = (next((one for one in names if one in header), None) for names in (_SITE, _LABEL))
    if site is None or label is None:
        raise ConfigurationError(
            f"labels={name!r} needs the columns site and relevant, and a row; it has {list(header)}"
        )
    found: dict[str, bool] = {}
    for number, row in enumerate(rows, 2):
        word = (row[label] or "").strip().lower()
        if word not in _WORDS:
            raise ConfigurationError(f"labels={name!r}, line {number}: {row[label]!r} must be true or false, or empty")
        truth = _WORDS[word]
        if truth is not None:
            found[_site_of(row[site] or "")] = truth
    return found


def _site_of(text: str) -> str:
    text = text.strip()
    return site_of(text if "://" in text else f"http://{text}")
