"""Links on their way into Redis: what is sent, what is left out, what has to wait for a sweep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from crawler_project.core.errors import StateError
from crawler_project.core.values import CommitResult, Entry
from crawler_project.frontier.redis_crawl import RedisCrawl
from crawler_project.frontier.redis_dropped import RedisDropped
from crawler_project.frontier.redis_entries import Argument, EntryWriter, distinct_entries, in_chunks
from crawler_project.frontier.redis_lessons import RedisLessons
from crawler_project.frontier.sent_links import NO_VIEW, SentLinks

_TRIES = 3
_STALE = -1


class _Written(NamedTuple):
    """A commit that is under way: all its entries, and those that are sent."""

    arguments: Sequence[Argument]
    batch: dict[int, Entry]
    wanted: dict[int, Entry]
    view: bytes


class RedisLinks:
    """Add entries, alone or within a commit."""

    def __init__(
        self, crawl: RedisCrawl, writer: EntryWriter, sent: SentLinks, dropped: RedisDropped, lessons: RedisLessons
    ) -> None:
        self._scripts = crawl.scripts
        self._lessons = lessons
        self._writer = writer
        self._sent = sent
        self._dropped = dropped

    def add(self, entries: Iterable[Entry], compare_distance: bool) -> CommitResult:
        """Queue what was never seen, improve what is queued (R5)."""
        batch = distinct_entries(entries, compare_distance)
        return self._add(batch) if batch else CommitResult()

    def commit(
        self,
        arguments: Sequence[Argument],
        entries: Iterable[Entry],
        discarded: Collection[str],
        compare_distance: bool,
    ) -> CommitResult:
        """Commit with these arguments of its own; entries of ``discarded`` hosts are not sent ahead of it.

        Of more than 250 entries all but the last 250 are added before, each 250 by a round trip of their own.
        """
        batch = distinct_entries(entries, compare_distance)
        return self._commit(arguments, batch, *self._sent.unsent(batch), discarded)

    def commit_all(
        self, commits: Sequence[tuple[Sequence[Argument], Iterable[Entry]]], compare_distance: bool
    ) -> list[CommitResult]:
        """Several commits in one round trip, one after the other; each has at most 250 distinct entries to send.

        What one sends, the next may leave out: if the first is refused, the next one is as well.
        """
        written: list[_Written] = []
        try:
            for arguments, entries in commits:
                batch = distinct_entries(entries, compare_distance)
                wanted, view = self._sent.unsent(batch)
                self._sent.note(wanted, b"")
                written.append(_Written(arguments, batch, wanted, view))
            texts = [[*one.arguments, one.view, *self._writer.arguments(one.wanted)] for one in written]
            answers = self._scripts.call_all("commit", texts)
            return [self._settled(one, answer) for one, answer in zip(written, answers, strict=True)]
        except StateError:
            self._sent.forget()  # some may not have been taken
            raise

    def _settled(self, one: _Written, answer: Any) -> CommitResult:
        accepted, added, improved, retried, dead, deferred, now_known, lessons = answer
        if accepted == _STALE:
            self._sent.learn(now_known)
            return self._commit(one.arguments, one.batch, one.batch, NO_VIEW, ())
        self._sent.note((), now_known)
        result = CommitResult(added, improved, bool(accepted), bool(retried), bool(dead), self._lessons.read(lessons))
        return _sum(result, self._add_deferred(one.wanted, deferred))

    def _commit(
        self,
        arguments: Sequence[Argument],
        batch: dict[int, Entry],
        wanted: dict[int, Entry],
        view: bytes,
        discarded: Collection[str],
    ) -> CommitResult:
        before = CommitResult()
        while True:
            *earlier, last = in_chunks(wanted)
            for chunk in earlier:
                kept = {key: entry for key, entry in chunk.items() if entry.host not in discarded}
                before = _sum(before, self._add(kept))
            answer = self._scripts.call("commit", [*arguments, view, *self._writer.arguments(last)])
            accepted, added, improved, retried, dead, deferred, now_known, lessons = answer
            if accepted != _STALE:
                break
            self._sent.learn(now_known)
            wanted, view = batch, NO_VIEW
        self._sent.note(last, now_known)
        result = CommitResult(added, improved, bool(accepted), bool(retried), bool(dead), self._lessons.read(lessons))
        return _sum(_sum(result, self._add_deferred(last, deferred)), before)

    def _add(self, batch: dict[int, Entry]) -> CommitResult:
        result = CommitResult()
        wanted, view = self._sent.unsent(batch)
        for chunk in in_chunks(wanted):
            if chunk or view != NO_VIEW:  # also when all are known: the server says whether that is so
                answer = self._call_add(chunk, view)
                if answer[0] == _STALE:
                    self._sent.learn(answer[3])
                    return _sum(result, self._add(batch))
                added, improved, deferred, now_known = answer
                self._sent.note(chunk, now_known)
                late = self._add_deferred(chunk, deferred)
                result = _sum(result, _sum(CommitResult(added, improved), late))
                view = self._sent.view if view != NO_VIEW else NO_VIEW
        return result

    def _call_add(self, chunk: dict[int, Entry], view: bytes) -> Any:
        return self._scripts.call("add", [view, *self._writer.arguments(chunk)])

    def _add_deferred(self, chunk: dict[int, Entry], deferred: Sequence[int]) -> CommitResult:
        """Clear up behind hosts that were discarded and are kept now, then meet their URLs again (R4)."""
        result = CommitResult()
        for _ in range(_TRIES):
            if not deferred:
                return result
            items = list(chunk.items())
            chunk = dict(items[number - 1] for number in deferred)
            for host in {entry.host for entry in chunk.values()}:
                while self._dropped.sweep(host, 10) or self._dropped.sweep("", 10):
                    pass
            added, improved, deferred, _ = self._call_add(chunk, NO_VIEW)
            result = _sum(result, CommitResult(added, improved))
        if deferred:
            raise StateError("the frontier in Redis is damaged: what was dropped with a host cannot be cleared up")
        return result


def _sum(one: CommitResult, other: CommitResult) -> CommitResult:
    return one._replace(added=one.added + other.added, improved=one.improved + other.improved)
