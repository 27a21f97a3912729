"""From a page to decisions: judge it, score its links, and say what is to be queued.

This is step 6 of the life of a URL (docs/architecture.md). Pure: values in, values out; the
Scrapy spider hands in pages and commits what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from crawler_project.core.seams import AnchorJudge, LinkScorer, RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import directory_of, top_level_domain
from crawler_project.core.values import (
    NO_COUNTS,
    NO_SCORES,
    UNKNOWN,
    Counts,
    Entry,
    Link,
    LinkScores,
    Page,
    PageScores,
    Relevance,
    Visit,
)
from crawler_project.strategies.base import Strategy, distance_of_links

CountsOf = Callable[[Sequence[str]], Sequence[Counts]]
EntryOf = Callable[[str, str], Entry | None]
"""Gives a queued entry by its URL and host; ``None`` when it is not queued."""


def _never_queued(url: str, host: str) -> Entry | None:
    return None


class Decision(NamedTuple):
    """What one page led to."""

    visit: Visit
    relevance: Relevance
    entries: list[Entry]
    """The links to queue, one a URL: of a URL linked twice, the better priority."""
    discarded: int
    """URLs that the strategy let go (all of their links)."""
    revised: Sequence[Entry] = ()
    """Links of earlier pages of which the strategy thinks better by now; the frontier knows which are still queued."""


class LiveLink:
    """A link of a page being crawled, as strategies see it; the anchor is judged when asked for."""

    __slots__ = ("_anchor", "_focus", "_visit", "context", "counts", "host", "link", "scores")

    def __init__(self, link: Link, visit: Visit, focus: Focus) -> None:
        self.link = link
        self.scores = NO_SCORES
        self.context = ""
        self.host = link.url.split("/", 3)[2]
        self.counts = NO_COUNTS
        self._visit = visit
        self._focus = focus
        self._anchor: tuple[bool, str] | None = None

    @property
    def url(self) -> str:
        return self.link.url

    @property
    def anchor_text(self) -> str:
        return self.link.anchor_text

    @property
    def same_host(self) -> bool:
        return self.host == self._visit.host

    @property
    def tld_is_target(self) -> bool:
        return top_level_domain(self.host) in self._focus.target.tlds

    @property
    def tld_evidence(self) -> str:
        return f"tld {top_level_domain(self.host)}"

    @property
    def anchor_is_target(self) -> bool:
        return self._judged_anchor()[0]

    @property
    def anchor_evidence(self) -> str:
        return self._judged_anchor()[1]

    def _judged_anchor(self) -> tuple[bool, str]:
        if self._anchor is None:
            focus = self._focus
            self._anchor = (
                judge_texts(self.scores)
                if focus.is_on_topic_only
                else focus.judge_anchor(self.link, self.host, self._visit)
            )
        return self._anchor


class Focus:
    """Apply one judge and one strategy to pages.

    Args:
        counts_of: the frontier's :meth:`~crawler_project.core.seams.Frontier.counts`; asked only
            by strategies with a ``unit``.
        follow_nofollow: follow links marked ``rel=nofollow``.
        use_hreflang: take a link's declared language as evidence where its anchor text says
            nothing (a departure from Chan & Yamana, who had no declarations to read).
        scorer: of a topic crawl, scores the page and what its links stand in.
        is_on_topic_only: no language is asked for besides the topic: a link speaks for the target when the scorer
            finds its block, anchor or context relevant.
    """

    def __init__(
        self,
        target: Target,
        judge: RelevanceJudge,
        anchor_judge: AnchorJudge,
        strategy: Strategy,
        counts_of: CountsOf,
        *,
        follow_nofollow: bool = True,
        use_hreflang: bool = True,
        scorer: LinkScorer | None = None,
        is_on_topic_only: bool = False,
    ) -> None:
        self.target = target
        self.strategy = strategy
        self._judge = judge
        self._counts_of = counts_of
        self._follow_nofollow = follow_nofollow
        self._use_hreflang = use_hreflang
        self._judge_text = anchor_judge.judge_anchor
        self._scorer = scorer
        self.is_on_topic_only = is_on_topic_only
        self._revises = type(strategy).revisions is not Strategy.revisions
        self.look_up: EntryOf = _never_queued
        """Asked for the entry of each link that is to be revised."""

    def decide(self, entry: Entry, page: Page, host: str) -> Decision:
        """Judge ``page``, fetched from ``host`` for ``entry``, and score its links."""
        relevance = self._judge.judge(page)
        visit = self._visit(entry, page, host, relevance)
        links = [LiveLink(link, visit, self) for link in page.links]
        if self._scorer is not None:
            scores = self._scorer.score_page(page)
            visit = visit._replace(topic_score=scores.page)
            _set_scores(links, scores)
        links = [link for link in links if self._follow_nofollow or not link.link.nofollow]
        if self.strategy.unit:
            self._set_counts(visit, links)  # before anything is learned: it may fail, and the page comes again
        self.strategy.learn_one(entry.evidence, visit)
        priorities = self.strategy.score_links(visit, links)
        decision = self._decision(entry, visit, relevance, links, priorities)
        if not self._revises:
            return decision
        entries = {found.url: found for found in decision.entries}
        revised: dict[str, Entry] = {}
        for queued, better in self._revised():  # a frontier takes a URL once a page
            found = entries.get(queued.url)
            if found is None or better.priority <= found.priority >= queued.priority:
                revised[queued.url] = better
                entries.pop(queued.url, None)
            elif better.priority <= found.priority:  # of three links the page's own is the second best
                entries[queued.url] = found._replace(priority=better.priority, evidence=better.evidence)
        return decision._replace(entries=list(entries.values()), revised=list(revised.values()))

    def _revised(self) -> Iterator[tuple[Entry, Entry]]:
        """The entries of earlier pages that move up, and the same with their new priority."""
        for url, priority, evidence in self.strategy.revisions():
            queued = self.look_up(url, url.split("/", 3)[2])
            if queued is not None and priority < queued.priority:
                yield queued, queued._replace(priority=priority, evidence=evidence)

    def unit_of(self, url: str, host: str) -> str:
        """The key under which the strategy counts a URL."""
        return directory_of(url, host) if self.strategy.unit == "directory" else host

    def judge_anchor(self, link: Link, host: str, visit: Visit) -> tuple[bool, str]:
        """Whether the link says that its page is in a target language, and how it says it."""
        if link.kind in ("frame", "refresh") and visit.is_relevant:
            return True, f"{link.kind} {visit.effective_language}"  # the same document, in pieces
        languages = self.target.languages
        if link.anchor_text:
            judged = self._judge_text(link.anchor_text, visit.effective_language, top_level_domain(host))
            if judged.label in languages:
                return True, f"anchor {judged.label} {judged.score:.2f}"
        if self._use_hreflang and link.declared_language in languages:
            return True, f"hreflang {link.declared_language}"
        return False, ""

    def _visit(self, entry: Entry, page: Page, host: str, relevance: Relevance) -> Visit:
        own = relevance.label
        effective, relevant = own, relevance.is_relevant
        if own == UNKNOWN and self.strategy.inherit:
            relevant = entry.depth == 0 or entry.parent_language in self.target.languages
            effective = entry.parent_language or min(self.target.languages)
        return Visit(
            url=page.url,
            host=host,
            language=own,
            effective_language=effective,
            is_target=relevance.is_relevant,
            is_relevant=relevant,
            distance=entry.distance,
            is_seed=entry.depth == 0,
        )

    def _set_counts(self, visit: Visit, links: list[LiveLink]) -> None:
        """Look up the counts of all units in one go; this page is counted already (R17)."""
        own = self.unit_of(visit.url, visit.host)
        units = [self.unit_of(link.url, link.host) for link in links]
        distinct = list(dict.fromkeys([own, *units]))
        counts = dict(zip(distinct, self._counts_of(distinct), strict=True))
        before = counts[own]
        counts[own] = Counts(before.pages + 1, before.target_pages + visit.is_target)
        for link, unit in zip(links, units, strict=True):
            link.counts = counts[unit]

    def _decision(
        self,
        entry: Entry,
        visit: Visit,
        relevance: Relevance,
        links: list[LiveLink],
        priorities: Sequence[float | None],
    ) -> Decision:
        best: dict[str, tuple[float, LiveLink]] = {}
        urls = set()
        for link, priority in zip(links, priorities, strict=True):
            urls.add(link.url)
            if priority is not None and (link.url not in best or priority < best[link.url][0]):
                best[link.url] = (priority, link)
        distance = distance_of_links(visit)
        entries = [
            Entry(
                url=url,
                host=link.host,
                priority=priority,
                distance=distance,
                depth=entry.depth + 1,
                parent_language=visit.effective_language,
                referrer=visit.url,
                anchor_text=link.link.anchor_text,
                why=self.strategy.explain(visit, link, priority),
                evidence=self.strategy.evidence(visit, link),
            )
            for url, (priority, link) in best.items()
        ]
        return Decision(visit, relevance, entries, len(urls) - len(entries))


def judge_texts(scores: LinkScores) -> tuple[bool, str]:
    """Whether a text of a link is on the topic, and which: ``block 0.73``."""
    for name in ("block", "anchor", "context"):
        score = getattr(scores, name)
        if score > 0:
            return True, f"{name} {score:.2f}"
    return False, ""


def _set_scores(links: Sequence[LiveLink], scores: PageScores) -> None:
    for link, of_link, context in zip(links, scores.links, scores.contexts, strict=True):
        link.scores = of_link
        link.context = context
