"""What a topic crawl learns about links, kept with its frontier: it outlives a stop, and reaches the other workers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from crawler_project.core.seams import Frontier
from crawler_project.strategies.topic_evidence import page_key
from crawler_project.strategies.topic_learned import TopicLearned

MOST_NOTES: Final = 1_000
"""Lessons of each worker that are kept, about 200 bytes each; the latest take the places of the first."""
READ_EVERY: Final = 50
"""Pages between two looks at what other workers have learned."""
_PREFIX: Final = "lesson "


class LessonBook:
    """Write down each lesson with the commit of its page, and learn those of earlier runs and of other workers.

    Notes that cannot be read are passed over. A lesson whose commit was lost was learned all the same; its page is
    fetched again and teaches again.

    Args:
        worker: of several on one frontier; empty: there is one alone, so no others are looked for.
    """

    def __init__(self, frontier: Frontier, worker: str, strategy: TopicLearned) -> None:
        self._frontier = frontier
        self._worker = worker
        self._strategy = strategy
        self._read: dict[str, int] = {}
        """By note, the number of the lesson that was learned from it."""
        self._number = 0
        self._is_open = False

    def read(self) -> int:
        """Learn what is new, in the order in which it was learned; says how many lessons that were.

        Raises:
            FrontierAwayError: the frontier cannot be reached.
        """
        found = [(name, lesson) for name, text in self._frontier.notes(_PREFIX).items() if (lesson := _parsed(text))]
        found = [(name, lesson) for name, lesson in found if self._read.get(name, -1) < lesson.number]
        for name, lesson in sorted(found, key=lambda pair: (pair[1].number, pair[0])):
            self._read[name] = lesson.number
            self._strategy.learn_lesson(lesson.page, lesson.evidence, lesson.is_target)
        if not self._is_open:
            self._number = max((lesson.number + 1 for name, lesson in found if self._is_mine(name)), default=0)
            self._is_open = True
        return len(found)

    def write(self, url: str, evidence: str, is_target: bool) -> Mapping[str, str]:
        """Give the note to be kept with a page's commit; none for a page that teaches nothing.

        Raises:
            FrontierAwayError: the frontier cannot be reached.
        """
        if not self._is_open or (self._worker and self._number % READ_EVERY == 0):
            self.read()
        if not evidence:
            return {}
        name = f"{_PREFIX}{self._worker} {self._number % MOST_NOTES}"
        self._read[name] = self._number
        text = json.dumps([self._number, page_key(url), evidence, is_target])
        self._number += 1
        return {name: text}

    def _is_mine(self, name: str) -> bool:
        return name.rpartition(" ")[0] == f"{_PREFIX}{self._worker}"


class _Lesson(NamedTuple):
    number: int
    page: int
    evidence: str
    is_target: bool


def _parsed(text: str) -> _Lesson | None:
    try:
        number, page, evidence, is_target = json.loads(text)
    except (ValueError, TypeError):
        return None
    well_formed = isinstance(number, int) and isinstance(page, int) and isinstance(evidence, str)
    return _Lesson(number, page, evidence, bool(is_target)) if well_formed else None
