"""The web of a test, and crawls of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_of_test import Crawl, WebServer


@pytest.fixture
def server() -> Iterator[WebServer]:
    made = WebServer()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def crawl(server: WebServer, tmp_path: Path) -> Crawl:
    return Crawl(server, tmp_path)
