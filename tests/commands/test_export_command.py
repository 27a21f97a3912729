"""``scrapy export``: what it says when there is nothing to export."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name one crawl directory"),
        (["nowhere"], "nowhere does not exist"),
        ([".", "--out", "crawled-ko.csv"], "crawled-*.csv"),
    ],
)
def test_export_of_no_crawl_is_one_line(scrapy: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    done = scrapy("export", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
