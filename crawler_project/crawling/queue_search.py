"""Look addresses up in the queue of a crawl that has ended, or of one in Redis: why they were left."""

from __future__ import annotations

import json
import time
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.core.urls import UrlParts, canonical_url
from crawler_project.core.values import Entry
from crawler_project.crawling.crawl_plan import FRONTIER_FILE
from crawler_project.frontier.whereabouts import UNKNOWN, Whereabouts
from crawler_project.page.traps import trap_reason
from crawler_project.reports.left_link import LeftLink
from crawler_project.strategies.learning.file import Recollection
from crawler_project.strategies.learning.weighing import Weighing


class _Queue(Protocol):
    def find(self, url: str, host: str) -> Whereabouts: ...
    def best(self) -> Entry | None: ...
    def close(self) -> None: ...


class QueueSearch(AbstractContextManager["QueueSearch"]):
    """Find out about addresses; the queue is opened when the first is asked for.

    Args:
        output: the crawl's output folder, with its ``crawl.json`` and what its workers remembered.
        jobdir: its JOBDIR, if it has one.
        redis_url: its Redis; ``None``: that of the settings, if its ``crawl.json`` names a crawl there.
    """

    def __init__(self, output: Path, jobdir: str | None, redis_url: str | None, settings: BaseSettings) -> None:
        self._output, self._jobdir = output, jobdir
        self._settings = settings.copy()
        if redis_url:
            self._settings.set("REDIS_URL", redis_url, priority="cmdline")
        self._opened: _Queue | None = None
        self._is_asked_for = bool(redis_url)
        self.note = "name the crawl's JOBDIR (--jobdir DIR) to know which; a crawl without one keeps no queue"
        """What to do to know more, where :meth:`find` gives ``None``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._opened is not None:
            self._opened.close()

    def find(self, asked: str) -> LeftLink | None:
        """Say why an address has no row; ``None``: the crawl has left no queue that is known.

        Raises:
            CrawlerProjectError: the queue cannot be opened, is in use, or is another program's.
        """
        queue = self._queue
        if queue is None:
            return None
        for parts in _forms(asked):
            found = queue.find(parts.url, parts.host)
            if found.state != UNKNOWN:
                return self._described(parts, found, queue)
        refused = next(filter(None, (trap_reason(parts.url) for parts in _forms(asked))), "")
        return LeftLink(UNKNOWN, f"its address looks like a trap ({refused})" if refused else "")

    @cached_property
    def _queue(self) -> _Queue | None:
        if self._jobdir is not None:
            self._opened = _EmbeddedQueue(Path(self._jobdir), self._output)
        elif crawl := _crawl_in_redis(self._output):
            try:
                self._opened = _RedisQueue(crawl, self._settings)
            except CrawlerProjectError as error:
                if self._is_asked_for:
                    raise
                self.note = f"its queue was not looked into: {error}"
        return self._opened

    def _described(self, parts: UrlParts, found: Whereabouts, queue: _Queue) -> LeftLink:
        entry = found.entry
        if entry is None:
            return LeftLink(found.state, found.reason)
        first = queue.best()
        offset = queue.find(first.url, first.host).offset if first is not None else 0.0
        weighing, note = self._weighed(entry, found)
        return LeftLink(
            found.state, found.reason, entry.priority, found.offset, entry.referrer, entry.why, entry.anchor_text,
            first.url if first is not None else "", first.priority + offset if first is not None else 0.0, weighing, note,
        )  # fmt: skip

    def _weighed(self, entry: Entry, found: Whereabouts) -> tuple[Weighing | None, str]:
        if not entry.evidence:
            return None, ""
        try:
            weighing = self._recollection.weigh(entry.url, entry.host, entry.evidence, found.counts)
        except ConfigurationError as error:
            return None, f"what it is worth now is not known: {error}"
        return weighing, ""

    @cached_property
    def _recollection(self) -> Recollection:
        return Recollection(sorted(self._output.glob("memory*.zip")))


class _EmbeddedQueue:
    """The frontier file of a JOBDIR."""

    def __init__(self, jobdir: Path, output: Path) -> None:
        from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

        path = jobdir / FRONTIER_FILE
        if not path.is_file():
            raise ConfigurationError(f"there is no {FRONTIER_FILE} in {jobdir}; name the JOBDIR of the crawl")
        self._frontier = EmbeddedFrontier(path, identity=None, delay=0.0)
        stored = Path(str(self._frontier.identity().get("output", output)))
        if stored.exists() and not (output.exists() and stored.samefile(output)):  # one that is gone was moved
            self._frontier.close()
            raise ConfigurationError(
                f"{jobdir} is the JOBDIR of the crawl in {stored}; name the one of the crawl in {output}"
            )
        self.find, self.close = self._frontier.find, self._frontier.close

    def best(self) -> Entry | None:
        return next(iter(self._frontier.peek(1, time.time())), None)


class _RedisQueue:
    """A crawl in Redis, at work or not."""

    def __init__(self, crawl: str, settings: BaseSettings) -> None:
        from crawler_project.crawling.shared_crawl import connect
        from crawler_project.frontier.redis_operator import RedisOperator
        from crawler_project.frontier.redis_server import check_server, raw_client

        client = raw_client(connect(settings))
        check_server(client)
        self._operator = RedisOperator(client, crawl)
        self.find, self.close = self._operator.find, client.close

    def best(self) -> Entry | None:
        return next((url.entry for url in self._operator.peek(1)), None)


def _forms(asked: str) -> list[UrlParts]:
    """What somebody typed, canonical: with or without a scheme."""
    forms = [asked] if "://" in asked else [f"https://{asked}", f"http://{asked}"]
    return [parts for form in forms if (parts := canonical_url(form.strip())) is not None]


def _crawl_in_redis(output: Path) -> str:
    """The name under which a crawl is in Redis; empty: it is not, or that is not known."""
    try:
        about = json.loads((output / "crawl.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    name = about.get("crawl") if isinstance(about, dict) else ""
    return name if isinstance(name, str) else ""
