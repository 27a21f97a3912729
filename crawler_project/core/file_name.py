"""The files that a crawl's rows go to, by name."""

from __future__ import annotations

import re

_NO_NAME = re.compile(r"[^A-Za-z0-9-]")


def file_name(language: str, worker: str = "") -> str:
    """``crawled-ko.csv``, of a worker ``crawled-ko.WORKER.csv``; whatever a label holds, the name stays within its folder."""
    return f"crawled-{_NO_NAME.sub('_', language) or 'und'}{f'.{worker}' if worker else ''}.csv"
