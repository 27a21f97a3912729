"""Several workers of one crawl on a Redis server of the test's own."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from web_of_test import Crawl, WebServer

sys.path.append(str(Path(__file__).resolve().parent.parent / "frontier"))

from redis_fixture import RedisServer

__all__ = ["RedisServer", "Workers", "redis_of_crawls", "workers"]


class Workers:
    """Processes of the real command that share a crawl and an output folder."""

    def __init__(self, crawl: Crawl, redis: RedisServer, name: str) -> None:
        self.crawl, self.redis, self.name = crawl, redis, name
        self.processes: list[subprocess.Popen[str]] = []

    @property
    def settings(self) -> dict[str, Any]:
        return {"REDIS_URL": self.redis.url, "FRONTIER_CRAWL": self.name, "PROGRESS_INTERVAL": 600}

    def start(self, count: int = 1, *arguments: str, **settings: Any) -> None:
        for _ in range(count):
            self.processes.append(self.crawl.start(*arguments, **{**self.settings, **settings}))

    def finish(self, timeout: float = 120, code: int = 0) -> list[str]:
        """Wait for all; what each has printed. Fails when one of them has another exit code."""
        printed = [process.communicate(timeout=timeout)[0] for process in self.processes]
        for process, text in zip(self.processes, printed, strict=True):
            assert process.returncode == code, text
            assert "Traceback" not in text, text
        self.processes.clear()
        return printed

    def run(self, count: int, *arguments: str, seeds: list[str] | None = None, **settings: Any) -> list[str]:
        if seeds is not None:
            self.crawl.seeds.write_text("\n".join(seeds) + "\n", encoding="utf-8")
        self.start(count, *arguments, **settings)
        return self.finish()

    def until(self, is_so: Callable[[], bool], timeout: float = 60) -> None:
        """Wait for something that the server or the files show."""
        end = time.monotonic() + timeout
        while not is_so():
            assert time.monotonic() < end
            time.sleep(0.01)

    def have_begun(self) -> bool:
        """Each has opened its spider: from then on it stops in order when it is told to."""
        return len(list(self.crawl.output.glob("crawl.*.json"))) == len(self.processes)

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()

    def export(self) -> list[dict[str, str]]:
        """The rows of ``scrapy export``."""
        path = self.crawl.folder / "pages.csv"
        command = [sys.executable, "-m", "scrapy", "export", str(self.crawl.output), "--out", str(path)]
        subprocess.run(command, cwd=Path(__file__).parent.parent.parent, check=True, capture_output=True)
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def keys(self, pattern: str) -> list[bytes]:
        return list(self.redis.client().keys(f"*{self.name}*{pattern}"))


def gaps_of(server: WebServer, server_of: Callable[[str], str] = str) -> list[float]:
    """Seconds from the end of each answer to the next request on its host (or the server of its host); negative: they
    overlap."""
    by_host: dict[str, list[Any]] = {}
    for served in sorted(server.requests, key=lambda served: served.start):
        by_host.setdefault(server_of(served.host), []).append(served)
    return [later.start - earlier.end for requests in by_host.values() for earlier, later in pairwise(requests)]


@pytest.fixture(scope="session")
def redis_of_crawls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis"), "--appendonly", "yes", "--appendfsync", "no") as server:
        yield server


@pytest.fixture
def workers(crawl: Crawl, redis_of_crawls: RedisServer, request: pytest.FixtureRequest) -> Iterator[Workers]:
    made = Workers(crawl, redis_of_crawls, request.node.name.replace("[", "-").replace("]", "").replace(" ", ""))
    yield made
    made.stop()
