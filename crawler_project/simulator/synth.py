"""Generate a web that looks like those of the papers: Tables 3 to 5, locality, hosts, distances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.recipe import Recipe
from crawler_project.simulator.synth_hosts import Land, draw_languages, lay_out
from crawler_project.simulator.synth_links import Ground, Links, draw_anchors, draw_links, grow_tree
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import number_names

MIN_PAGES = 100
MAX_PAGES = 1 << 30
PAGES_A_DIRECTORY = 16


def synthesize(recipe: Recipe, n_pages: int, seed: int) -> Web:
    """Generate a web of ``n_pages``; equal arguments give equal webs (of one NumPy version).

    Source: Somboonviwat 2006, Section 4 (Tables 3 to 5, Figures 2 and 3); readings A3, A4 and A13.
    The figures' values are not printed: Figure 2 is met in its shape (falling until distance 7) and its
    end (Table 3's share), Figure 3 in its shape (exponential, farthest 10). Each page's links are in
    random order.

    Raises:
        ConfigurationError: too few or too many pages.
    """
    if not MIN_PAGES <= n_pages <= MAX_PAGES:
        raise ConfigurationError(f"pages={n_pages} cannot be generated; allowed: {MIN_PAGES} to {MAX_PAGES}")
    rng = np.random.default_rng(seed)
    land = lay_out(recipe, n_pages, rng)
    langs = draw_languages(recipe, land, n_pages, rng)
    offsets, targets = _link(land, recipe, rng)
    sources_are_target = np.repeat(land.is_target(), np.diff(offsets))
    tld_names, host_tlds = number_names(name.rpartition(".")[2] for name in land.names)
    hosts = land.page_hosts().astype(np.int32)
    return Web(
        target_lang=recipe.target_lang,
        target_tlds=frozenset(name.rpartition(".")[2] for name in recipe.home_tlds),
        urls=_urls(land),
        host_names=land.names,
        hosts=hosts,
        tld_names=tld_names,
        tlds=host_tlds[hosts],
        lang_names=[recipe.target_lang, "en", "other", "und"],
        langs=langs,
        offsets=offsets,
        targets=targets,
        anchors=draw_anchors(recipe, sources_are_target, land.is_target()[targets], rng),
        seeds=land.starts[land.seed_hosts()].astype(np.int32),
    )


def _link(land: Land, recipe: Recipe, rng: np.random.Generator) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Draw all links and sort them by source, the links of a page in random order."""
    ground = Ground(land, recipe, rng)
    n_pages = len(ground.hosts)
    tree = list(grow_tree(ground, rng))
    packed = [_pack(links, n_pages, rng) for links in tree]
    packed += [_pack(links, n_pages, rng) for links in draw_links(ground, recipe, tree, rng)]
    keys = np.concatenate(packed)
    del packed
    keys.sort()
    bits = _bits(n_pages)
    offsets = np.concatenate(
        [[0], np.cumsum(np.bincount((keys >> np.uint64(64 - bits)).astype(np.int64), minlength=n_pages))]
    )
    return offsets, (keys & np.uint64((1 << bits) - 1)).astype(np.int32)


def _bits(n_pages: int) -> int:
    return max(1, (n_pages - 1).bit_length())


def _pack(links: Links, n_pages: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """Put source, a random number and end into 64 bits, so that one sort of plain numbers does it all."""
    bits = _bits(n_pages)
    free = 64 - 2 * bits
    lot = rng.integers(0, 1 << free, len(links.sources), dtype=np.uint64) << np.uint64(bits)
    key: npt.NDArray[np.uint64] = links.sources.astype(np.uint64) << np.uint64(64 - bits)
    key |= lot
    key |= links.ends.astype(np.uint64)
    return key


def _urls(land: Land) -> pa.LargeStringArray:
    """Name the pages: the first of a host is ``/``, sixteen at a time share a directory."""
    parts = []
    for name, size in zip(land.names, land.sizes.tolist(), strict=True):
        parts.append(f"http://{name}/")
        parts.extend([f"http://{name}/d{page // PAGES_A_DIRECTORY}/p{page}" for page in range(1, size)])
    return pa.array(parts, pa.large_string())
