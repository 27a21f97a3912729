"""How far a topic crawl got: target recall, target length, and how the links to its pages were admitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from crawler_project.core.metrics import coverage
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Bools, Web

NO_PARENT = -1


def topic_measures(simulator: Simulator) -> Mapping[str, object]:
    """Give the measures of CBP-SLC (T11) of a simulated crawl as far as it got.

    ``target_recall`` (eq. 9): relevant pages found over those that breadth-first reaches from the seeds;
    ``target_length`` (eq. 10): links from the seed along the path taken, over all relevant pages found, and
    ``mean_target_length`` of one of them; ``admitted`` (Figure 14): downloads, seeds left out, by what admitted their
    link: ``block``, ``anchor``, ``context``, ``page``, ``link`` or ``refused``.
    """
    web = simulator.web
    arrays = simulator.arrays()
    parents = arrays["parents"].tolist()
    found = [page for page in simulator.downloaded() if web.is_target[page]]
    lengths = path_lengths(parents, found)
    there = int((reachable(web) & web.is_target).sum())
    rules = Counter(simulator.rules[page] for page in simulator.downloaded() if parents[page] != NO_PARENT)
    return {
        "target_recall": coverage(len(found), there),
        "target_length": sum(lengths),
        "mean_target_length": sum(lengths) / len(lengths) if lengths else 0.0,
        "admitted": dict(sorted(rules.items())),
    }


def reachable(web: Web) -> Bools:
    """Say of each page whether links lead to it from the seeds: all that breadth-first would download."""
    seen = np.zeros(web.n_pages, dtype=bool)
    edge = np.unique(web.seeds)
    seen[edge] = True
    while len(edge):
        places = np.concatenate([np.arange(web.offsets[page], web.offsets[page + 1]) for page in edge.tolist()])
        linked = np.unique(web.targets[places])
        edge = linked[~seen[linked]]
        seen[edge] = True
    return seen


def path_lengths(parents: Sequence[int], pages: Sequence[int]) -> list[int]:
    """Count for each page the links back to its seed, which has none."""
    known: dict[int, int] = {}
    for page in pages:
        path = []
        while page not in known and parents[page] != NO_PARENT:
            path.append(page)
            page = parents[page]
        length = known.setdefault(page, 0)
        for step in reversed(path):
            length += 1
            known[step] = length
    return [known[page] for page in pages]
