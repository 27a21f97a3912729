"""The pages and redirects in WARC files."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.web_recorder import Recording

REDIRECTS = (301, 302, 303, 307, 308)


def warc_recordings(path: Path) -> Iterator[Recording]:
    """Read a WARC file, compressed or not: answers with status 200 and redirects, in file order.

    Raises:
        ConfigurationError: FastWARC is not installed, or the file cannot be read.
    """
    try:
        warc = importlib.import_module("fastwarc.warc")
    except ImportError as error:
        raise ConfigurationError(f"{path}: reading WARC files needs FastWARC; run pip install fastwarc") from error
    try:
        with path.open("rb") as file:
            for record in warc.ArchiveIterator(file, record_types=warc.WarcRecordType.response, parse_http=True):
                recording = _recording(record)
                if recording:
                    yield recording
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read: {' '.join(str(error).split())}") from error


def _recording(record: Any) -> Recording | None:
    http = record.http_headers
    url = record.headers.get("WARC-Target-URI", "").strip("<>")
    if http is None or not url:
        return None
    if http.status_code in REDIRECTS:
        return Recording(url, location=http.get("Location", ""))
    if http.status_code != 200:
        return None
    content_type = http.get("Content-Type", "")
    return (
        Recording(url, record.reader.read(), content_type)
        if "html" in content_type.lower() or not content_type
        else None
    )
