"""Target pages that no target page links to: where they are, and the tunnels that lead to them (Figure 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.simulator.recipe import Recipe
from crawler_project.simulator.synth_hosts import HIDDEN_ABROAD, Counts, Land

Pages = npt.NDArray[np.int64]

MORE_HIDDEN = 1 / 3
"""Of the target pages hidden at some distance, one in three is a step further (Figure 3: exponential)."""
LONGEST_TUNNEL = 9
"""Non-target pages in a row (Figure 3: the farthest target page is at distance 10)."""


class Hidden(NamedTuple):
    """Hidden pages, and for each a run of non-target pages of the same host that leads to it."""

    pages: Pages
    lengths: Pages
    first: Pages
    """First page of the tunnel; its others follow."""

    def tunnels(self) -> Pages:
        """Give all pages of the tunnels, tunnel after tunnel."""
        steps = np.arange(int(self.lengths.sum())) - np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)
        return np.repeat(self.first, self.lengths) + steps


def hide(land: Land, recipe: Recipe, rng: np.random.Generator) -> Hidden:
    """Choose the hidden pages and their tunnels, most of them on hosts of the target's web.

    Somboonviwat, Section 5: between two Thai pages that are 2 to 4 links apart lie mostly pages of the same server.
    """
    wanted = recipe.hidden * int(land.target_sizes.sum())
    abroad = _hidden_abroad(land, round(wanted * HIDDEN_ABROAD), rng)
    pages = np.sort(np.concatenate([abroad, _hidden_at_home(land, round(wanted) - len(abroad), rng)]))
    lengths = np.minimum(rng.geometric(1 - MORE_HIDDEN, len(pages)), LONGEST_TUNNEL)
    hosts = np.searchsorted(land.starts, pages, side="right") - 1
    used = np.cumsum(lengths)
    used_before = np.concatenate([[0], used])[np.searchsorted(hosts, hosts)]
    # Tunnels are dug from the end of a host's non-target pages; its first page stays open.
    last = land.starts + np.where(land.is_home, land.sizes, land.sizes - land.target_sizes)
    least = land.starts + np.where(land.is_home, land.target_sizes, 0)
    ends = last[hosts] - (used - used_before)
    fits = ends - lengths > least[hosts]
    return Hidden(pages[fits], lengths[fits], ends[fits])


def _hidden_abroad(land: Land, wanted: int, rng: np.random.Generator) -> Pages:
    strays = np.where(land.is_home, 0, land.target_sizes)
    first = land.starts + land.sizes - land.target_sizes
    pages = _runs(first, strays)
    return rng.choice(pages, min(len(pages), wanted), replace=False)


def _hidden_at_home(land: Land, wanted: int, rng: np.random.Generator) -> Pages:
    """Take the last target pages of hosts that have enough others for the tunnels."""
    others = land.sizes - land.target_sizes
    most = np.where(land.is_home, np.minimum(others // 4, land.target_sizes // 3), 0)
    chosen = rng.binomial(most, min(1.0, max(0, wanted) / max(1, int(most.sum()))))
    return _runs(land.starts + land.target_sizes - chosen, chosen)


def _runs(first: Counts, lengths: Counts) -> Pages:
    """Give ``lengths[i]`` numbers from ``first[i]`` on, run after run."""
    steps = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(first, lengths) + steps
