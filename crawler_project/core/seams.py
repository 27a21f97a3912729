"""The seams: three small questions and the frontier that asks them.

*Is this page relevant?* (:class:`RelevanceJudge`), *which links are worth following, and how
soon?* (:class:`crawler_project.strategies.base.Strategy`), *which URL next?* (:class:`Frontier`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from crawler_project.core.values import (
    CommitResult,
    Counts,
    Entry,
    Exchange,
    FrontierStatus,
    Head,
    HostRules,
    Lease,
    LinkScores,
    Outcome,
    Page,
    PageScores,
    Relevance,
)


class RelevanceJudge(Protocol):
    """Says how relevant a page is. Pure after loading: equal pages get equal answers."""

    def judge(self, page: Page) -> Relevance: ...


class AnchorJudge(Protocol):
    """Says in which language an anchor text is."""

    def judge_anchor(self, text: str, page_language: str, tld: str) -> Relevance:
        """Judge ``text``; ``page_language`` and ``tld`` are priors and may be empty."""
        ...


class LinkScorer(Protocol):
    """Says how relevant a page and the texts around its links are to a topic. Pure after loading."""

    def score_page(self, page: Page) -> PageScores: ...


class ScorableLink(Protocol):
    """A link as a strategy sees it; live and simulated crawls each have their own class."""

    @property
    def url(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def same_host(self) -> bool:
        """The link stays on the server of its page."""
        ...

    @property
    def tld_is_target(self) -> bool: ...
    @property
    def anchor_is_target(self) -> bool: ...
    @property
    def tld_evidence(self) -> str:
        """``tld kr``."""
        ...

    @property
    def anchor_evidence(self) -> str:
        """``anchor ko 0.98``."""
        ...

    @property
    def scores(self) -> LinkScores:
        """Of the texts that the link stands in; all 0 outside of topic crawls."""
        ...

    @property
    def anchor_text(self) -> str:
        """White space squeezed; empty where texts are not recorded."""
        ...

    @property
    def context(self) -> str:
        """The text around the link (T8); empty outside of topic crawls."""
        ...

    @property
    def counts(self) -> Counts:
        """Of the strategy's ``unit`` that the link points into, this page already counted (R17)."""
        ...


class Frontier(Protocol):
    """Seen-set, queue, politeness and leases of one crawl.

    Order: host precedence, then URL priority, then first discovered; among hosts that are
    ready. A host is ready when nobody holds a lease on it and its delay, counted from the
    end of its latest fetch, has passed. ``now`` is always Unix time in seconds, handed in.
    """

    def add(self, entries: Iterable[Entry]) -> CommitResult:
        """Queue what was never seen; improve what is still queued (R5)."""
        ...

    def lease(self, limit: int, now: float) -> list[Lease]:
        """The best entries of ready hosts, one a host, at most ``limit``."""
        ...

    def commit(self, lease: Lease, outcome: Outcome, now: float) -> CommitResult:
        """Settle a lease: counts, new entries, verdicts, host delay, all or nothing."""
        ...

    def release(
        self, lease: Lease, now: float, *, fetched: bool = False, priority: float | None = None, rest: float = 0.0
    ) -> None:
        """Give the URL back unharmed (no attempt counted), at another priority if one is given;
        ``fetched`` starts the host's delay, and the host rests at least ``rest`` seconds."""
        ...

    def take_server(self, lease: Lease, server: str, now: float) -> float:
        """Have a server that several hosts share, until the lease ends: 0 if it is free, else seconds until a turn.

        One lease at a time has it; its delay counts from the end of the latest fetch, as a host's does.
        """
        ...

    def queued(self, url: str, host: str) -> Entry | None:
        """The entry of a queued URL, at the priority of its latest scoring; ``None`` when it does not wait."""
        ...

    def counts(self, units: Sequence[str]) -> Sequence[Counts]:
        """Of hosts (``example.org``) or directories (``example.org/a/``), in the order asked."""
        ...

    def host_rules(self, host: str) -> HostRules | None: ...

    def set_host_rules(self, host: str, rules: HostRules) -> None: ...

    def note(self, name: str) -> str | None:
        """A text kept for this crawl (a site's verification, learned weights); ``None``: there is none."""
        ...

    def notes(self, prefix: str) -> dict[str, str]:
        """All notes whose name begins with ``prefix``."""
        ...

    def set_note(self, name: str, text: str) -> None:
        """Keep a text by name, outside of any commit (within one: :attr:`Outcome.notes`)."""
        ...

    def next_ready(self, now: float) -> float | None:
        """Seconds until a resting host with queued URLs is ready (0: one is); ``None``: no such host."""
        ...

    def next_better(self, rank: float, now: float) -> float | None:
        """Seconds until a host is ready that rests :data:`SOON` at most and has a URL queued whose priority, with the
        verdict about the host, is ``rank`` or better; ``SOON`` when only a leased host has one; ``None``: no such host."""
        ...

    def is_finished(self) -> bool:
        """Nothing queued and nothing leased: no work can appear any more."""
        ...

    def status(self, now: float) -> FrontierStatus: ...

    def checkpoint(self, outputs: Mapping[str, int]) -> None:
        """Make all commits so far durable, together with the sizes in bytes of the output files."""
        ...

    def outputs(self) -> dict[str, int]:
        """The sizes of the latest checkpoint."""
        ...

    def close(self) -> None: ...


class SharedFrontier(Frontier, Protocol):
    """A frontier that several workers use at once; leases expire, and commits are durable by themselves."""

    lease_seconds: float
    """A lease that was not renewed for so long goes back to the queue."""
    warnings: list[str]
    """What should be known about the server; empty if all is well."""

    def commit_all(self, settled: Sequence[tuple[Lease, Outcome]], now: float) -> list[CommitResult]:
        """Commit several leases, each by itself all or nothing, in as few round trips as can be."""
        ...

    def exchange(
        self, worse: Sequence[tuple[Lease, float]], scored: Sequence[tuple[Head, float]], limit: int, now: float
    ) -> Exchange:
        """Put leases back at worse priorities and lease at most ``limit`` others, in one round trip and in the order
        of :meth:`release` and :meth:`lease` one by one.

        ``scored``: heads of an earlier answer that are worth less by now, with their new priorities. Each is passed over
        if it is still what would be leased; what is not, stays as it is.
        """
        ...

    def renew(self, leases: Iterable[Lease], now: float) -> list[Lease]:
        """Keep leases for another ``lease_seconds``; those that are not held any more."""
        ...

    def reclaim(self, now: float, limit: int = 100) -> int:
        """Queue the URLs of expired leases again, of any worker; how many there were."""
        ...

    def sweep(self, host: str = "", limit: int = 10) -> int:
        """Clear up behind discarded hosts, at most ``limit`` steps; how many there were to do."""
        ...

    def pages(self) -> Counts:
        """Pages of the whole crawl that were committed, by any worker."""
        ...
