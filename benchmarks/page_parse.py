"""CPU time of ``parse_page`` a page, against lxml with Scrapy's ``LinkExtractor``, on the same pages.

    python benchmarks/page_parse.py [--rounds 7] [--real 150]

Pages: 40 generated ones of 30 KB with 60 links (``generated_web.py``), the same in EUC-KR, and, with
``CRAWLER_DATA`` set to a folder that holds ``web-a``, real ones of 20 to 40 KB. Each rival is given the
bytes and the Content-Type and has its best of several rounds, taken in turns:

parse_page     charset, links with anchor texts and canonical URLs, title, text, prose, robots, language
LinkExtractor  Scrapy's: links with texts only
lxml           Scrapy's charset (w3lib), links with texts and urljoin, title, visible text
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import lxml.html
import zstandard
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent)]

from generated_web import generated_pages

from crawler_project.page import parse_page


class Input(NamedTuple):
    """One response."""

    url: str
    body: bytes
    content_type: str


EXTRACTOR = LinkExtractor()


def with_parse_page(page: Input) -> int:
    return len(parse_page(page.body, page.url, content_type=page.content_type).links)


def with_link_extractor(page: Input) -> int:
    response = HtmlResponse(page.url, body=page.body, headers={"Content-Type": page.content_type})
    return len(EXTRACTOR.extract_links(response))


def with_lxml(page: Input) -> int:
    text = HtmlResponse(page.url, body=page.body, headers={"Content-Type": page.content_type}).text
    root = lxml.html.document_fromstring(text)
    links = [
        (urljoin(page.url, anchor.get("href").strip()), " ".join(anchor.text_content().split()))
        for anchor in root.iterfind(".//a[@href]")
    ]
    " ".join((root.findtext(".//title") or "").split())
    " ".join(" ".join(root.xpath("//body//text()[not(parent::script or parent::style)]")).split())[:10_000]
    return len(links)


RIVALS: dict[str, Callable[[Input], int]] = {
    "parse_page": with_parse_page, "LinkExtractor": with_link_extractor, "lxml": with_lxml,
}  # fmt: skip


def generated(charset: str) -> list[Input]:
    """Generated pages in a charset."""
    content_type = f"text/html; charset={charset}"
    return [
        Input(page["url"], page["html"].replace("utf-8", charset).encode(charset, "xmlcharrefreplace"), content_type)
        for page in generated_pages(40, 10)
    ]


def real(folder: Path, count: int) -> list[Input]:
    """Real pages of 20 to 40 KB."""
    with (folder / "web-a" / "pages.jsonl.zst").open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        rows = map(json.loads, io.TextIOWrapper(stream, encoding="utf-8"))
        pages = (
            Input(
                row["url"],
                row["html"].encode(row["charset"], "xmlcharrefreplace"),
                "text/html; charset=" + row["charset"],
            )
            for row in itertools.islice(rows, 0, None, 7)
        )
        return list(itertools.islice((page for page in pages if 20_000 <= len(page.body) <= 40_000), count))


def measure(pages: list[Input], rounds: int) -> dict[str, float]:
    """Best mean of milliseconds a page, by rival."""
    best = dict.fromkeys(RIVALS, float("inf"))
    for _ in range(rounds):
        for name, rival in RIVALS.items():
            started = time.process_time()
            for page in pages:
                rival(page)
            best[name] = min(best[name], (time.process_time() - started) / len(pages) * 1e3)
    return best


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--real", type=int, default=150)
    options = parser.parse_args()
    sets = {"generated, UTF-8": generated("utf-8"), "generated, EUC-KR": generated("euc-kr")}
    if data := os.environ.get("CRAWLER_DATA"):
        sets["real"] = real(Path(data), options.real)
    for name, pages in sets.items():
        read = [parse_page(page.body, page.url, content_type=page.content_type) for page in pages]
        size, links, text = (
            sum(values) / len(pages)
            for values in zip(
                *((len(p.body), len(r.links), len(r.text)) for p, r in zip(pages, read, strict=True)), strict=True
            )
        )
        print(f"{name}: {len(pages)} pages of {size / 1000:.1f} KB, {links:.0f} links, {text:.0f} characters")
        best = measure(pages, options.rounds)
        for rival, milliseconds in best.items():
            print(f"  {rival:14} {milliseconds:7.3f} ms a page  {milliseconds / best['parse_page']:5.1f} ×")


if __name__ == "__main__":
    main()
