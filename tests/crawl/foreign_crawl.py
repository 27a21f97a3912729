"""Runs of somebody else's spiders on a Redis of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_of_test import ROOT, WebServer
from workers_of_test import RedisServer, Workers, redis_of_crawls

__all__ = ["ForeignCrawl", "foreign", "redis_of_crawls"]


class ForeignCrawl(Workers):
    """Processes of ``scrapy crawl`` in a project of its own; all hosts are reached by a proxy, the test's server."""

    def __init__(self, server: WebServer, folder: Path, redis: RedisServer) -> None:
        self.folder, self.redis = folder, redis
        self.rows_file = folder / "rows"
        self._server = server
        self.processes = []

    @property
    def environment(self) -> dict[str, str]:
        paths = [str(ROOT), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "SCRAPY_SETTINGS_MODULE": "foreign_settings",
            "http_proxy": f"http://127.0.0.1:{self._server.port}",
            "ROWS_OF_TEST": str(self.rows_file),
        }

    def start(self, spider: str, *seeds: str, **settings: Any) -> None:  # type: ignore[override]
        settings = {"REDIS_URL": self.redis.url, "DOWNLOAD_DELAY": 0, **settings}
        command = [sys.executable, "-m", "scrapy", "crawl", spider, "-a", "seeds=" + ",".join(seeds)]
        command += [part for key, value in settings.items() for part in ("-s", f"{key}={value}")]
        self.processes.append(
            subprocess.Popen(
                command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        )  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """What the callbacks have written, of all workers."""
        return [json.loads(line) for line in self.rows_file.read_text(encoding="utf-8").splitlines()]

    def urls(self) -> set[str]:
        return {row["url"] for row in self.rows()}

    def operate(self, *arguments: str) -> str:
        """What ``scrapy frontier`` prints."""
        command = [sys.executable, "-m", "scrapy", "frontier", *arguments, "--redis", self.redis.url]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def foreign(server: WebServer, tmp_path: Path, redis_of_crawls: RedisServer) -> Iterator[ForeignCrawl]:
    made = ForeignCrawl(server, tmp_path, redis_of_crawls)
    redis_of_crawls.client().flushall()
    yield made
    made.stop()
