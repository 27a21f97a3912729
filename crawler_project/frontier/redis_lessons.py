"""What other workers learned, heard with the own commits."""

from __future__ import annotations

from collections.abc import Sequence

from crawler_project.core.errors import StateError
from crawler_project.core.values import LONGEST_LESSON
from crawler_project.frontier.redis_entries import Argument

_START = b"0-0"


class RedisLessons:
    """Tells the lessons of one worker and hears those of the others, each once.

    A commit hears what was told since the one before, in the same round trip. Several commits in one round trip are all
    asked from the same place: what an earlier answer had is left out of the later ones.
    """

    def __init__(self, worker: str) -> None:
        self._worker = worker.encode("utf-8", "replace")
        self._since = _START

    def arguments(self, lesson: str | None) -> list[Argument]:
        """Three for commit.lua; ``None``: this commit takes no part. A lesson that is too long is not told."""
        if lesson is None:
            return [b"", b"", b""]
        told = lesson if len(lesson) <= LONGEST_LESSON else ""
        return [told.encode("utf-8", "replace"), self._since, self._worker]

    def read(self, answer: Sequence[bytes]) -> tuple[str, ...]:
        """Read what commit.lua answers of lessons; those of other workers that are new.

        Raises:
            StateError: it is damaged.
        """
        if not answer:
            return ()
        since = _place(self._since)
        heard = [
            text.decode("utf-8", "replace")
            for place, text in zip(answer[1::2], answer[2::2], strict=True)
            if _place(place) > since
        ]
        self._since = max(self._since, answer[0], key=_place)
        return tuple(heard)


def _place(text: bytes) -> tuple[int, int]:
    """Read a place in the stream: milliseconds, and a number among those of one millisecond."""
    try:
        milliseconds, number = text.split(b"-")
        return int(milliseconds), int(number)
    except ValueError as error:
        raise StateError(f"the frontier in Redis is damaged: {text!r:.80} is no place of a lesson") from error
