"""What a crawl learns is kept with its frontier, shared among its workers, and written beside its rows."""

from __future__ import annotations

import logging
import time
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError, FrontierAwayError
from crawler_project.core.seams import Frontier
from crawler_project.core.values import Entry
from crawler_project.crawling.allowance import Allowance
from crawler_project.crawling.garbage import collect_rarely
from crawler_project.crawling.shared_crawl import connect
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.frontier.redis_operator import RedisOperator
from crawler_project.frontier.redis_server import raw_client
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.file import digest_of, read_memory, write_memory
from crawler_project.strategies.learning.left import weigh_left, write_left
from crawler_project.strategies.learning.sharing import learn_from, pack_knowledge, unpack_knowledge
from crawler_project.strategies.learning.state import describe_state, write_state

if TYPE_CHECKING:
    from crawler_project.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

TURN = 5.0
"""Seconds. The first pages teach most, and notes are short then."""
BYTES_A_SECOND = 300
"""Of notes written and read by a worker, in the long run: the longer they are, and the more workers, the fewer exchanges."""
MOST_NOTES = 64
"""Of workers that are gone too. Beyond it the shortest are emptied, which say least; a worker that is there tells its own again."""
TURNS_A_SAVE = 60
"""Turns between two times that all is written, at least."""
MOST_SAVING = 0.02
"""Share of the time that may go into that: it takes tenths of a second at first, some seconds with very many links that wait."""
_LEFT = 30
"""Links that were left and are written down."""
_NOTE = "learned "
_MEMORY = "memory"
_UNFINISHED = "unfinished"
""":data:`_MEMORY` while a run goes on: the file is of another moment than the frontier."""


def exchange(frontier: Frontier, worker: str, strategy: Adaptive, *, is_first: bool = False) -> int:
    """Tell the other workers what this one knows, and mix in what they do; return the bytes written and read.

    ``is_first``: nothing is told yet, and what this worker itself knew in an earlier run is taken too.
    Notes that cannot be read are passed over; stale ones are as good as ever, only less is behind them.
    """
    learner = strategy.learner
    note = "" if is_first else pack_knowledge(learner)
    if note:
        frontier.set_note(_NOTE + worker, note)
    notes = {name: text for name, text in frontier.notes(_NOTE).items() if text}
    for name in sorted(notes, key=lambda name: len(notes[name]))[:-MOST_NOTES]:
        frontier.set_note(name, "")
    told = {name: unpack_knowledge(text) for name, text in sorted(notes.items())}
    own = told.pop(_NOTE + worker, None)
    others = [knowledge for knowledge in told.values() if knowledge is not None]
    if is_first and own is not None:
        learner.model.mix([(own.weights, own.gradients)])
        learner.ways.resume(own.ways)
    learn_from(learner, others)
    return len(note) + sum(map(len, notes.values()))


class SharedLearning:
    """Exchange what is known every few seconds, and keep it in the output folder, every five minutes or more rarely, and at the end.

    ``model.json`` is for people and for other crawls. ``memory.zip`` has everything, to the last count: a crawl of one worker
    goes on with it as if it had not stopped, and ``scrapy explain`` looks links up in it. Does nothing for strategies
    that do not learn.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._turns = 0
        self._next_save = TURNS_A_SAVE
        self._notes = Allowance(TURN * BYTES_A_SECOND, BYTES_A_SECOND, now=0.0)
        """In seconds of turns taken, not of a clock: a turn that comes late gives no more."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self._spider: FocusedSpider = spider  # type: ignore[assignment]
        strategy = getattr(getattr(spider, "plan", None), "strategy", None)
        self._strategy = strategy if isinstance(strategy, Adaptive) else None
        if self._strategy is None:
            return
        collect_rarely()
        if not self._remember(self._strategy):
            self._exchange(is_first=True)
        self._note_memory(_UNFINISHED)
        self._loop = create_looping_call(self._take_turn)
        self._loop.start(TURN, now=False)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        if self._strategy is None:
            return
        self._loop.stop()
        self._exchange()
        self._note_memory(self._save(self._strategy))
        self._write_left(self._strategy)

    def _take_turn(self) -> None:
        """Exchange when the latest notes are paid for, and now and then save, so that a kill costs little."""
        assert self._strategy is not None
        self._turns += 1
        if self._notes.is_left(TURN * self._turns):
            self._notes.take(self._exchange())
        if self._turns >= self._next_save:
            began = time.monotonic()
            self._save(self._strategy)
            took = time.monotonic() - began
            self._next_save = self._turns + max(TURNS_A_SAVE, ceil(took / MOST_SAVING / TURN))

    def _save(self, strategy: Adaptive) -> str:
        """Write both files; the digest of the second, empty when that was not possible."""
        about = {"target": str(self._spider.plan.target), "strategy": repr(strategy)}
        try:
            write_state(self._file("model", "json"), describe_state(strategy.learner, about))
            return write_memory(self._file("memory", "zip"), strategy)
        except ConfigurationError as error:
            logger.error("%s. What was learned since it was last written would be lost.", error)
            return ""

    def _write_left(self, strategy: Adaptive) -> None:
        """Write what would have come next, of each host the best link."""
        try:
            links = weigh_left(self._next_entries(), strategy)
            write_left(self._file("left", "json"), links)
        except CrawlerProjectError as error:
            logger.warning("%s. The report will not show the links that were left.", str(error).rstrip("."))

    def _next_entries(self) -> list[Entry]:
        """Of each host the best, with what the verdict on the host adds in its priority."""
        frontier = self._spider.frontier
        if isinstance(frontier, EmbeddedFrontier):
            return [_ranked(entry, frontier) for entry in frontier.peek(_LEFT, time.time())]
        client = raw_client(connect(self._crawler.settings))
        try:
            operator = RedisOperator(client, self._spider.plan.crawl)
            return [_ranked(url.entry, operator) for url in operator.peek(_LEFT)]
        finally:
            client.close()

    def _note_memory(self, digest: str) -> None:
        """Note with the frontier which file goes on exactly where it stands; of a shared one, none does."""
        if not self._spider.shared:
            self._spider.frontier.set_note(_MEMORY, digest)

    def _file(self, name: str, kind: str) -> Path:
        worker = self._spider.worker
        return self._spider.plan.output / f"{name}{f'.{worker}' if worker else ''}.{kind}"

    def _remember(self, strategy: Adaptive) -> bool:
        """Go on with what an earlier run of this crawl has left; whether it is of the very moment of the frontier.

        After a kill it is some minutes older, or newer than the frontier: counts of links and pages are a little off then,
        which does no harm, and the weights of the frontier's latest checkpoint are mixed in.
        """
        digest = None if self._spider.shared else self._spider.frontier.note(_MEMORY)
        path = self._file("memory", "zip")
        if digest is None or not path.exists():
            return False
        try:
            strategy.restore(read_memory(path))
        except (ConfigurationError, ValueError) as error:
            logger.warning("%s. The crawl goes on with the weights alone.", str(error).rstrip("."))
            return False
        return digest_of(path) == digest

    def _exchange(self, *, is_first: bool = False) -> float:
        assert self._strategy is not None
        try:
            if self._spider.shared is not None:
                self._strategy.elsewhere = max(0, self._spider.shared.pages().pages - self._strategy.own_pages)
            return exchange(self._spider.frontier, self._spider.worker, self._strategy, is_first=is_first)
        except FrontierAwayError:
            return 0.0  # the scheduler says so; next time will do


def _ranked(entry: Entry, queue: EmbeddedFrontier | RedisOperator) -> Entry:
    return entry._replace(priority=entry.priority + queue.find(entry.url, entry.host).offset)
