"""Small webs for the strategy that learns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from crawler_project.core.target import Target
from crawler_project.core.values import NO_COUNTS, Counts
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble


@dataclass(frozen=True)
class PlainLink:
    """A link as a strategy sees it, of which nothing is known but where it leads and its text."""

    url: str
    host: str
    anchor_text: str = ""
    same_host: bool = False
    tld_is_target: bool = False
    anchor_is_target: bool = False
    counts: Counts = NO_COUNTS


def small_web(pages: Sequence[tuple[str, bool]], links: Iterable[tuple[int, int]], seeds: Sequence[int] = (0,)) -> Web:
    """``pages`` as (URL without scheme, is a target page), ``links`` as (page, page)."""
    pairs = sorted(links, key=lambda pair: pair[0])
    urls = [f"http://{short}" for short, _ in pages]
    hosts = [short.partition("/")[0] for short, _ in pages]
    columns = PageColumns(urls, hosts, ["th" if is_target else "en" for _, is_target in pages])
    sources = np.array([source for source, _ in pairs], dtype=np.int64)
    ends = np.array([end for _, end in pairs], dtype=np.int64)
    return assemble(
        Target(frozenset({"th"}), frozenset({"th"})),
        columns,
        LinkColumns(sources, ends, np.zeros(len(pairs), dtype=bool)),
        seeds,
    )
