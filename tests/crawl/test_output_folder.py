"""The output folder of workers that start at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from crawler_project.crawling.output_folder import make_writable


def test_folder_is_tried_by_many_at_once_and_left_empty(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "ko"
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(make_writable, [folder] * 3000))
    assert list(folder.iterdir()) == []
