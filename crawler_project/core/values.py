"""The values that pass between the rooms of the house.

Hot values (one per link or per page of a paper-sized simulation) are ``NamedTuple``\\ s,
rare ones frozen dataclasses. None of them knows Scrapy, Redis, a clock or a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

UNKNOWN = "und"
"""The language of a text whose language is not known (BCP 47)."""
LONGEST_LESSON = 4096
"""Characters of an :attr:`Outcome.lesson` that is told, and read, at all: no strategy writes a longer one, no frontier passes
one on. Some forty times what is usual, so that only monstrous URLs are left out."""


class Link(NamedTuple):
    """A link as it stands on a page."""

    url: str
    """Absolute, canonical (:func:`crawler_project.core.urls.canonical_url`), without fragment."""
    anchor_text: str = ""
    """White space squeezed. For an empty anchor: image ``alt``, ``title`` or ``aria-label``."""
    declared_language: str = ""
    """Language code from ``hreflang``; empty when none is declared."""
    kind: str = "a"
    """``a``, ``area``, ``frame``, ``refresh``, ``canonical`` or ``alternate``."""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """What one parse of a response gives. Made by :func:`crawler_project.page.parse_page`."""

    url: str
    title: str = ""
    text: str = ""
    """Visible text, white space squeezed, at most ``max_text`` characters."""
    prose: str = ""
    """The visible text without menus, list items that are one link, forms and code: what the language
    is judged by (99.3 instead of 98.3 % right on 7,000 pages). Empty: not collected, or nothing else."""
    links: tuple[Link, ...] = ()
    """In document order, repeats kept."""
    charset: str = "utf-8"
    """The charset that the bytes were decoded with (WHATWG name, lower case)."""
    charset_source: str = ""
    """``bom``, ``utf-8``, ``header``, ``meta`` or ``guess``."""
    declared_charset: str = ""
    """The charset that header or meta tag claim, right or wrong (Somboonviwat 3.2 judges by it)."""
    declared_language: str = ""
    """``<html lang>``, else Content-Language, as a code; a prior, not a label."""
    blocks: tuple[Block, ...] = ()
    """Content blocks in document order; empty unless the parse was asked for them."""
    nofollow: bool = False
    """Robots meta or X-Robots-Tag says ``nofollow`` or ``none``."""
    noindex: bool = False
    digest: str = ""
    """Hash of the visible text, for exact duplicates."""
    size: int = 0
    """Bytes of the body as parsed."""


class BlockLink(NamedTuple):
    """A link within a content block, with what stands around it."""

    url: str
    """As :attr:`Link.url`."""
    anchor_text: str
    context: str
    """All text below the parent of the link's element (T8 of CBP-SLC: the selective link context)."""


class Block(NamedTuple):
    """A content block of a page (CBP, Algorithm 1 of the CBP-SLC paper)."""

    text: str
    links: tuple[BlockLink, ...] = ()
    """In document order, repeats kept."""


class Relevance(NamedTuple):
    """A judge's answer about one page."""

    is_relevant: bool
    score: float
    """Confidence in the label, 0 to 1."""
    label: str = UNKNOWN
    """The language code, or the topic's name."""
    evidence: str = ""
    """Why, in one short line: ``fasttext ko 1.00, cld2 ko 0.99``."""


class Counts(NamedTuple):
    """Downloads of one server or directory so far (Tamura's Na and Nr)."""

    pages: int = 0
    target_pages: int = 0
    """Pages whose *own* language is a target, never an inherited one (R8)."""


NO_COUNTS = Counts()


class Visit(NamedTuple):
    """A downloaded page as a strategy sees it."""

    url: str
    host: str
    language: str
    """The page's own language."""
    effective_language: str
    """R7: the own language, or the parent's effective language when the own is unknown."""
    is_target: bool
    """The own judgement."""
    is_relevant: bool
    """The effective judgement; "relevant page" in the rules of the papers means this."""
    distance: int
    """d(p), R9: 1 for a seed and for a link from a relevant page."""
    is_seed: bool
    topic_score: float = 0.0
    """Of a topic crawl: the topic model's score of the page, relevant above 0."""


class LinkScores(NamedTuple):
    """What a topic model says about the texts that a link stands in; a score above 0 is relevant."""

    block: float = 0.0
    """Of the content block."""
    anchor: float = 0.0
    context: float = 0.0
    """Of the link context (T8), which holds the anchor text."""


NO_SCORES = LinkScores()


class PageScores(NamedTuple):
    """What a topic model says about a page and the texts on it."""

    page: float
    links: Sequence[LinkScores]
    """One for each link of the page, in their order."""
    contexts: Sequence[str] = ()
    """The context of each link, in the same order; empty: not kept."""


class HostVerdict(NamedTuple):
    """What a strategy wants done with all queued URLs of a host, in O(1)."""

    precedence: float = 0.0
    """Hosts of lower precedence are served first."""
    discard: bool = False
    """Drop everything queued on the host."""
    override: float | None = None
    """The priority that all URLs of this host take, first discovered first; ``None``: their own."""
    offset: float = 0.0
    """Added to the priorities of all URLs of the host, now and as they come, where hosts of one precedence are
    compared: evidence about a host moves all its URLs in O(1)."""


KEEP_HOST = HostVerdict()


class Entry(NamedTuple):
    """A URL on its way through the frontier, with all that its page will need."""

    url: str
    host: str
    priority: float = 0.0
    """Lower is sooner."""
    distance: int = 1
    depth: int = 0
    """Links from the seed along the path of discovery; 0 is a seed."""
    parent_language: str = ""
    """Effective language of the page that it was found on; empty for a seed (R7)."""
    referrer: str = ""
    anchor_text: str = ""
    why: str = ""
    """The rule that kept it: ``seed``, ``tld kr``, ``anchor ko 0.98``."""
    redirects: int = 0
    origin: str = ""
    """The URL whose redirects led here; empty when none did."""
    evidence: str = ""
    """What the strategy knew of the link when it scored it, packed by the strategy and handed back to its
    ``learn_one`` when the page is downloaded; empty for strategies that do not learn."""


class Lease(NamedTuple):
    """An entry that is one worker's until it commits or releases it."""

    entry: Entry
    token: int
    """Identifies this lease; a commit with a token that is no longer held changes nothing."""
    attempt: int = 1
    """1 for the first try."""


class Head(NamedTuple):
    """A queued URL that is among the best of its host; nobody's."""

    entry: Entry
    place: int
    """Where the frontier has it."""


class Exchange(NamedTuple):
    """What came of :meth:`~crawler_project.core.seams.SharedFrontier.exchange`."""

    leases: Sequence[Lease] = ()
    heads: Sequence[Head] = ()
    """What is likely to be next; may be out of date at any time."""
    put_back: int = 0
    """Leases that went back; fewer than were given when some were not held any more."""
    passed_over: int = 0
    """Heads that got their worse priority when their turn came."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a leased URL: the argument of the one commit of a page."""

    kind: str
    """``page``, ``redirect``, ``refused`` (never fetched), ``failed`` (may be tried again) or
    ``gone`` (fetched, of no use: 404, not HTML, too large)."""
    fetched: bool = True
    """A request was sent: the crawl delay counts from the time of the commit."""
    is_target: bool = False
    """The page's own language is a target: counted in Nr (only when ``kind`` is ``page``)."""
    directory: str = ""
    """Key of the directory to count the page under; empty: only the host is counted."""
    entries: Sequence[Entry] = ()
    """The scored links, best rule first for no particular order: the frontier orders them."""
    verdicts: Mapping[str, HostVerdict] = field(default_factory=dict)
    """By host; only those that changed."""
    reason: str = ""
    """Why it failed, was refused or is gone: ``robots``, ``status 404``, ``timeout``."""
    back_off: float = 0.0
    """Seconds that the host must rest beyond its delay (Retry-After, 429, 503)."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Texts to keep by name, written with this commit (:meth:`~crawler_project.core.seams.Frontier.note`)."""
    lesson: str | None = None
    """What a strategy learned from this download, for the other workers of a shared frontier, at most
    :data:`LONGEST_LESSON` characters; empty: nothing that they should hear; ``None``: it does not learn, nor hears of others."""


@dataclass(frozen=True, slots=True)
class HostRules:
    """What a host's robots.txt said; kept by the frontier so that workers share it."""

    robots: str
    """The text of robots.txt; empty allows everything."""
    expires: float
    """Unix time in seconds after which robots.txt is fetched again."""
    delay: float | None = None
    """Crawl-delay in seconds, or ``None`` for the crawl's own delay."""


SOON = 5.0
"""Seconds that a host may rest still for its URLs to be worth waiting for."""


class CommitResult(NamedTuple):
    """What a commit changed."""

    added: int = 0
    """Entries that were new."""
    improved: int = 0
    """Queued entries that took a better priority (R5)."""
    accepted: bool = True
    """False: the lease was not held any more; only the new entries were kept."""
    retried: bool = False
    """A failed URL went back into the queue."""
    dead: bool = False
    """A failed URL has used up its attempts."""
    lessons: Sequence[str] = ()
    """What other workers told since this one's latest commit, oldest first, the latest 8 at most; none if :attr:`Outcome.lesson` is ``None``."""


class FrontierStatus(NamedTuple):
    """A frontier at a glance."""

    queued: int
    seen: int
    leased: int
    hosts_ready: int
    hosts_waiting: int
    """Hosts with queued URLs that rest or are being fetched from."""
    dead: int
