"""Links of a generated web: ways to every page, then links drawn until the shares of Table 4 are met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.simulator.recipe import Anchors, Locality, Recipe
from crawler_project.simulator.synth_hidden import hide
from crawler_project.simulator.synth_hosts import Land
from crawler_project.simulator.web import Bools

Pages = npt.NDArray[np.int64]
OWN_SERVER, SISTER_SERVER, OTHER_DOMAIN = range(3)
HOME_PARENT_AT_HOME = 0.92
"""Home hosts whose first page is found on a target page; the others are found from abroad."""
ABROAD_PARENT_AT_HOME = 0.35
FRONT_SKEW = 2.0
"""A random number to this power chooses a page: front pages and early hosts get more links."""


class Links(NamedTuple):
    sources: Pages
    ends: Pages


class Ground:
    """Pages as the link generator sees them: who may be linked to at random, and where neighbours are."""

    def __init__(self, land: Land, recipe: Recipe, rng: np.random.Generator) -> None:
        self.land = land
        self.hosts = land.page_hosts()
        self.is_target = land.is_target()
        self.starts = land.starts
        self.hidden = hide(land, recipe, rng)
        self.is_open = np.ones(len(self.hosts), dtype=bool)
        """Pages that may be linked to at random: neither hidden nor in a tunnel."""
        self.is_open[self.hidden.pages] = False
        self.is_open[self.hidden.tunnels()] = False


def grow_tree(ground: Ground, rng: np.random.Generator) -> Iterator[Links]:
    """Give every page one way to it: within its host, to the host's first page, and through tunnels."""
    starts = ground.starts
    open_pages = np.flatnonzero(ground.is_open)
    local = open_pages - starts[ground.hosts[open_pages]]
    inner = local > 0
    parents = (local * rng.random(len(local)) ** FRONT_SKEW).astype(np.int64)
    # A gap in the host (a tunnel) lies behind its open pages, so an earlier local number is open too,
    # except for open strays behind it: those hang on the first page.
    parents = np.where(ground.is_open[open_pages - local + parents], parents, 0)
    yield Links((open_pages - local + parents)[inner], open_pages[inner])
    yield _reach_hosts(ground, rng)
    yield from _dig_tunnels(ground, rng)


def _reach_hosts(ground: Ground, rng: np.random.Generator) -> Links:
    """Link the first page of each host but the seeds' from an open page of an earlier host."""
    land, starts, count = ground.land, ground.starts, len(ground.land.sizes)
    hosts = np.arange(count)
    homes = np.flatnonzero(land.is_home & (land.target_sizes > 0))
    abroad = np.flatnonzero(~land.is_home)
    at_home = rng.random(count) < np.where(land.is_home, HOME_PARENT_AT_HOME, ABROAD_PARENT_AT_HOME)
    parents = np.zeros(count, dtype=np.int64)
    for pool, wanted in ((homes, at_home), (abroad, ~at_home)):
        earlier = np.searchsorted(pool, hosts)
        usable = wanted & (earlier > 0)
        parents[usable] = pool[(earlier * rng.random(count) ** 3)[usable].astype(np.int64)]
    width = np.where(land.is_home, np.maximum(land.target_sizes, 1), land.sizes - land.target_sizes)[parents]
    pages = starts[parents] + (width * rng.random(count) ** FRONT_SKEW).astype(np.int64)
    pages = np.where(ground.is_open[pages], pages, starts[parents])
    rest = np.setdiff1d(hosts, land.seed_hosts())
    return Links(pages[rest], starts[rest])


def _dig_tunnels(ground: Ground, rng: np.random.Generator) -> Iterator[Links]:
    """Lead from an open target page through non-target pages to each hidden page."""
    pages, lengths, first = ground.hidden
    if not len(pages):
        return
    yield Links(_mouths(ground, rng), first)
    inside = ground.hidden.tunnels()
    is_last = np.zeros(len(inside), dtype=bool)
    is_last[np.cumsum(lengths) - 1] = True
    ends = inside + 1
    ends[is_last] = pages
    yield Links(inside, ends)


def _mouths(ground: Ground, rng: np.random.Generator) -> Pages:
    """Choose an open target page for each tunnel: on the same host at home, anywhere for foreign hosts."""
    land, pages = ground.land, ground.hidden.pages
    hosts = ground.hosts[pages]
    before = np.concatenate([[0], np.cumsum(ground.is_target & ground.is_open)])
    first = np.where(land.is_home[hosts], before[land.starts[hosts]], 0)
    last = np.where(land.is_home[hosts], before[(land.starts + land.sizes)[hosts]], before[-1])
    chosen = first + ((last - first) * rng.random(len(pages))).astype(np.int64)
    mouths: Pages = np.flatnonzero(ground.is_target & ground.is_open)[chosen]
    return mouths


class Cell(NamedTuple):
    """One entry of Table 4: the kind of page that links, where the link goes, the kind of page there."""

    from_target: bool
    place: int
    in_target: bool


def draw_links(ground: Ground, recipe: Recipe, tree: list[Links], rng: np.random.Generator) -> Iterator[Links]:
    """Fill up each cell of Table 4 (source, place, end) to its share of all links."""
    n_target = int(ground.is_target.sum())
    have = _count_cells(ground, tree)
    activity = rng.lognormal(0, 1, len(ground.hosts)).astype(np.float32)
    for from_target, locality in ((True, recipe.from_target), (False, recipe.from_others)):
        pages = n_target if from_target else len(ground.hosts) - n_target
        for cell, share in _cells(from_target, locality):
            wanted = share * locality.links_per_page * pages - have[cell]
            if wanted > 0:
                yield _draw_cell(ground, cell, wanted, activity, rng)


def _cells(from_target: bool, locality: Locality) -> Iterator[tuple[Cell, float]]:
    places = (
        (OWN_SERVER, locality.same_server, locality.target_same_server),
        (SISTER_SERVER, locality.same_domain - locality.same_server, locality.target_sister_server),
        (OTHER_DOMAIN, 1 - locality.same_domain, locality.target_other_domain),
    )
    for place, share, target in places:
        yield Cell(from_target, place, True), share * target
        yield Cell(from_target, place, False), share * (1 - target)


def _count_cells(ground: Ground, tree: list[Links]) -> dict[Cell, int]:
    counts = np.zeros((2, 3, 2), dtype=np.int64)
    for links in tree:
        source_hosts, end_hosts = ground.hosts[links.sources], ground.hosts[links.ends]
        domains = ground.land.domains
        place = np.where(
            source_hosts == end_hosts,
            OWN_SERVER,
            np.where(domains[source_hosts] == domains[end_hosts], SISTER_SERVER, OTHER_DOMAIN),
        )
        is_target = ground.is_target.astype(np.int64)
        np.add.at(counts, (is_target[links.sources], place, is_target[links.ends]), 1)
    return {Cell(bool(a), b, bool(c)): int(counts[a, b, c]) for a, b, c in np.ndindex(counts.shape)}


class _Pool(NamedTuple):
    """Pages that may be linked to, in page order, and for each host the slices that it may or may not use."""

    pages: Pages
    host_from: Pages
    host_to: Pages
    domain_from: Pages
    domain_to: Pages


def _pool(ground: Ground, cell: Cell) -> _Pool:
    """Open pages of the cell's kind; the non-target pages of home hosts are linked in their domain only."""
    may = ground.is_open & (ground.is_target == cell.in_target)
    if cell.place == OTHER_DOMAIN and not cell.in_target:
        may &= ~ground.land.is_home[ground.hosts]
    pages = np.flatnonzero(may)
    per_host = np.bincount(ground.hosts[pages], minlength=len(ground.land.sizes))
    host_to = np.cumsum(per_host)
    host_from = host_to - per_host
    domains = ground.land.domains
    first = np.searchsorted(domains, domains)
    last = np.searchsorted(domains, domains, side="right") - 1
    return _Pool(pages, host_from, host_to, host_from[first], host_to[last])


def _draw_cell(
    ground: Ground, cell: Cell, wanted: float, activity: npt.NDArray[np.float32], rng: np.random.Generator
) -> Links:
    """Draw about ``wanted`` links of one cell; active pages have more of them."""
    pool = _pool(ground, cell)
    start, stop, skip_from, skip_to = _ranges(pool, cell.place)
    room = (stop - start) - (skip_to - skip_from)
    may = (ground.is_target == cell.from_target) & (room[ground.hosts] > 0)
    sources = np.flatnonzero(may)
    if not len(sources):
        return Links(sources, sources)
    weights = activity[sources]
    if cell.place == OWN_SERVER:  # a page on a host full of the target links to little else there
        weights = weights * (room / ground.land.sizes).astype(np.float32)[ground.hosts[sources]]
    sources = np.repeat(sources, rng.poisson(weights * np.float32(wanted / float(weights.sum(dtype=np.float64)))))
    hosts = ground.hosts[sources]
    chosen = start[hosts] + (room[hosts] * rng.random(len(sources)) ** FRONT_SKEW).astype(np.int64)
    chosen += np.where(chosen >= skip_from[hosts], (skip_to - skip_from)[hosts], 0)
    return Links(sources, pool.pages[chosen])


def _ranges(pool: _Pool, place: int) -> tuple[Pages, Pages, Pages, Pages]:
    """By host: where in the pool it may choose (from, to), and what it must leave out of that (from, to)."""
    if place == OWN_SERVER:
        return pool.host_from, pool.host_to, pool.host_to, pool.host_to
    if place == SISTER_SERVER:
        return pool.domain_from, pool.domain_to, pool.host_from, pool.host_to
    nothing, everything = np.zeros_like(pool.host_from), np.full_like(pool.host_to, len(pool.pages))
    return nothing, everything, pool.domain_from, pool.domain_to


def draw_anchors(recipe: Recipe, from_target: Bools, to_target: Bools, rng: np.random.Generator) -> Bools:
    """Say which links have an anchor text in the target language (Table 5), by both of their ends."""
    chance = rng.random(len(from_target), dtype=np.float32)
    on_target = _anchor_chances(recipe.anchors_on_target, recipe.from_target.target)
    on_others = _anchor_chances(recipe.anchors_on_others, recipe.from_others.target)
    table = np.array([on_others, on_target], dtype=np.float32)
    limits = table[from_target.astype(np.int8), to_target.astype(np.int8)]
    return np.asarray(chance < limits)


def _anchor_chances(anchors: Anchors, target: float) -> tuple[float, float]:
    """P(anchor in target | end) for ends off and on target, from the shares of Table 5 by Bayes."""
    on = anchors.in_target * anchors.target_behind / target
    off = anchors.in_target * (1 - anchors.target_behind) / (1 - target)
    return min(off, 1.0), min(on, 1.0)
