"""How a crawl came to a page: the chain of links from its seed, and the rule that kept each link."""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from crawler_project.core.urls import canonical_url, registered_domain, url_hash
from crawler_project.reports.csv_rows import find_files, read_batches, undefuse

MAX_HOPS = 1000
"""Longer chains are cut: only a trap or damaged files have them."""

_NEAREST = 3
_CANDIDATES = 5000
_ROW_TYPES: dict[str, pa.DataType] = {
    "url": pa.string(), "final_url": pa.string(), "status": pa.int64(), "language": pa.string(),
    "language_score": pa.float64(), "title": pa.string(), "depth": pa.int64(), "anchor_text": pa.string(),
    "why": pa.string(), "position": pa.int64(), "is_target": pa.bool_(), "evidence": pa.string(),
}  # fmt: skip


class Hop(NamedTuple):
    """A crawled page on the way; the fields are those of the CSV files, ``None`` where a number is missing."""

    url: str
    final_url: str
    status: int | None
    language: str
    language_score: float | None
    title: str
    depth: int | None
    anchor_text: str
    """Of the link that led here from the hop before."""
    why: str
    """The rule that kept that link; ``seed`` for the first hop."""
    position: int
    is_target: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer about one address."""

    asked: str
    hops: tuple[Hop, ...] = ()
    """From the seed to the page; empty when the address was not crawled."""
    note: str = ""
    """Why the chain does not begin at a seed; empty when it does."""
    nearest: tuple[str, ...] = ()
    """Crawled addresses that look alike, when this one was not crawled; the best first."""

    @property
    def is_crawled(self) -> bool:
        return bool(self.hops)


def explain_urls(directory: Path, urls: Sequence[str]) -> list[Explanation]:
    """Explain addresses, in the order asked. Reads the crawl's files two or three times, whatever its depth.

    Raises:
        ConfigurationError: the directory is no crawl directory, or a file in it is damaged.
    """
    files = find_files(directory)
    links = _read_links(files)
    chains = [_follow(links, _find_asked(links, url)) for url in urls]
    rows = _read_hops(files, {int(links.position[row]) for chain, _ in chains for row in chain})
    answers = []
    for url, (chain, note) in zip(urls, chains, strict=True):
        hops = tuple(rows[int(links.position[row])] for row in reversed(chain))
        nearest = () if hops else _nearest(files, url)
        answers.append(Explanation(url, hops, note if hops else "", nearest))
    return answers


class _Links(NamedTuple):
    """The referrer graph of a crawl as hashes of addresses, one entry a page; 0 for no referrer."""

    queued: npt.NDArray[np.int64]
    final: npt.NDArray[np.int64]
    referrer: npt.NDArray[np.int64]
    position: npt.NDArray[np.int64]

    def find(self, page: int) -> int | None:
        """Give the first downloaded row of an address, after or before redirects."""
        for column in (self.final, self.queued):
            rows = np.flatnonzero(column == page)
            if len(rows):
                return int(rows[np.argmin(self.position[rows])])
        return None


def _read_links(files: Sequence[Path]) -> _Links:
    names = ("url", "final_url", "referrer")
    types: dict[str, pa.DataType] = {name: pa.string() for name in names} | {"position": pa.int64()}
    parts: list[list[npt.NDArray[np.int64]]] = [[np.empty(0, dtype=np.int64)] for _ in types]
    for path in files:
        for batch in read_batches(path, types, []):
            for part, name in zip(parts, names, strict=False):
                hashes = (url_hash(url) if url else 0 for url in batch[name].to_pylist())
                part.append(np.fromiter(hashes, dtype=np.int64, count=batch.num_rows))
            parts[3].append(np.array(batch["position"].fill_null(0)))
    return _Links(*(np.concatenate(part) for part in parts))


def _find_asked(links: _Links, url: str) -> int | None:
    """Find what somebody typed: canonical or not, with or without a scheme."""
    forms = [url] if "://" in url else [f"https://{url}", f"http://{url}"]
    for form in forms:
        parts = canonical_url(form.strip())
        row = links.find(url_hash(parts.url)) if parts else None
        if row is not None:
            return row
    return None


def _follow(links: _Links, row: int | None) -> tuple[list[int], str]:
    """Go back from a row to its seed; the rows on the way, and why the way ended early."""
    chain: list[int] = []
    seen: set[int] = set()
    while row is not None:
        if row in seen:
            return chain, "the referrers go round in a circle from here"
        if len(chain) == MAX_HOPS:
            return chain, f"the chain is cut after {MAX_HOPS} hops"
        chain.append(row)
        seen.add(row)
        referrer = int(links.referrer[row])
        if not referrer:
            return chain, ""
        row = links.find(referrer)
    return chain, "the page that linked here is not among the crawl's rows, so the way from the seed is not known"


def _read_hops(files: Sequence[Path], positions: set[int]) -> dict[int, Hop]:
    """Read the rows at some positions in full, by position."""
    hops: dict[int, Hop] = {}
    wanted = pa.array(sorted(positions), type=pa.int64())
    for path in files if positions else ():
        for batch in read_batches(path, _ROW_TYPES, []):
            position: Any = batch["position"]
            chosen = batch.filter(pc.is_in(position.fill_null(0), value_set=wanted))
            hops.update((hop.position, hop) for hop in map(_hop, chosen.to_pylist()))
    return hops


def _hop(row: dict[str, object]) -> Hop:
    texts = {name: undefuse(str(row[name] or "")) for name, kind in _ROW_TYPES.items() if kind == pa.string()}
    return Hop(**(row | texts | {"position": row["position"] or 0, "is_target": bool(row["is_target"])}))  # type: ignore[arg-type]


def _nearest(files: Sequence[Path], url: str) -> tuple[str, ...]:
    """Find crawled addresses whose path looks like that of ``url``: on its host, else on its registered domain."""
    parts = canonical_url(url if "://" in url else f"https://{url}")
    if parts is None:
        return ()
    domain = registered_domain(parts.host)
    candidates: list[tuple[bool, str]] = []
    for crawled, host in _addresses(files):
        if host == parts.host or registered_domain(host) == domain:
            candidates.append((host == parts.host, crawled))
            if len(candidates) == _CANDIDATES:
                break
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(_path_of(parts.url))

    def likeness(candidate: tuple[bool, str]) -> tuple[bool, float]:
        matcher.set_seq1(_path_of(candidate[1]))
        return candidate[0], matcher.ratio()

    return tuple(crawled for _, crawled in heapq.nlargest(_NEAREST, candidates, key=likeness))


def _path_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[2]


def _addresses(files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    types = {"final_url": pa.string(), "host": pa.string()}
    for path in files:
        for batch in read_batches(path, types, []):
            for url, host in zip(batch["final_url"].to_pylist(), batch["host"].to_pylist(), strict=True):
                yield url or "", undefuse(host or "")
