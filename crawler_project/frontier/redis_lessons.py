"""What other workers learned, heard with the own commits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crawler_project.core.errors import StateError
from crawler_project.core.values import LONGEST_LESSON
from crawler_project.frontier.redis_entries import Argument

_START, _HEARS_NOTHING = b"0-0", b"-"
_is_place = re.compile(rb"\d{1,20}-\d{1,20}").fullmatch
"""Of a stream: milliseconds, and a number among those of one millisecond."""


class RedisLessons:
    """Tells the lessons of one worker and hears those of the others, each once.

    A commit hears what was told since the one before, in the same round trip, the latest 64 at most.
    """

    def __init__(self, worker: str) -> None:
        self._worker = worker.encode("utf-8", "replace")
        self._since = _START

    def arguments(self, lessons: Sequence[str | None]) -> list[list[Argument]]:
        """Three for commit.lua, for each of the commits of one round trip; ``None``: that commit takes no part.

        The first one that takes part hears for all. A lesson that is too long is not told.
        """
        since = self._since
        result: list[list[Argument]] = []
        for lesson in lessons:
            if lesson is None:
                result.append([b"", b"", b""])
                continue
            told = lesson if len(lesson) <= LONGEST_LESSON else ""
            result.append([told.encode("utf-8", "replace"), since, self._worker])
            since = _HEARS_NOTHING
        return result

    def read(self, answer: Sequence[bytes]) -> tuple[str, ...]:
        """Read what commit.lua answers of lessons.

        Raises:
            StateError: it is damaged.
        """
        if not answer:
            return ()
        place, *heard = answer
        if not _is_place(place):
            raise StateError(f"the frontier in Redis is damaged: {place!r:.80} is no place of a lesson")
        self._since = place
        return tuple([text.decode("utf-8", "replace") for text in heard])
