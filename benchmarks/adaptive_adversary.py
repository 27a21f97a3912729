"""The strategy that learns on webs that try to keep it.

    python benchmarks/adaptive_adversary.py [turns,farm,endless] [--pages 300000] [--limit 100000] [--seed 101] [--strategies adaptive,control] [--out FILE.csv]

A generated web (``--target``, Thai by default), and in it one of three adversaries, which the twenty target pages that are linked most link to:
*turns*: a host whose first hundred pages are on target, and none of the following 20,000; *farm*: fifty hosts with 400 pages each, all off target,
that link to one another with anchors in the target language, and are linked so; *endless*: a host with as many pages as
``--limit``, all in the target language, each linked to those before and after it as days, months and years of a
calendar are. Its pages are counted as waste here, though no label says so: nobody wants a million of them.

One row a strategy: downloads of the adversary and what of them was waste after a hundredth, a tenth and all of the
downloads; *turned away*: the wasted downloads before the first thousand downloads in a row without one of them (empty:
there was none); target pages of the web itself, and how many there would be without the adversary.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from adaptive import DATA, add_row

from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import Web
from crawler_project.strategies import make_strategy
from crawler_project.strategies.base import Strategy

Ints = npt.NDArray[np.int64]

DOORS = 20
"""Links from the web into the adversary."""
GOOD_PAGES = 100
TURNED_PAGES = 20_000
FARM_HOSTS, FARM_PAGES = 50, 400
QUIET = 1000
"""Downloads without one of the adversary's: then it has been left."""


class Adversary(NamedTuple):
    """Pages to be added to a web; links are by number among them."""

    names: Sequence[str]
    """Of their hosts."""
    hosts: Ints
    on_target: npt.NDArray[np.bool_]
    sources: Ints
    ends: Ints
    target_anchors: bool
    waste: npt.NDArray[np.bool_]


def turns(limit: int) -> Adversary:
    pages = np.arange(GOOD_PAGES + TURNED_PAGES)
    sources, ends = _steps(pages, range(1, 9))
    good = pages < GOOD_PAGES
    return Adversary(["turns.co.th"], np.zeros_like(pages), good, sources, ends, True, ~good)


def farm(limit: int) -> Adversary:
    rng = np.random.default_rng(7)
    pages = np.arange(FARM_HOSTS * FARM_PAGES)
    sources, ends = np.repeat(pages, 8), rng.integers(0, len(pages), 8 * len(pages))
    names = [f"www.farm{number}.com" for number in range(FARM_HOSTS)]
    off = np.zeros(len(pages), dtype=bool)
    return Adversary(names, pages % FARM_HOSTS, off, sources, ends, True, ~off)


def endless(limit: int) -> Adversary:
    pages = np.arange(limit)
    sources, ends = _steps(pages, (-365, -30, -1, 1, 30, 365))
    on = np.ones(limit, dtype=bool)
    return Adversary(["calendar.co.th"], np.zeros_like(pages), on, sources, ends, True, on)


KINDS: Mapping[str, Callable[[int], Adversary]] = {"turns": turns, "farm": farm, "endless": endless}


def _steps(pages: Ints, steps: Sequence[int] | range) -> tuple[Ints, Ints]:
    """Link each page to those so many places on."""
    sources, ends = np.repeat(pages, len(steps)), (pages[:, None] + np.array(steps)).ravel()
    inside = (ends >= 0) & (ends < len(pages))
    return sources[inside], ends[inside]


def beset(web: Web, adversary: Adversary) -> Web:
    """Put the adversary into the web, behind the pages that are there."""
    count, first_host = web.n_pages, web.n_hosts
    in_links = np.bincount(web.targets, minlength=count) * web.is_target
    doors = np.argsort(-in_links, kind="stable")[:DOORS]
    sources = np.concatenate([web.sources(), doors, count + adversary.sources])
    entries = np.arange(DOORS) if len(adversary.names) > 1 else np.zeros(DOORS, dtype=np.int64)
    ends = np.concatenate([web.targets, count + entries, count + adversary.ends])
    anchors = np.concatenate([web.anchors, np.full(len(ends) - web.n_links, adversary.target_anchors)])
    order = np.argsort(sources, kind="stable")
    other, target = web.lang_names.index("other"), web.lang_names.index(web.target_lang)
    tlds = [name.rpartition(".")[2] for name in adversary.names]
    names = [*web.tld_names, *sorted(set(tlds) - set(web.tld_names))]
    of_host = np.array([names.index(tld) for tld in tlds])
    urls = [
        f"http://{adversary.names[host]}/d{page // 31}/p{page}" for page, host in enumerate(adversary.hosts.tolist())
    ]
    pages = count + len(adversary.hosts)
    return replace(
        web,
        urls=pa.concat_arrays([web.urls, pa.array(urls, pa.large_string())]),
        host_names=[*web.host_names, *adversary.names],
        hosts=np.concatenate([web.hosts, first_host + adversary.hosts]).astype(np.int32),
        tld_names=names,
        tlds=np.concatenate([web.tlds, of_host[adversary.hosts]]).astype(np.int32),
        langs=np.concatenate([web.langs, np.where(adversary.on_target, target, other)]).astype(np.int16),
        offsets=np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=pages))]).astype(np.int64),
        targets=ends[order].astype(np.int32),
        anchors=anchors[order],
    )


def measure(web: Web, adversary: Adversary, strategy: Strategy, limit: int) -> dict[str, Any]:
    """Crawl the web with the adversary in it."""
    order = np.array(list(Simulator(beset(web, adversary), strategy).run(limit)))
    met = order >= web.n_pages
    wasted = np.zeros(len(order), dtype=bool)
    wasted[met] = adversary.waste[order[met] - web.n_pages]
    row: dict[str, Any] = {"downloads": len(order)}
    for name, part in (("1_percent", limit // 100), ("10_percent", limit // 10), ("all", limit)):
        row |= {f"met_{name}": int(met[:part].sum()), f"wasted_{name}": int(wasted[:part].sum())}
    row["turned_away"] = turned_away(wasted)
    row["targets_of_the_web"] = int(web.is_target[order[~met]].sum())
    return row


def turned_away(wasted: npt.NDArray[np.bool_]) -> int | None:
    """Count the wasted downloads until the first ``QUIET`` in a row without one; ``None``: there are no such."""
    at = np.flatnonzero(wasted)
    if not len(at):
        return 0
    gaps = np.diff(np.append(at, len(wasted)))
    quiet = np.flatnonzero(gaps > QUIET)
    return int(quiet[0]) + 1 if len(quiet) else None


def _strategy(spec: str) -> Strategy:
    name, *parameters = spec.split(":")
    return make_strategy(name, **dict(pair.split("=") for pair in parameters))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="?", default=",".join(KINDS))
    parser.add_argument("--target", default="th")
    parser.add_argument("--pages", type=int, default=300_000)
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument(
        "--strategies", default="adaptive,adaptive:enough=1000,lswc:S=1:T=1,lswc:S=3:T=5,soft_focused,control"
    )
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-adversary.csv")
    arguments = parser.parse_args()
    web = synthesize(recipe_for(arguments.target), arguments.pages, arguments.seed)
    about = {"target": arguments.target, "pages": arguments.pages, "seed": arguments.seed, "limit": arguments.limit}
    for spec in arguments.strategies.split(","):
        without = int(web.is_target[list(Simulator(web, _strategy(spec)).run(arguments.limit))].sum())
        for kind in arguments.kinds.split(","):
            adversary = KINDS[kind](arguments.limit)
            row = measure(web, adversary, _strategy(spec), arguments.limit)
            add_row(arguments.out, about | {"adversary": kind, "strategy": spec} | row | {"targets_without": without})


if __name__ == "__main__":
    main()
