"""Is this site one of the line of business? A best-first search of a few of its pages, without I/O.

Source: Li et al. 2006, section 3.2.3, with its misprints put right (rules V10 to V14): ``A ← {[p0]}``;
``[pi] ← [pi] ∪ {pi}``; a new class begins with ``Q = {pi}``; thresholds compare with ≥.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Self

import xxhash

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.verification.abstract_url import CLASSES
from crawler_project.verification.early_no import is_hopeless
from crawler_project.verification.heuristic import DIGITS, heuristics
from crawler_project.verification.page_class import PageClass
from crawler_project.verification.site import site_of_host
from crawler_project.verification.verdict import (
    EARLY_NO,
    ENOUGH_PAGES,
    EXHAUSTED,
    LIMIT,
    ClassEvidence,
    ScoredPage,
    Verdict,
)
from crawler_project.verification.verifier_parameters import VerifierParameters

MOST_FOUND = 20_000
"""URLs of one site that are kept; at most NumExpPages of them are ever fetched."""


class SiteVerifier:
    """Decide about one site, page by page; whoever drives it does the fetching.

    Ask :meth:`next_page`, fetch it, tell what it was with :meth:`observe`, until :attr:`verdict` is there.
    Equal observations give equal decisions.

    Args:
        start: p0, an absolute URL of the site.

    Raises:
        ConfigurationError: ``start`` is no http(s) URL.

    >>> verifier = SiteVerifier("http://shop.test/", VerifierParameters(num_rel_pages=1))
    >>> verifier.observe(verifier.next_page(), 0.1, ["http://shop.test/book/1", "http://else.test/"])
    >>> verifier.next_page()
    'http://shop.test/book/1'
    >>> verifier.observe("http://shop.test/book/1", 0.9, [])
    >>> verifier.verdict.reason
    'enough pages'
    """

    def __init__(self, start: str, parameters: VerifierParameters | None = None) -> None:
        parts = canonical_url(start)
        if parts is None:
            raise ConfigurationError(f"{start!r} is no http or https address of a site")
        self.parameters = parameters or VerifierParameters()
        self.site = site_of_host(parts.host)
        self.verdict: Verdict | None = None
        self._abstract = CLASSES[self.parameters.classes]
        self._found: dict[str, int] = {}
        """Every URL of the site, expanded or queued, with its number in order of discovery."""
        self._urls: list[str] = []
        self._classes: dict[str, PageClass] = {}
        self._class_of: list[PageClass] = []
        self._depths: list[int] = []
        """Links from p0, by number."""
        self._parent: int | None = None
        self._expanded: list[tuple[int, float, int]] = []
        """Number and F of the pages fetched, in order, and how many URLs were known after each."""
        self._aliases: dict[str, int] = {}
        """URLs that stand for a page that was asked for under another, with the number of pages fetched before."""
        self._asked: int | None = None
        self._good = 0
        self._add(parts.url, 0.0)

    @property
    def pages_fetched(self) -> int:
        """Give the number of pages that were observed."""
        return len(self._expanded)

    @property
    def good_count(self) -> int:
        """Give the number of good pages so far."""
        return self._good

    def next_page(self) -> str | None:
        """Give the URL to fetch next; the same one until it is observed, ``None`` when there is a verdict (V11).

        Beyond the paper, with ``explore``: while no class with unexpanded pages has half of PageThreshold, H says little, and the oldest
        page of the best class is the next entry of some menu. Then a page is drawn, in turns from those farthest from p0, where lists
        end in products, and from all, so that no endless chain of pages keeps the search. Equal observations give equal draws.
        """
        if self.verdict is not None:
            return None
        if self._asked is None:
            self._asked = self._choice()
        return self._urls[self._asked]

    def observe(self, page: str, score: float, links: Iterable[str] = ()) -> None:
        """Tell what the page that :meth:`next_page` gave turned out to be (V10, V11, V13).

        Args:
            page: the URL as it was given; where it was redirected within the site, still this one.
            score: F(page, R), 0 to 1; 0 for a fetch that failed or that left the site.
            links: absolute URLs in the order of the page; those of other sites and those known are left out.

        Raises:
            ValueError: another page than the one asked for, or a verdict is there already.
        """
        number = self._check_asked(page)
        self._asked = None
        self._expand(number, score)
        for link in links:
            self._add_link(link, score)
        self._expanded.append((number, score, len(self._urls)))
        self.verdict = self._decision()

    def redirected(self, page: str, target: str) -> bool:
        """Tell that the page asked for is at another address; whether to fetch it there, as the same page.

        It is not when the address is of another site, or was fetched before: then :meth:`observe` it with F = 0.

        Raises:
            ValueError: another page than the one asked for, or a verdict is there already.
        """
        self._check_asked(page)
        parts = canonical_url(target)
        if parts is None or site_of_host(parts.host) != self.site or not self._is_unfetched(parts.url):
            return False
        self._stand_in(parts.url)
        return True

    def evidence(self) -> tuple[ClassEvidence, ...]:
        """Give the classes as they are now, the oldest first."""
        values = heuristics(self._classes.values(), self.parameters.new_class)
        return tuple(
            ClassEvidence(one.abstract_url, value, len(one.scores), len(one.queue))
            for one, value in zip(self._classes.values(), values, strict=True)
        )

    def state(self) -> dict[str, Any]:
        """Give all that the decisions so far follow from, as plain data."""
        origin = "/".join(self._urls[0].split("/", 3)[:3])
        return {
            "origin": origin,
            "urls": [url.removeprefix(origin) for url in self._urls],
            "expanded": [list(page) for page in self._expanded],
            "aliases": [[url, before] for url, before in self._aliases.items()],
            "asked": self._asked,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any], parameters: VerifierParameters | None = None) -> Self:
        """Make the verifier again that gave ``state``, with the parameters that it had.

        Raises:
            ConfigurationError, KeyError, IndexError, TypeError, ValueError: it is no such state.
        """
        urls = [state["origin"] + url if url.startswith("/") else url for url in state["urls"]]
        verifier = cls(urls[0], parameters)
        aliases = deque(state["aliases"])
        for number, score, known in state["expanded"]:
            verifier._take_aliases(aliases)
            verifier._expand(number, score)
            for url in urls[len(verifier._urls) : known]:
                verifier._add(url, score)
            verifier._expanded.append((number, score, known))
        verifier._take_aliases(aliases)
        # a redirect takes its target out of the queues: what was chosen before it would not be chosen now
        verifier._asked = state.get("asked")
        if verifier._asked is not None:
            verifier._check_open(verifier._asked)
        elif verifier._expanded:
            verifier.verdict = verifier._decision()
        return verifier

    def _take_aliases(self, aliases: deque[list[Any]]) -> None:
        while aliases and aliases[0][1] == self.pages_fetched:
            self._stand_in(aliases.popleft()[0])

    def _check_asked(self, page: str) -> int:
        asked = self.next_page()
        if asked is None or asked != page or self._asked is None:
            raise ValueError(f"{page!r} was not asked for; expected {asked!r}")
        return self._asked

    def _check_open(self, number: int) -> None:
        if number not in self._class_of[number].queue:
            raise ValueError(f"page {number} was asked for, but is fetched")

    def _is_unfetched(self, url: str) -> bool:
        number = self._found.get(url)
        return url not in self._aliases and (
            number is None or (number != self._asked and number in self._class_of[number].queue)
        )

    def _stand_in(self, url: str) -> None:
        """Have a URL stand for the page asked for: it is no page of its own."""
        self._aliases[url] = self.pages_fetched
        number = self._found.get(url)
        if number is not None:
            self._class_of[number].queue.remove(number)

    def _expand(self, number: int, score: float) -> None:
        self._parent = number
        of_page = self._class_of[number]
        of_page.queue.remove(number)
        of_page.scores.append(score)
        self._good += round(score, DIGITS) >= self.parameters.page_threshold

    def _add_link(self, link: str, score: float) -> None:
        if link in self._found:
            return
        parts = canonical_url(link)
        if parts is not None and site_of_host(parts.host) == self.site:
            self._add(parts.url, score)

    def _add(self, url: str, parent_score: float) -> None:
        if url in self._found or url in self._aliases or len(self._urls) >= MOST_FOUND:
            return
        number = len(self._urls)
        self._found[url] = number
        self._urls.append(url)
        key = self._abstract(url)
        of_page = self._classes.get(key)
        if of_page is None:
            of_page = self._classes[key] = PageClass(key, parent_score)
        of_page.queue.append(number)
        self._class_of.append(of_page)
        self._depths.append(0 if self._parent is None else self._depths[self._parent] + 1)

    def _choice(self) -> int:
        if self.parameters.order == "best":
            return self._best()
        queued = self._queued()
        return queued[0] if self.parameters.order == "breadth" else self._draw(queued)

    def _best(self) -> int:
        # max() keeps the first of equals, and classes are in order of age
        values = heuristics(self._classes.values(), self.parameters.new_class)
        open_classes = [pair for pair in zip(values, self._classes.values(), strict=True) if pair[1].queue]
        highest, best = max(open_classes, key=itemgetter(0))
        if not self.parameters.explore or highest >= self.parameters.page_threshold / 2 or not self._expanded:
            return best.queue[0]
        queued = self._queued()
        farthest = max(self._depths[number] for number in queued) if self.pages_fetched % 2 else 0
        return self._draw([number for number in queued if self._depths[number] >= farthest])

    def _queued(self) -> list[int]:
        return sorted(number for one in self._classes.values() for number in one.queue)

    def _draw(self, queued: list[int]) -> int:
        seed = xxhash.xxh3_64_intdigest(f"{self.site} {self.pages_fetched}".encode())
        return random.Random(seed).choice(queued)  # noqa: S311  # the same choice in every run

    def _decision(self) -> Verdict | None:
        parameters = self.parameters
        if self._good >= parameters.num_rel_pages:
            return self._verdict(ENOUGH_PAGES)
        if self.pages_fetched >= parameters.num_exp_pages:
            return self._verdict(LIMIT)
        if not any(one.queue for one in self._classes.values()):
            return self._verdict(EXHAUSTED)
        if parameters.early_no and is_hopeless(
            self._good, self.pages_fetched, parameters.num_rel_pages, parameters.num_exp_pages
        ):
            return self._verdict(EARLY_NO)
        return None

    def _verdict(self, reason: str) -> Verdict:
        pages = tuple(ScoredPage(self._urls[number], score) for number, score, _ in self._expanded)
        good = tuple(page for page in pages if round(page.score, DIGITS) >= self.parameters.page_threshold)
        return Verdict(self.site, reason == ENOUGH_PAGES, reason, pages, good, self.evidence())
