"""Hosts, domains and pages of a generated web, before any link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crawler_project.simulator.recipe import Recipe
from crawler_project.simulator.synth_targets import spread_abroad, spread_at_home
from crawler_project.simulator.web import Bools

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SEEDS = 3
"""Somboonviwat, Section 4: three popular sites."""
TARGET, ENGLISH, OTHER, UNKNOWN_LANGUAGE = range(4)
TARGET_SHARE_AT_HOME = 0.32
"""Target pages among those of all hosts that belong to the target's web, where the other pages suffice. Hosts
differ: of its own hosts the average target page is on one that is 81 % full, as Table 4's 84 % of own links ask for."""
HIDDEN_ABROAD = 0.1
"""Share of the hidden target pages that are on foreign hosts."""
OPEN_STRAYS = 0.01
"""Share of the target pages that are on foreign hosts, and linked from target pages."""
FAME_SPREAD = 1.0
"""How far a domain's rank may be from what its target pages earn it, in the logarithm of their number."""
FAME_BY_PURITY = 2.0
"""A domain twice as full of the target ranks like one with four times its target pages."""


@dataclass(frozen=True, eq=False)
class Land:
    """Hosts in the order in which a crawl may discover them; a domain's hosts and a host's pages are neighbours."""

    names: Sequence[str]
    sizes: Counts
    target_sizes: Counts
    """Target pages of each host."""
    is_home: Bools
    """The host belongs to the target's web: its target pages come first, on all others last."""
    domains: Counts
    """Number of the registrable domain of each host, ascending."""
    groups: Counts
    """Row of the host's top-level domain group in the recipe."""

    @property
    def starts(self) -> Counts:
        """The first page of each host."""
        return np.cumsum(self.sizes) - self.sizes

    def seed_hosts(self) -> Counts:
        """Give the first host of each of the first domains; the seeds are their first pages."""
        leading = np.searchsorted(self.domains, np.arange(min(SEEDS, int(self.domains[-1]) + 1)))
        at_home = leading[self.is_home[leading]]
        return at_home if len(at_home) else leading[:1]

    def page_hosts(self) -> Counts:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def is_target(self) -> Bools:
        """Which pages are in the target language."""
        hosts = self.page_hosts()
        local = np.arange(len(hosts)) - self.starts[hosts]
        at_end = local >= (self.sizes - self.target_sizes)[hosts]
        return np.where(self.is_home[hosts], local < self.target_sizes[hosts], at_end)


def scale(recipe: Recipe, n_pages: int) -> npt.NDArray[np.int64]:
    """Give the pages of each group (rows) and language (columns), ``n_pages`` in all."""
    shares = np.array([list(languages) for languages in recipe.groups.values()], dtype=float)
    exact = np.cumsum(shares.ravel() / shares.sum()) * n_pages
    return np.diff(np.round(exact), prepend=0).astype(np.int64).reshape(shares.shape)


def lay_out(recipe: Recipe, n_pages: int, rng: np.random.Generator) -> Land:
    """Draw hosts with power-law sizes for each group of domains, at home and abroad, and name them."""
    exponent, cap = _power_law(recipe.pages_per_host, n_pages)
    parts: list[_Part] = []
    for group, row in enumerate(scale(recipe, n_pages)):
        pages = int(row.sum())
        strays = min(int(row[TARGET] * (recipe.hidden * HIDDEN_ABROAD + OPEN_STRAYS)), pages // 8)
        at_home = int(row[TARGET]) - strays
        home_pages = min(max(at_home, round(at_home / TARGET_SHARE_AT_HOME)), max(at_home, pages - 5 * strays))
        sizes = _draw_sizes(home_pages, exponent, cap, rng)
        parts.append(_Part(group, True, sizes, spread_at_home(sizes, at_home, rng)))
        sizes = _draw_sizes(pages - home_pages, exponent, cap, rng)
        parts.append(_Part(group, False, sizes, spread_abroad(sizes, strays, rng)))
    return _arrange(recipe, parts, rng)


@dataclass(frozen=True, eq=False)
class _Part:
    group: int
    is_home: bool
    sizes: Counts
    target_sizes: Counts


def _power_law(mean: float, n_pages: int) -> tuple[float, float]:
    """Find the exponent of a discrete power law from 1 to ``n_pages``^0.7, cut off there, with this mean."""
    cap = max(10.0, n_pages**0.7)
    sizes = np.unique(np.round(np.geomspace(1, cap, 400)))
    low, high = 0.3, 3.0
    for _ in range(40):
        exponent = (low + high) / 2
        tails = (sizes**-exponent - cap**-exponent) / (1 - cap**-exponent)
        found = float(np.sum(np.diff(sizes) * tails[1:]) + 1)  # the mean is the sum of the tail
        low, high = (low, exponent) if found < mean else (exponent, high)
    return exponent, cap


def _draw_sizes(total: int, exponent: float, cap: float, rng: np.random.Generator) -> Counts:
    """Draw power-law sizes that sum to ``total``."""
    sizes = np.zeros(0, dtype=np.int64)
    while sizes.sum() < total:
        tails = cap**-exponent + (1 - cap**-exponent) * rng.random(max(16, total // 16))
        sizes = np.concatenate([sizes, (tails ** (-1 / exponent)).astype(np.int64)])
    count = int(np.searchsorted(np.cumsum(sizes), total)) + 1 if total else 0
    sizes = sizes[:count]
    if count:
        sizes[-1] -= sizes.sum() - total
    return sizes


def _arrange(recipe: Recipe, parts: Sequence[_Part], rng: np.random.Generator) -> Land:
    """Gather hosts into domains, and put the domains into the order of how well they are known."""
    sizes = np.concatenate([part.sizes for part in parts])
    target_sizes = np.concatenate([part.target_sizes for part in parts])
    is_home = np.concatenate([part.is_home & (part.target_sizes > 0) for part in parts])
    groups = np.concatenate([np.full(len(part.sizes), part.group, dtype=np.int64) for part in parts])
    domains = _gather_domains([len(part.sizes) for part in parts], rng)
    pages, targets = (np.bincount(domains, counts) for counts in (sizes, np.where(is_home, target_sizes, 0)))
    ranks = _rank(pages.astype(np.float64), targets.astype(np.float64), rng)
    order = np.lexsort((-np.where(is_home, target_sizes, 0), -sizes, domains, ranks[domains]))
    new_numbers = np.cumsum(np.diff(domains[order], prepend=-1) != 0) - 1
    land = Land((), sizes[order], target_sizes[order], is_home[order], new_numbers, groups[order])
    return Land(
        _name_hosts(recipe, land, rng),
        *(getattr(land, name) for name in ("sizes", "target_sizes", "is_home", "domains", "groups")),
    )


def _rank(pages: Floats, targets: Floats, rng: np.random.Generator) -> Floats:
    """Give each domain its place: those of the target's web early, the large and pure ones first of all.

    Being early means being found early, and being linked to often.
    """
    known: Floats = np.maximum(targets, 0.5)
    earned = np.log(known) + FAME_BY_PURITY * np.log(known / pages)
    fame = earned + rng.normal(0, FAME_SPREAD, len(pages))
    fame[np.argsort(-earned, kind="stable")[:SEEDS]] += float(fame.max() - fame.min()) + 1
    places = np.empty(len(pages))
    places[np.argsort(-fame, kind="stable")] = np.arange(len(pages))
    at_home = (places / max(1, int(np.count_nonzero(targets)))) ** 2
    return np.where(targets > 0, at_home, rng.random(len(pages)) + 0.05)


def _gather_domains(hosts_of_parts: Sequence[int], rng: np.random.Generator) -> Counts:
    """Number domains of one to some hundred neighbouring hosts, never across parts."""
    numbers: list[Counts] = []
    first = 0
    for hosts in hosts_of_parts:
        lengths = np.minimum(rng.random(hosts + 1) ** (-1 / 1.2), 300).astype(np.int64)
        part = np.repeat(np.arange(hosts + 1), lengths)[:hosts]
        numbers.append(part + first)
        first += int(part[-1]) + 1 if hosts else 0
    return np.concatenate(numbers)


def _name_hosts(recipe: Recipe, land: Land, rng: np.random.Generator) -> list[str]:
    n_domains = int(land.domains[-1]) + 1 if len(land.domains) else 0
    first_hosts = np.searchsorted(land.domains, np.arange(n_domains))
    suffixes = np.empty(n_domains, dtype=object)
    for group, name in enumerate(recipe.groups):
        rows = np.flatnonzero(land.groups[first_hosts] == group)
        shares = _suffixes(recipe, name)
        weights = np.array(list(shares.values())) / sum(shares.values())
        suffixes[rows] = np.array(list(shares), dtype=object)[rng.choice(len(weights), len(rows), p=weights)]
    places = np.arange(len(land.domains)) - first_hosts[land.domains]
    domains = [f"site{number}.{suffix}" for number, suffix in enumerate(suffixes)]
    return [
        f"{'www' if place == 0 else f's{place}'}.{domains[domain]}"
        for domain, place in zip(land.domains.tolist(), places.tolist(), strict=True)
    ]


def _suffixes(recipe: Recipe, group: str) -> Mapping[str, float]:
    if group == "home":
        return recipe.home_tlds
    if group == "other":
        home = {name.rpartition(".")[2] for name in recipe.home_tlds}
        return {tld: share for tld, share in recipe.other_tlds.items() if tld not in home}
    return {group: 1.0}


def draw_languages(recipe: Recipe, land: Land, n_pages: int, rng: np.random.Generator) -> npt.NDArray[np.int16]:
    """Give the language of each page (``TARGET`` … ``UNKNOWN_LANGUAGE``): exact counts, alike within a host."""
    hosts, is_target = land.page_hosts(), land.is_target()
    langs = np.where(is_target, TARGET, UNKNOWN_LANGUAGE).astype(np.int16)
    page_groups = land.groups[hosts]
    liking = rng.normal(0, 1, len(land.sizes))[hosts] + rng.normal(0, 0.6, len(hosts))
    for group, row in enumerate(scale(recipe, n_pages)):
        pages = np.flatnonzero((page_groups == group) & ~is_target)
        order = pages[np.argsort(liking[pages])]
        english, other = int(row[ENGLISH]), int(row[OTHER])
        langs[order[:english]] = ENGLISH
        langs[order[english : english + other]] = OTHER
    return langs
