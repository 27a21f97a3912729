"""Tables 3 to 5 and Figures 2 and 3 of Somboonviwat 2006, for any web."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.metrics import coverage, harvest_rate
from crawler_project.core.urls import registered_domain
from crawler_project.core.values import UNKNOWN
from crawler_project.simulator.web import Bools, Ints, Web

LINKS_AT_A_TIME = 1 << 22
UNREACHED = -1
TLD_GROUPS = ("home", "com", "net", "other")
LANGUAGES = ("target", "english", "other", "unknown")


class Ratio(NamedTuple):
    """Links of some kind, and those of them that lead to target pages."""

    links: int
    to_target: int

    @property
    def share(self) -> float:
        return harvest_rate(self.to_target, self.links)


class LinkCounts(NamedTuple):
    """Tables 4 and 5 for one kind of source page (target or not)."""

    all: Ratio
    same_domain: Ratio
    other_domain: Ratio
    same_server: Ratio
    other_server: Ratio
    target_anchor: Ratio
    other_anchor: Ratio


def language_table(web: Web) -> Mapping[str, Sequence[int]]:
    """Count pages by top-level domain group (``TLD_GROUPS``) and language (``LANGUAGES``): Table 3."""
    groups = np.array([_tld_group(web, name) for name in web.tld_names], dtype=np.int64)
    languages = np.array([_language(web, code) for code in web.lang_names], dtype=np.int64)
    cells = groups[web.tlds] * len(LANGUAGES) + languages[web.langs]
    counts = np.bincount(cells, minlength=len(TLD_GROUPS) * len(LANGUAGES)).reshape(len(TLD_GROUPS), -1)
    return {group: [int(count) for count in row] for group, row in zip(TLD_GROUPS, counts, strict=True)}


def _tld_group(web: Web, tld: str) -> int:
    return TLD_GROUPS.index("home" if tld in web.target_tlds else tld if tld in ("com", "net") else "other")


def _language(web: Web, code: str) -> int:
    names = {web.target_lang: "target", "en": "english", UNKNOWN: "unknown"}
    return LANGUAGES.index(names.get(code, "other"))


def link_counts(web: Web) -> tuple[LinkCounts, LinkCounts]:
    """Count the links of target pages, and those of all others, by where they go: Tables 4 and 5.

    *Domain* is the registrable domain (A3); links are all links, not only those to target pages (A4).
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(map(registered_domain, web.host_names)))}
    domains = np.array([numbers[registered_domain(name)] for name in web.host_names], dtype=np.int32)
    totals = np.zeros((2, 7, 2), dtype=np.int64)
    for sources, part in _link_parts(web):
        ends = web.targets[part]
        same_server = web.hosts[sources] == web.hosts[ends]
        same_domain = domains[web.hosts[sources]] == domains[web.hosts[ends]]
        anchors = web.anchors[part]
        kinds = (np.ones(len(ends), bool), same_domain, ~same_domain, same_server, ~same_server, anchors, ~anchors)
        for row, from_target in enumerate((web.is_target[sources], ~web.is_target[sources])):
            for column, kind in enumerate(kinds):
                chosen = from_target & kind
                totals[row, column] += (chosen.sum(), (chosen & web.is_target[ends]).sum())
    first, second = (LinkCounts(*(Ratio(int(a), int(b)) for a, b in row)) for row in totals)
    return first, second


def seed_distances(web: Web) -> npt.NDArray[np.int16]:
    """Give the fewest links from a seed to each page; ``UNREACHED`` where there is no way."""
    distances = np.full(web.n_pages, UNREACHED, dtype=np.int16)
    for distance, pages in enumerate(_waves(web, web.seeds.astype(np.int64), np.zeros(web.n_pages, dtype=bool))):
        distances[pages] = distance
    return distances


def target_share_by_distance(web: Web) -> list[float]:
    """Give the share of target pages among those within each distance from the seeds: Figure 2."""
    distances = seed_distances(web)
    reached = distances != UNREACHED
    pages = np.cumsum(np.bincount(distances[reached]))
    targets = np.cumsum(np.bincount(distances[reached & web.is_target], minlength=len(pages)))
    return [harvest_rate(int(target), int(page)) for target, page in zip(targets, pages, strict=True)]


def nearest_target_distances(web: Web) -> list[float]:
    """Give the share of target pages at each distance from another target page: Figure 3.

    Entry 0 is distance 1 (linked directly). Target pages that no other target page leads to are left out.
    """
    behind = _distances_behind_targets(web)
    nearest = np.full(web.n_pages, np.iinfo(np.int32).max, dtype=np.int32)
    for sources, part in _link_parts(web):
        ends = web.targets[part]
        useful = web.is_target[ends] & (sources != ends) & (behind[sources] != UNREACHED)
        np.minimum.at(nearest, ends[useful], behind[sources[useful]] + 1)
    found = nearest[web.is_target & (nearest < np.iinfo(np.int32).max)]
    counts = np.bincount(found)[1:] if len(found) else np.zeros(0, dtype=np.int64)
    return [coverage(int(count), len(found)) for count in counts]


def _distances_behind_targets(web: Web) -> npt.NDArray[np.int32]:
    """0 for target pages, for others the fewest links from one of them."""
    behind = np.full(web.n_pages, UNREACHED, dtype=np.int32)
    for distance, pages in enumerate(_waves(web, np.flatnonzero(web.is_target), np.zeros(web.n_pages, dtype=bool))):
        behind[pages] = distance
    return behind


def _waves(web: Web, pages: npt.NDArray[np.int64], seen: Bools) -> Iterator[Ints]:
    """Give the pages at distance 0, 1, 2 … from ``pages``."""
    while len(pages):
        seen[pages] = True
        yield pages
        ends = np.unique(np.concatenate([_ends_of(web, part) for part in _parts(pages)]))
        pages = ends[~seen[ends]]


def _parts(pages: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    return np.array_split(pages, max(1, len(pages) >> 18))


def _ends_of(web: Web, pages: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Give the distinct pages that these pages link to."""
    starts = web.offsets[pages]
    sizes = web.offsets[pages + 1] - starts
    steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.unique(web.targets[np.repeat(starts, sizes) + steps]).astype(np.int64)


def _link_parts(web: Web) -> Iterator[tuple[npt.NDArray[np.int64], slice]]:
    """Walk all links in parts: the pages that they are on, and their slice of the link arrays."""
    first = 0
    while first < web.n_pages:
        limit = web.offsets[first] + LINKS_AT_A_TIME
        last = max(first + 1, int(np.searchsorted(web.offsets, limit, side="right")) - 1)
        last = min(last, web.n_pages)
        sizes = np.diff(web.offsets[first : last + 1])
        yield np.repeat(np.arange(first, last), sizes), slice(int(web.offsets[first]), int(web.offsets[last]))
        first = last
