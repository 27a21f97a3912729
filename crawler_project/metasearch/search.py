"""A metasearch: all keyword sets to all providers at once; what one of them does wrong stops only that one.

Source: Li et al. 2006, section 3.1 (rule V15). Departures: several engines instead of one, and result pages are
asked for one after the other with a pause, because today's engines shut out whoever does not wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from crawler_project.metasearch.provider import Answer, Hit, Provider, ProviderError, Reply, SearchRequest

TRIES: Final = {"rate limit": 3, "time-out": 2, "no connection": 2, "server error": 2}
"""Times that a page of results is asked for, by what went wrong; once for anything else."""
MOST_FAILED: Final = 2
"""Queries in a row that may fail before a provider is left."""
PATIENCE: Final = 2
"""Pauses to wait after a first failure, twice as many after a second, for a provider that does not say how long."""

Fetch = Callable[[SearchRequest, bool], Awaitable[Reply]]
"""A request, and whether it may go to the own network. Raises ProviderError."""
Sleep = Callable[[float], Awaitable[object]]


@dataclass
class QueryResult:
    """What one provider gave for one keyword set."""

    provider: Provider
    query: str
    hits: list[Hit] = field(default_factory=list)
    """Of all pages of results, best first."""
    pages: int = 0
    outcome: str = "not asked"
    """``ok``; else the kind of error that ended it; ``not asked`` when the provider was left before."""


@dataclass
class ProviderReport:
    """How one provider did."""

    provider: Provider
    results: list[QueryResult]
    complaint: str = ""
    """What went wrong, in one line; empty: nothing."""
    notes: dict[str, int] = field(default_factory=dict)
    """What it says of others behind it, with how often."""

    @property
    def asked(self) -> int:
        """Give the number of keyword sets that were answered."""
        return sum(result.outcome == "ok" for result in self.results)


async def run_search(
    providers: Sequence[Provider], queries: Sequence[str], fetch: Fetch, *, pages: int, delay: float, sleep: Sleep
) -> list[ProviderReport]:
    """Ask everybody for everything.

    Args:
        pages: of results, at most, a keyword set and provider.
        delay: seconds between an answer of a provider and the next question to it.
    """
    return await asyncio.gather(
        *(_Asker(provider, fetch, pages, delay, sleep).ask_all(queries) for provider in providers)
    )


class _Asker:
    """The questions to one provider, one after the other."""

    def __init__(self, provider: Provider, fetch: Fetch, pages: int, delay: float, sleep: Sleep) -> None:
        self._provider = provider
        self._fetch = fetch
        self._pages = pages
        self._delay = delay
        self._sleep = sleep
        self._has_asked = False

    async def ask_all(self, queries: Sequence[str]) -> ProviderReport:
        results = [QueryResult(self._provider, query) for query in self._provider.queries_of(queries)]
        report = ProviderReport(self._provider, results)
        failed: list[ProviderError] = []
        in_a_row = 0
        for result in results:
            try:
                await self._ask(result, report)
                result.outcome, in_a_row = "ok", 0
            except ProviderError as error:
                result.outcome, in_a_row = error.kind, in_a_row + 1
                failed.append(error)
                if error.is_final or in_a_row >= MOST_FAILED:
                    break
        report.complaint = _complaint(report, failed)
        return report

    async def _ask(self, result: QueryResult, report: ProviderReport) -> None:
        known: set[str] = set()
        for page in range(self._pages):
            answer = await self._answer(result.query, page)
            new = {hit.url for hit in answer.hits} - known
            known |= new
            result.hits.extend(answer.hits)
            result.pages += 1
            for note in answer.notes:
                report.notes[note] = report.notes.get(note, 0) + 1
            if not (answer.has_more and new):  # some give their last page for every further one
                return

    async def _answer(self, query: str, page: int) -> Answer:
        asked = self._provider.ask(query, page)
        if isinstance(asked, Answer):
            return asked
        if self._has_asked:
            await self._sleep(self._delay)
        self._has_asked = True
        for attempt in count(1):
            try:
                return self._provider.read(await self._fetch(asked, self._provider.is_named))
            except ProviderError as error:
                if error.is_final or attempt >= TRIES.get(error.kind, 1):
                    raise
                await self._sleep(error.wait or PATIENCE * attempt * self._delay)
        raise AssertionError("unreachable")


def _complaint(report: ProviderReport, failed: Sequence[ProviderError]) -> str:
    if not failed:
        return ""
    asked, of = report.asked, len(report.results)
    return f"{failed[-1].kind}: {failed[-1]}; {asked} of {of} keyword sets answered"
