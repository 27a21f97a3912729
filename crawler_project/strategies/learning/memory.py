"""What a learning crawl remembers of hosts, domains, directories and URLs: small counts in tables of fixed size."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from crawler_project.core.urls import directory_of, registered_domain, top_level_domain, url_hash
from crawler_project.core.values import Counts
from crawler_project.strategies.learning.features import (
    COUNT_CLASS,
    IN_CLASS,
    IN_CLASSES,
    MOST_COUNTED,
    MOST_IN_LINKS,
    TLD,
    TLDS,
    way_class,
)

SLOTS = 1 << 22
"""Of each table, a byte each: keys are hashed into them. A million URLs meet one another in 2 of 10 cases, which costs
a little accuracy and no memory."""
_MASK = SLOTS - 1
TABLES = ("pages", "target_pages", "targets", "others", "over", "asked", "gone")
"""In the order in which they are stored."""


class Site(NamedTuple):
    """What stands fast about a host."""

    host: int
    """Slot of the host."""
    domain: int
    """Slot of the registered domain."""
    domain_name: str
    tld: int
    """Weight of the top-level domain."""


class InLinks(NamedTuple):
    """Links found to a URL and, from other hosts, to its host; each 0 to ``MOST_IN_LINKS``."""

    targets: int = 0
    """To the URL, on target pages."""
    others: int = 0
    """The same on other pages."""
    host_targets: int = 0
    host_others: int = 0


class CrawlMemory:
    """Counts of pages, of links and of answers, by hash: 28 MB of address space, as much memory as is used."""

    __slots__ = ("asked", "gone", "is_any_gone", "others", "over", "pages", "target_pages", "targets")

    def __init__(self) -> None:
        self.pages = bytearray(SLOTS)
        """Of hosts, domains and directories, recent ones: halved beyond ``MOST_COUNTED``."""
        self.target_pages = bytearray(SLOTS)
        self.targets = bytearray(SLOTS)
        """Links on target pages found to a URL; from other hosts to a host."""
        self.others = bytearray(SLOTS)
        """The same on other pages."""
        self.over = bytearray(SLOTS)
        """1 for a URL that this crawl has downloaded, or will not download."""
        self.asked = bytearray(SLOTS)
        """Requests to a host and in a directory, recent ones, whether they gave a page or not."""
        self.gone = bytearray(SLOTS)
        """Those of them that gave none."""
        self.is_any_gone = False
        """Kept beside ``gone``, so that a crawl without missing pages pays nothing for them."""

    def __getstate__(self) -> list[bytes]:
        return [zlib.compress(bytes(table), 1) for table in self._tables()]

    def __setstate__(self, tables: list[bytes]) -> None:
        """Take over tables as they were stored; ``ValueError`` when they are damaged."""
        try:
            restored = [bytearray(zlib.decompress(table)) for table in tables]
        except zlib.error as error:
            raise ValueError(f"the counts of links and pages are damaged: {error}") from error
        if [len(table) for table in restored] != [SLOTS] * len(TABLES):
            raise ValueError("the counts of links and pages are damaged")
        pages, target_pages, *_, asked, gone = (np.frombuffer(table, dtype=np.uint8) for table in restored)
        if max(pages.max(), asked.max()) > MOST_COUNTED or (target_pages > pages).any() or (gone > asked).any():
            raise ValueError("the counts of links and pages are damaged")
        for name, table in zip(TABLES, restored, strict=True):
            setattr(self, name, table)
        self.is_any_gone = bool(gone.any())

    def count_page(self, url: str, host: str, is_target: bool) -> None:
        """Count a download for its host, its domain and its directory."""
        site = site_of(host)
        self._count_answer(url, host, is_gone=False)
        for slot in {site.host, site.domain, directory_slot(url, host)}:
            pages, targets = self.pages[slot] + 1, self.target_pages[slot] + is_target
            if pages > MOST_COUNTED:
                pages >>= 1
                targets = min(pages, (targets + 1) >> 1 if targets > 1 else targets)
            self.pages[slot], self.target_pages[slot] = pages, targets

    def count_gone(self, url: str, host: str) -> None:
        """Count a request that gave no page."""
        self._count_answer(url, host, is_gone=True)

    def count_over(self, url: str) -> None:
        """Note that there is nothing left to do for a URL."""
        self.over[url_slot(url)] = 1

    def links_to(self, url: int, host: int) -> InLinks:
        """Give the links found to a URL and to its host, by their slots."""
        return InLinks(self.targets[url], self.others[url], self.targets[host], self.others[host])

    def learn_links(self, url: int, host: int, told: InLinks) -> None:
        """Take what another worker found, where that is more."""
        tables = (self.targets, self.others) * 2
        for table, slot, count in zip(tables, (url, url, host, host), told, strict=True):
            table[slot] = max(table[slot], count)

    def learn_counts(self, slot: int, counts: Counts) -> None:
        """Take what the frontier knows of a host where other workers, or an earlier run, have seen more of it."""
        pages = min(counts.pages, MOST_COUNTED)
        if 2 * self.pages[slot] < pages:
            self.pages[slot] = pages
            self.target_pages[slot] = min(pages, -(-counts.target_pages * pages // counts.pages))

    def add_up(self, slot: int, others: Sequence[CrawlMemory]) -> None:
        """Take into one slot what other workers counted there too; for looking back, once a slot.

        Links are added up, since each worker counts those of its own pages; of pages and answers the greatest count holds,
        since workers count those that they hear of, too.
        """
        most = max((self, *others), key=lambda memory: memory.pages[slot])
        self.pages[slot], self.target_pages[slot] = most.pages[slot], most.target_pages[slot]
        most = max((self, *others), key=lambda memory: memory.asked[slot])
        self.asked[slot], self.gone[slot] = most.asked[slot], most.gone[slot]
        self.is_any_gone |= most.is_any_gone
        for own, table in ((self.targets, "targets"), (self.others, "others")):
            own[slot] = min(MOST_IN_LINKS, own[slot] + sum(getattr(other, table)[slot] for other in others))

    def count_class(self, slot: int) -> int:
        """Give the class of a host, domain or directory by its pages so far."""
        return COUNT_CLASS[self.pages[slot]][self.target_pages[slot]]

    def in_class(self, slot: int) -> int:
        """Give the class of a URL or host by the links found to it."""
        return IN_CLASS[self.targets[slot]] * IN_CLASSES + IN_CLASS[self.others[slot]]

    def way_of(self, url: int, host: int) -> int:
        """Give the kind of page that a URL is, should it be off target, by the slots of URL and host."""
        return way_class(self.targets[url], self.others[url], self.pages[host], self.target_pages[host])

    def _count_answer(self, url: str, host: str, *, is_gone: bool) -> None:
        asked, gone, own = self.asked, self.gone, site_of(host).host
        self.count_over(url)
        self.is_any_gone |= is_gone
        for slot in {own, directory_slot(url, host), own if asked[own] else ANY_NEW_HOST}:
            asked[slot] += 1
            gone[slot] += is_gone
            if asked[slot] > MOST_COUNTED:
                asked[slot] >>= 1
                gone[slot] >>= 1

    def _tables(self) -> list[bytearray]:
        return [getattr(self, name) for name in TABLES]


@lru_cache(maxsize=100_000)
def site_of(host: str) -> Site:
    """Look up what stands fast about a host."""
    domain = registered_domain(host)
    tld = TLD + url_hash(top_level_domain(host)) % TLDS
    return Site(_slot("host " + host), _slot("domain " + domain), domain, tld)


def url_slot(url: str) -> int:
    """Give the slot of a URL in the tables of links."""
    return url_hash(url) & _MASK


def directory_slot(url: str, host: str) -> int:
    """Give the slot of the directory of a URL."""
    return _slot("directory " + directory_of(url, host))


def _slot(key: str) -> int:
    return url_hash(key) & _MASK


ANY_NEW_HOST = _slot("any new host")
"""The slot of all first requests to a host, in the tables of answers."""
