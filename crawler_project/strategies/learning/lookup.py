"""Looks up what is known of pages and links as classes of evidence; what is kept of a link with its queued URL."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.learning.features import (
    ANCHOR,
    ANCHOR_WORD,
    ANCHOR_WORDS,
    COUNT_CLASS,
    DIRECTORY,
    DOMAIN,
    GROUPS,
    HOST,
    IN_CLASS,
    IN_CLASSES,
    IN_LINKS,
    MOST_IN_LINKS,
    MOST_WORDS,
    N_WEIGHTS,
    NEW_HOST,
    OF_LINK,
    OTHER_SITE,
    PLACES,
    REFERRER,
    SAME_DOMAIN,
    SAME_HOST,
    TARGET_TLD,
    WAY,
    WAY_WORD,
    WAY_WORDS,
    parent_class,
    way_class,
)
from crawler_project.strategies.learning.memory import CrawlMemory, directory_slot, site_of, url_slot
from crawler_project.strategies.learning.words import (
    anchor_words,
    path_words,
    way_words_of_anchor,
    way_words_of_path,
)

_PLACES = len(PLACES)
_AT_TARGET_TLD = OF_LINK.index("target tld")
_AT_WAY = OF_LINK.index("way")
_MOST_KEPT = len(OF_LINK) + MOST_WORDS + 2 * WAY_WORDS


class Kept(NamedTuple):
    """What is kept with a queued link, since it is known only where the link stands."""

    of_link: tuple[int, ...]
    """Its classes, in the order of ``OF_LINK``."""
    words: tuple[int, ...]
    """Classes of the anchor's words."""
    way_words: tuple[int, ...] = ()
    """Classes of the words of the linking page, if it is off target: they are praised when the link leads to something."""

    @property
    def way(self) -> int:
        """The way of the linking page if it is off target, -1 otherwise."""
        return (self.of_link[_AT_WAY] - WAY - 1) // _PLACES if self.of_link[_AT_WAY] > WAY else -1


def pack(kept: Kept) -> str:
    """Pack what is kept into a short text, a character a class."""
    words = [chr(48 + row - ANCHOR_WORD) for row in kept.words + kept.way_words]
    return "".join([chr(48 + row) for row in kept.of_link] + words)


@lru_cache(maxsize=1 << 15)
def unpack(evidence: str) -> Kept | None:
    """Read what :func:`pack` wrote; ``None`` when it is none of it (a damaged or foreign frontier)."""
    numbers = [ord(character) - 48 for character in evidence[: _MOST_KEPT + 1]]
    of_link, others = numbers[: len(OF_LINK)], [ANCHOR_WORD + number for number in numbers[len(OF_LINK) :]]
    words = tuple([row for row in others if ANCHOR_WORD <= row < ANCHOR_WORD + ANCHOR_WORDS])
    way_words = tuple([row for row in others if WAY_WORD <= row < N_WEIGHTS])
    if [*words, *way_words] != others or len(words) > MOST_WORDS or len(way_words) > 2 * WAY_WORDS:
        return None
    if len(of_link) < len(OF_LINK):
        return None
    for weight, name in zip(of_link, OF_LINK, strict=True):
        group = GROUPS[name]
        if not group.start <= weight < group.start + group.size:
            return None
    return Kept(tuple(of_link), words, way_words)


class Place(NamedTuple):
    """What of a URL stays as it is: classes that cannot change, and the slots where the others are looked up."""

    classes: tuple[int, ...]
    """Of the top-level domain and the words of the path."""
    url: int
    host: int
    domain: int
    directory: int

    @property
    def way_words(self) -> tuple[int, ...]:
        """Classes by which the words of the path say what the page leads to."""
        return way_words_of_path(self.classes[1:])


@lru_cache(maxsize=1 << 15)
def place_of(url: str, host: str) -> Place:
    """Look up what stays as it is of a URL; the latest ones are at hand, since the pages of a site link to the same ones."""
    site = site_of(host)
    classes = (site.tld, *path_words(url, len(host) + 8))
    return Place(classes, url_slot(url), site.host, site.domain, directory_slot(url, host))


class AsFound(NamedTuple):
    """What a page was like before it was downloaded: what it leads to is put down to that."""

    url: str
    way: int
    way_words: tuple[int, ...]


class LinkingPage(NamedTuple):
    """What all links of a page have in common."""

    url: str
    parent: int
    anchor: int
    referrer: int
    way: int
    is_off_target: bool
    domain: int
    way_words: tuple[int, ...]


@lru_cache(maxsize=1 << 14)
def _of_link(*classes: int) -> tuple[int, ...]:
    """One tuple for all links of equal classes, of which there are few: very many links are remembered."""
    return classes


class Lookup:
    """Gives pages and links their classes by what is remembered of the crawl."""

    def __init__(self, memory: CrawlMemory) -> None:
        self.memory = memory

    def as_found(self, url: str, place: Place, kept: Kept | None) -> AsFound:
        """What a page is like that is not counted yet; ``kept``: of the link that it was found by."""
        words = (*place.way_words, *way_words_of_anchor(kept.words if kept else ()))
        return AsFound(url, self.memory.way_of(place.url, place.host), words)

    def page(self, visit: Visit, found: AsFound) -> LinkingPage:
        """What all links of a page have in common."""
        memory = self.memory
        site = site_of(visit.host)
        return LinkingPage(
            visit.url,
            parent_class(visit),
            ANCHOR + visit.is_target * _PLACES,
            REFERRER + 1 + memory.count_class(site.host),
            WAY if visit.is_target else WAY + 1 + found.way * _PLACES,
            not visit.is_target,
            site.domain,
            () if visit.is_target else found.way_words,
        )

    def kept(self, page: LinkingPage, link: ScorableLink, domain: int) -> Kept:
        """What is known of a link only here, where it stands; ``domain``: the slot of the domain that it leads to."""
        same_host = link.same_host
        place = SAME_HOST if same_host else SAME_DOMAIN if domain == page.domain else OTHER_SITE
        of_link = _of_link(
            page.parent + place,
            page.anchor + place + 6 * link.anchor_is_target,
            REFERRER if same_host else page.referrer,
            page.way + place * page.is_off_target,
            TARGET_TLD + link.tld_is_target,
        )
        return Kept(of_link, anchor_words(link.anchor_text), page.way_words)

    def classes(self, kept: Kept, place: Place) -> tuple[list[int], int]:
        """All classes of a link as things stand now, the host's last; and the way of its page, should that be off target."""
        memory = self.memory
        pages, target_pages = memory.pages, memory.target_pages
        of_link, words, _ = kept
        of_url, slot, own, domain, directory = place
        on_targets, on_others = memory.targets[slot], memory.others[slot]
        own_pages, own_targets = pages[own], target_pages[own]
        classes = [
            *of_link,
            *of_url,
            *words,
            IN_LINKS + IN_CLASS[on_targets] * IN_CLASSES + IN_CLASS[on_others],
            DIRECTORY + COUNT_CLASS[pages[directory]][target_pages[directory]],
            DOMAIN + COUNT_CLASS[pages[domain]][target_pages[domain]],
            NEW_HOST if own_pages else NEW_HOST + 1 + memory.in_class(own),
            HOST + COUNT_CLASS[own_pages][own_targets],
        ]
        if own_pages:
            classes[_AT_TARGET_TLD] += 2
        return classes, way_class(on_targets, on_others, own_pages, own_targets)

    def count_links(self, visit: Visit, places: Sequence[Place]) -> None:
        """Note for each URL that a page links to, and each other host, that one more page does."""
        memory = self.memory
        own = site_of(visit.host).host
        slots = {place.url for place in places} | {place.host for place in places} - {own}
        table = memory.targets if visit.is_target else memory.others
        for slot in slots:
            if table[slot] < MOST_IN_LINKS:
                table[slot] += 1
