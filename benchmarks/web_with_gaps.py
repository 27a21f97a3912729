"""A recorded web together with the pages that it links to and that nobody recorded: a crawl asks for them in vain."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.seams import AnchorJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import canonical_url, top_level_domain
from crawler_project.core.values import UNKNOWN, Link
from crawler_project.page.parse import parse_page
from crawler_project.relevance.language.judges import make_anchor_judge
from crawler_project.serving.recorded_lines import recorded_lines
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble, number_names
from crawler_project.simulator.web_texts import WebTexts


class RecordedPage(NamedTuple):
    """A page of a collection, read once for all targets."""

    url: str
    host: str
    language: str
    """As the collection labels it."""
    links: Sequence[Link]


class WebWithGaps(NamedTuple):
    web: Web
    """Of unknown language and without links, in the last rows: what was not recorded."""
    recorded: int
    """Pages that were; the first rows."""


def read_pages(collection: Path) -> list[RecordedPage]:
    """Read and parse a collection (JSON Lines); of pages at one address but for its scheme the first."""
    pages: dict[str, RecordedPage] = {}
    for line in recorded_lines(collection):
        row = json.loads(line)
        address = canonical_url(row["url"].replace("file://", "http://", 1))
        if address is None or address.url.endswith("/robots.txt") or _key(address.url) in pages:
            continue
        charset = row.get("charset") or "utf-8"
        page = parse_page(
            row["html"].encode(charset, "replace"), address.url, content_type=f"text/html; charset={charset}"
        )
        pages[_key(address.url)] = RecordedPage(address.url, address.host, row["text_lang"] or UNKNOWN, page.links)
    return list(pages.values())


def web_with_gaps(pages: Sequence[RecordedPage], target: Target) -> WebWithGaps:
    """Make a web for a target of one language, from the page with the shortest address on each host that has one on target."""
    rows = {_key(page.url): row for row, page in enumerate(pages)}
    urls, hosts = [page.url for page in pages], [page.host for page in pages]
    links = [link for page in pages for link in page.links]
    ends = []
    for link in links:
        row = rows.setdefault(_key(link.url), len(urls))
        if row == len(urls):
            address = canonical_url(link.url)
            urls.append(link.url)
            hosts.append(address.host if address else "")
        ends.append(row)
    languages = [page.language for page in pages] + [UNKNOWN] * (len(urls) - len(pages))
    sources = np.repeat(np.arange(len(pages)), [len(page.links) for page in pages])
    columns = LinkColumns(sources, np.array(ends, dtype=np.int64), _anchors(pages, target))
    web = assemble(target, PageColumns(urls, hosts, languages), columns, _front_pages(pages, target))
    return WebWithGaps(replace(web, texts=_texts(links, web)), len(pages))


def _texts(links: Sequence[Link], web: Web) -> WebTexts:
    """The texts of anchors; pages and surroundings of links have none."""
    texts, anchors = number_names((link.anchor_text for link in links), ("",))
    of_pages, of_links = np.zeros(web.n_pages, dtype=np.int32), np.zeros(web.n_links, dtype=np.int32)
    labels = pa.array([""] * web.n_pages)
    return WebTexts(pa.array(texts, pa.large_string()), of_pages, labels, of_links, anchors, of_links)


def _anchors(pages: Sequence[RecordedPage], target: Target) -> npt.NDArray[np.bool_]:
    """Judge each link as a live crawl does."""
    judge = make_anchor_judge(target)
    known: dict[tuple[str, str, str], bool] = {}
    found = []
    for page in pages:
        tld = top_level_domain(page.host)
        for link in page.links:
            key = (link.anchor_text, page.language, tld)
            if key not in known:
                known[key] = _is_of_target(judge, target, *key)
            is_framed = link.kind in ("frame", "refresh") and page.language in target.languages
            found.append(is_framed or link.declared_language in target.languages or known[key])
    return np.array(found, dtype=bool)


def _is_of_target(judge: AnchorJudge, target: Target, text: str, language: str, tld: str) -> bool:
    return bool(text) and judge.judge_anchor(text, language, tld).label in target.languages


def _front_pages(pages: Sequence[RecordedPage], target: Target) -> list[int]:
    fronts: dict[str, int] = {}
    for row, page in enumerate(pages):
        if page.language in target.languages:
            known = fronts.setdefault(page.host, row)
            if len(page.url) < len(pages[known].url):
                fronts[page.host] = row
    return list(fronts.values())


def _key(url: str) -> str:
    """A canonical URL without its scheme: http and https are one page."""
    return url[url.index("//") :]
