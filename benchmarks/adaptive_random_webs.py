"""The strategy that learns beside LSWC on webs of a second generator, each of a kind of its own.

    python benchmarks/adaptive_random_webs.py [--seeds 1 60] [--pages 40000] [--out FILE.csv]

``scrapy web synth`` makes webs as published crawls describe them, and its constants were looked at when the strategy was made. This generator shares
nothing with it: how many hosts there are and how unequal, how many of them are in the target language, whole, by directory or page by page, where links
go, and what anchors and top-level domains say, is drawn at random for each web from wide ranges (:class:`Kind`). Directories in one language are there
for ``adaptive`` to see, and LSWC looks at hosts alone. The measures are those of
``adaptive.py``, with and without a bound of what is believed of new hosts. The last lines say how many webs were ahead at all budgets.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from adaptive import BUDGETS, DATA, SHARE, add_row, baselines, measures, targets_after
from adaptive_parts import with_and_without_bound

from crawler_project.core.target import Target
from crawler_project.crawling.garbage import collect_rarely
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble

TARGET = Target(frozenset({"ko"}), frozenset({"kr"}))
NAMES = ("news", "blog", "about", "docs", "list", "archive", "forum", "photo", "help", "music")
"""Of directories: the same ones on hosts of all languages."""
OTHER_TLDS = ("com", "org", "net", "de")
KNOWN = 200
"""Seeds are drawn from so many of the best known target pages."""
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


class Kind(NamedTuple):
    """What sets a web apart; shares and chances, but for the first two and the last two."""

    pages_a_host: float
    """On the mean."""
    unequal: float
    """Exponent of the sizes of hosts by rank (Zipf): .5 to 1.6."""
    share: float
    """Of hosts with pages in the target language; of links that do not care, those to target pages."""
    by_directory: float
    """Of these hosts, those whose directories have languages of their own."""
    by_page: float
    """Of these hosts, those on which any page may be in any language."""
    home: float
    """Of these hosts, those in the target's top-level domain."""
    stray: float
    """Of the other hosts, those in it all the same."""
    near: float
    """Of links, those within the directory of their page."""
    local: float
    """Of the others, those within its host."""
    alike: float
    """Of the rest, those that seek pages of the language of their page."""
    hits: float
    """Of links to target pages, those with an anchor in the target language."""
    false: float
    """Of the other links, those with one."""
    links: float
    """A page, on the mean."""
    seeds: int

    @classmethod
    def draw(cls, random: np.random.Generator) -> Kind:
        return cls(
            pages_a_host=float(random.choice([500, 100, 20, 5])),
            unequal=random.uniform(0.5, 1.6),
            share=random.uniform(0.08, 0.6),
            by_directory=random.uniform(0, 0.5),
            by_page=random.uniform(0, 0.3),
            home=random.uniform(0.2, 0.95),
            stray=random.uniform(0, 0.15),
            near=random.uniform(0, 0.5),
            local=random.uniform(0.1, 0.6),
            alike=random.uniform(0.3, 0.95),
            hits=random.uniform(0.3, 0.95),
            false=random.uniform(0.005, 0.2),
            links=random.uniform(4, 20),
            seeds=int(random.integers(1, 10)),
        )


class Pages(NamedTuple):
    """Pages in the order of their hosts and directories."""

    hosts: Ints
    directories: Ints
    """Numbered within their host."""
    is_target: Bools
    of_target_host: Bools
    """One a host."""


def make_pages(kind: Kind, pages: int, random: np.random.Generator) -> Pages:
    """Spread pages over hosts and directories, and give them languages."""
    n_hosts = max(5, round(pages / kind.pages_a_host))
    weights = np.arange(1, n_hosts + 1) ** -kind.unequal * random.lognormal(0, 0.5, n_hosts)
    sizes = 1 + random.multinomial(pages - n_hosts, weights / weights.sum())
    of_target_host = random.random(n_hosts) < kind.share
    of_target_host[random.integers(n_hosts)] = True
    directories, is_target = [], []
    for size, has_target in zip(sizes.tolist(), of_target_host.tolist(), strict=True):
        count = max(1, int(size ** random.uniform(0.3, 0.7)))
        popular = np.arange(1, count + 1) ** -0.7
        directory = np.sort(random.choice(count, size, p=popular / popular.sum()))
        directories.append(directory)
        is_target.append(random.random(size) < _chances(kind, directory, count, has_target, random))
    return Pages(
        np.repeat(np.arange(n_hosts), sizes), np.concatenate(directories), np.concatenate(is_target), of_target_host
    )


def _chances(kind: Kind, directory: Ints, count: int, has_target: bool, random: np.random.Generator) -> Floats | float:
    """Give the chance of each page of a host, or of all of them, to be a target page."""
    if not has_target:
        return float(random.choice([0, 0, 0, 0.01]))
    way = random.random()
    if way < kind.by_directory:
        chances: Floats = (random.random(count) < random.uniform(0.2, 0.8)).astype(np.float64)
        return chances[directory]
    return random.uniform(0.1, 0.9) if way < kind.by_directory + kind.by_page else random.uniform(0.93, 1)


def make_links(kind: Kind, pages: Pages, fame: Floats, random: np.random.Generator) -> LinkColumns:
    """Link pages; each page but the first of a host is linked by an earlier one there at least."""
    numbers = np.arange(len(pages.hosts))
    place = pages.hosts * (pages.directories.max() + 1) + pages.directories
    sources = np.repeat(numbers, np.maximum(1, random.poisson(kind.links, len(numbers))))
    chance, of_target = random.random(len(sources)), pages.is_target[sources]
    seeks = random.random(len(sources))
    wants_target = np.where(seeks < kind.alike, of_target, random.random(len(sources)) < kind.share)
    in_directory, on_host = _within(place, sources, random), _within(pages.hosts, sources, random)
    on_target, off_target = (_famous(is_it, fame, sources, random) for is_it in (pages.is_target, ~pages.is_target))
    local = kind.near + (1 - kind.near) * kind.local
    ways = [chance < kind.near, chance < local, wants_target]
    ends = np.select(ways, [in_directory, on_host, on_target], off_target)
    first = np.searchsorted(pages.hosts, pages.hosts)
    inner = numbers[numbers > first]
    earlier = first[inner] + (random.random(len(inner)) * (inner - first[inner])).astype(np.int64)
    sources, ends = np.concatenate([sources, earlier]), np.concatenate([ends, inner])
    order = np.argsort(sources, kind="stable")
    sources, ends = sources[order], ends[order]
    says = random.random(len(ends)) < np.where(pages.is_target[ends], kind.hits, kind.false)
    return LinkColumns(sources, ends, says)


def _within(places: Ints, sources: Ints, random: np.random.Generator) -> Ints:
    """Give any page of the same place for each source; ``places`` are sorted."""
    first, last = (np.searchsorted(places, places[sources], side) for side in ("left", "right"))
    return first + (random.random(len(sources)) * (last - first)).astype(np.int64)


def _famous(is_wanted: Bools, fame: Floats, sources: Ints, random: np.random.Generator) -> Ints:
    """Give a wanted page for each source, in proportion to their fame."""
    wanted = np.flatnonzero(is_wanted)
    return random.choice(wanted, len(sources), p=fame[wanted] / fame[wanted].sum())


def make_web(pages: int, seed: int) -> tuple[Web, Kind]:
    """Draw a kind and a web of it."""
    random = np.random.default_rng(seed)
    kind = Kind.draw(random)
    made = make_pages(kind, pages, random)
    is_home = random.random(len(made.of_target_host)) < np.where(made.of_target_host, kind.home, kind.stray)
    hosts = [
        f"{NAMES[host % len(NAMES)]}{host}.{'co.kr' if home else OTHER_TLDS[host % len(OTHER_TLDS)]}"
        for host, home in enumerate(is_home.tolist())
    ]
    names = random.permutation(NAMES).tolist()
    urls = [
        f"http://{hosts[host]}/{names[directory % len(names)]}{directory}/{page}.html"
        for page, (host, directory) in enumerate(zip(made.hosts.tolist(), made.directories.tolist(), strict=True))
    ]
    fame = random.lognormal(0, 1.2, pages)
    links = make_links(kind, made, fame, random)
    good = np.flatnonzero(made.is_target & made.of_target_host[made.hosts])
    known = good[np.argsort(-fame[good])][:KNOWN]
    seeds = random.choice(known, min(kind.seeds, len(known)), replace=False).tolist()
    columns = PageColumns(urls, [hosts[host] for host in made.hosts], np.where(made.is_target, "ko", "other").tolist())
    return assemble(TARGET, columns, links, seeds), kind


def measure(pages: int, seed: int) -> Iterator[dict[str, Any]]:
    """Give the rows of a web."""
    web, kind = make_web(pages, seed)
    limit = round(SHARE * pages)
    base = baselines(lambda strategy: Simulator(web, strategy), limit)
    about = {"seed": seed, "pages": pages, "hosts": web.n_hosts, "targets": int(web.is_target.sum())}
    for said, strategy in with_and_without_bound():
        row = measures(web, targets_after(Simulator(web, strategy), limit), base)
        yield about | {"bound": said} | row | kind._asdict()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 60), metavar=("FIRST", "LAST"))
    parser.add_argument("--pages", type=int, default=40_000)
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-random-webs.csv")
    arguments = parser.parse_args()
    collect_rarely()
    first, last = arguments.seeds
    rows = []
    for seed in range(first, last + 1):
        for row in measure(arguments.pages, seed):
            add_row(arguments.out, row)
            rows.append(row)
    for said in ("with", "without"):
        own = [row for row in rows if row["bound"] == said]
        areas = np.array([row["area_oracle"] for row in own])
        whole = sum(row["ahead"] == BUDGETS for row in own)
        least, quarter, half = np.quantile(areas, [0, 0.25, 0.5])
        print(
            f"{said} a bound: {whole} of {len(own)} webs ahead at all budgets; "
            f"area {least:.2f} at least, {quarter:.2f} on three of four, {half:.2f} on half"
        )


if __name__ == "__main__":
    main()
