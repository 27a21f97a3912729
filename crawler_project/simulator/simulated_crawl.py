"""One simulated crawl from its first download to its last, and what it was worth on the way."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from crawler_project.core.metrics import coverage, harvest_rate
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies.base import Strategy


class TraceRow(NamedTuple):
    """A crawl at one moment (R20)."""

    pages: int
    relevant: int
    harvest_rate: float
    coverage: float
    queued: int


@dataclass(slots=True)
class SimulatedCrawl:
    """The downloads of one strategy, in order, and a trace of them."""

    strategy: Strategy
    all_relevant: int
    """Target pages of the whole web."""
    order: array[int] = field(default_factory=lambda: array("i"))
    """Page ids of the downloads made here, without those of an earlier part of the crawl."""
    trace: list[TraceRow] = field(default_factory=list)
    """One row every so many downloads, and one for the last."""
    peak_queue: int = 0
    is_interrupted: bool = False

    @property
    def last(self) -> TraceRow:
        return self.trace[-1] if self.trace else TraceRow(0, 0, 0.0, 0.0, 0)

    def summary(self) -> Mapping[str, object]:
        """Give the crawl in one record: strategy, parameters and how it ended."""
        row = self.last
        return {
            "strategy": self.strategy.name or f"{type(self.strategy).__module__}.{type(self.strategy).__qualname__}",
            "parameters": self.strategy.parameters(),
            "pages": row.pages,
            "relevant": row.relevant,
            "harvest_rate": row.harvest_rate,
            "coverage": row.coverage,
            "peak_queue": self.peak_queue,
        }


def follow(
    simulator: Simulator,
    limit: int | None = None,
    every: int = 1,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[SimulatedCrawl]:
    """Run a simulator to its end; gives the same growing record after each download, and once at the end.

    Args:
        limit: downloads at most.
        every: downloads between two rows of the trace.
        stop: asked after each download; true ends the crawl there, unharmed.
    """
    crawl = SimulatedCrawl(simulator.strategy, int(simulator.web.is_target.sum()))
    for page in simulator.run(limit):
        crawl.order.append(page)
        if simulator.downloads % every == 0:
            crawl.trace.append(trace_row(simulator, crawl.all_relevant))
        yield crawl
        if stop():
            crawl.is_interrupted = True
            break
    if crawl.last.pages != simulator.downloads or not crawl.trace:
        crawl.trace.append(trace_row(simulator, crawl.all_relevant))
    crawl.peak_queue = simulator.peak_queue
    yield crawl


def trace_row(simulator: Simulator, all_relevant: int) -> TraceRow:
    """Measure a simulator where it stands."""
    pages, relevant = simulator.downloads, simulator.relevant
    rates = harvest_rate(relevant, pages), coverage(relevant, all_relevant)
    return TraceRow(pages, relevant, *rates, simulator.queued)
