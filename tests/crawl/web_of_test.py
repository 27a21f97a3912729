"""A web server on loopback whose answers a test writes down, and crawls of it by the real command."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web

MANY = 1 << 60
ROOT = Path(__file__).resolve().parent.parent.parent
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

TOPIC_STRATEGIES = (
    "breadth_first", "best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc", "topic_learned",
)  # fmt: skip
KOREAN = "대한민국의 수도는 서울이며 한국어를 공용어로 사용한다. 이 문서는 웹 수집기를 시험하기 위하여 작성되었다. " * 3
ENGLISH = "The quick brown fox jumps over the lazy dog, and this page was written to try a crawler on it. " * 3


def html(title: str, text: str, *links: tuple[str, str]) -> str:
    anchors = "".join(f'<p><a href="{url}">{anchor}</a></p>' for url, anchor in links)
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head><body><p>{text}</p>{anchors}</body></html>'


class Served(NamedTuple):
    """One request as the server saw it; times in seconds of a monotonic clock."""

    host: str
    path: str
    start: float
    end: float


class WebServer:
    """Serve ``pages[(host, path)]``: HTML text, a response factory, or 404; no more than ``held_after`` answers."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, str], str | Answer] = {}
        self.requests: list[Served] = []
        self.user_agents: set[str] = set()
        self.held_after = MANY
        """Answers after which the web falls silent: a crawl cannot run on while a test makes up its mind."""
        self.held = 0
        """Requests that wait for an answer."""
        self.port = 0
        self._answered = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def wait(self, count: int, process: subprocess.Popen[str]) -> None:
        """Wait until so many requests were answered; fails when the process ends before."""
        while len(self.requests) < count:
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.005)

    def kill_after(self, count: int, process: subprocess.Popen[str]) -> None:
        """SIGKILL a process when so many requests were answered, and not one more."""
        self.held_after = count
        self.wait(count, process)
        process.kill()
        process.communicate()
        self.held_after = MANY

    def paths(self) -> list[str]:
        return [f"{served.host}{served.path}" for served in self.requests]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._open())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._close())
        self._loop.close()

    async def _open(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{tail:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _close(self) -> None:
        """End also the answers that would have gone on for ever."""
        await self._runner.cleanup()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        start = time.monotonic()
        self.held += 1
        try:
            while self._answered >= self.held_after:  # noqa: ASYNC110 - it is set by another thread
                await asyncio.sleep(0.005)
        finally:
            self.held -= 1
        self._answered += 1
        try:
            self.user_agents.add(request.headers.get("User-Agent", ""))
            page = self.pages.get((request.host, request.path_qs))
            if callable(page):
                return await page(request)
            if page is None:
                return web.Response(status=404, text="nothing here")
            return web.Response(text=page, content_type="text/html")
        finally:
            self.requests.append(Served(request.host, request.path_qs, start, time.monotonic()))


class Crawl:
    """The real command on the test's web."""

    def __init__(self, server: WebServer, folder: Path) -> None:
        self._server = server
        self.folder = folder
        self.output = folder / "out"
        self.seeds = folder / "seeds.txt"

    def command(self, *arguments: str, virtual: bool = True, **settings: Any) -> list[str]:
        options = {"FRONTIER_DELAY": 0, "FRONTIER_RETRY_DELAY": 0.1, "CRAWLER_CONTACT": "tests@localhost", **settings}
        if virtual:
            options["VIRTUAL_WEB"] = f"127.0.0.1:{self._server.port}"
        return [
            sys.executable, "-m", "scrapy", "crawl", "lang_focused", "-a", "target=ko", "-a", f"seeds={self.seeds}",
            "-a", f"output={self.output}", *arguments, *(part for key, value in options.items() for part in ("-s", f"{key}={value}")),
        ]  # fmt: skip

    @staticmethod
    def environment() -> dict[str, str]:
        paths = [str(ROOT), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "SCRAPY_SETTINGS_MODULE": "crawler_project.settings",
        }

    def start(self, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments, **settings),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str, seeds: list[str] | None = None, timeout: float = 60, **settings: Any) -> str:
        """Crawl to the end; what was printed. Fails when the command does."""
        if seeds is not None:
            self.seeds.write_text("\n".join(seeds) + "\n", encoding="utf-8")
        process = self.start(*arguments, **settings)
        printed, _ = process.communicate(timeout=timeout)
        assert process.returncode == 0, printed
        assert "Traceback" not in printed, printed
        return printed

    def rows(self) -> list[dict[str, str]]:
        """All rows of all languages in the order of the crawl."""
        found: list[dict[str, str]] = []
        for path in self.output.glob("crawled-*.csv"):
            with path.open(newline="", encoding="utf-8") as file:
                found += csv.DictReader(file)
        return sorted(found, key=lambda row: int(row["position"]))

    def summary(self) -> dict[str, Any]:
        return json.loads((self.output / "crawl.json").read_text(encoding="utf-8"))

    def stats(self) -> dict[str, int]:
        return self.summary()["stats"]
