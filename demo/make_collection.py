#!/usr/bin/env python3
"""Make ``pages.jsonl.zst``, the collection that the demo crawls, from a larger one.

::

    python demo/make_collection.py SOURCE.jsonl.zst [--output demo/pages.jsonl.zst]

Only sites under a free licence are taken (LICENCES.md). A site is taken with the languages that its
Korean pages switch to, so that most links lead to a page; large sites only as far as Korean pages link.
What no chain of links from the seeds (``seeds-*.txt``) leads to is left out.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import can_ada
import zstandard
from selectolax.lexbor import LexborHTMLParser

Record = dict[str, Any]

FIELDS = ("url", "lang", "text_lang", "site", "topic", "charset", "source", "html")
WINDOW_LOG = 25
"""32 MiB: every zstd decoder accepts it without a flag."""


class Rule(NamedTuple):
    """What is taken of one site."""

    whole: str = ""
    """Declared languages taken whole, separated by blanks; empty: all."""
    linked: str = ""
    """Declared languages of which the pages are taken that Korean pages link to."""
    paths: str = ""
    """Pattern that the path must match from its start."""
    without: str = ""
    """Pattern that the path must not match."""


RULES = {
    "elixirschool.com": Rule(paths=r"/$|/[a-z-]+$|/[a-z-]+/lessons/"),
    "hexo.io": Rule(),
    "httpd.apache.org": Rule("ko", linked="en ja"),
    # its legal pages are about the living site, not about this copy
    "im.youronly.one": Rule(without=r"/p/"),
    "ja.react.dev": Rule(),
    "ko.react.dev": Rule(),
    # the home page links to lists in 40 languages that are not here
    "ebookfoundation.github.io": Rule("ko ja th zh-Hans zh-Hant", without=r"/free-programming-books/$"),
    # pages of the other course link to their translations only, not to each other
    "microsoft.github.io": Rule(paths=r"/AZD-for-beginners/"),
    "opensource.guide": Rule("ko en ja zh-Hans zh-Hant"),
    "react.dev": Rule(),
    "rinthel.github.io": Rule(),
    "tutorial.djangogirls.org": Rule(),
}


def main(arguments: list[str] | None = None) -> int:
    """Write the collection and print its size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path, help="a larger collection, one JSON object a line, zstd")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("pages.jsonl.zst"))
    options = parser.parse_args(arguments)
    here = Path(__file__).parent
    records = select_records(list(read_records(options.source)))
    records = drop_unreachable(records, read_seeds(here.glob("seeds-*.txt")))
    write_records(records, options.output)
    sys.stdout.write(f"{len(records)} pages, {options.output.stat().st_size / 1e6:.2f} MB: {options.output}\n")
    return 0


def read_records(path: Path) -> Iterator[Record]:
    """Read one record a line; windows up to 128 MiB."""
    with path.open("rb") as file, zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file) as stream:
        for line in io.TextIOWrapper(stream, "utf-8"):
            yield json.loads(line)


def read_seeds(paths: Iterable[Path]) -> list[str]:
    """Read the addresses that crawls start from."""
    lines = [line.strip() for path in sorted(paths) for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def select_records(records: list[Record]) -> list[Record]:
    """Apply ``RULES``; the order of ``records`` is kept."""
    candidates = [record for record in records if _path_is_taken(record)]
    chosen = {record["url"] for record in candidates if _language_in(record, RULES[record["site"]].whole, empty=True)}
    korean = [record for record in candidates if record["lang"] == "ko" and record["url"] in chosen]
    wanted = {url for record in korean for url in links_of(record)}
    for record in candidates:
        if _address(record) in wanted and _language_in(record, RULES[record["site"]].linked, empty=False):
            chosen.add(record["url"])
    return [record for record in candidates if record["url"] in chosen]


def drop_unreachable(records: list[Record], seeds: Iterable[str]) -> list[Record]:
    """Keep the pages that links lead to from ``seeds``, alternates in the head of a page included."""
    by_address = {_address(record): record for record in records}
    reached = dict.fromkeys(seeds)
    queue = list(reached)
    for address in queue:
        found = [url for url in links_of(by_address[address]) if url in by_address and url not in reached]
        reached.update(dict.fromkeys(found))
        queue.extend(dict.fromkeys(found))
    return [record for record in records if _address(record) in reached]


def links_of(record: Record) -> Iterator[str]:
    """Addresses that a page links to, in the form of browsers, without fragment."""
    for node in LexborHTMLParser(record["html"]).css("a[href], area[href], link[rel=alternate][hreflang]"):
        try:
            yield can_ada.parse(urldefrag(urljoin(record["url"], node.attributes["href"] or ""))[0]).href
        except ValueError:
            continue


def write_records(records: Iterable[Record], path: Path) -> None:
    """Write ``FIELDS`` of each record, compressed as far as a window of 32 MiB goes."""
    lines = (json.dumps({key: record[key] for key in FIELDS}, ensure_ascii=False) + "\n" for record in records)
    settings = zstandard.ZstdCompressionParameters.from_level(22, window_log=WINDOW_LOG, write_checksum=True)
    path.write_bytes(zstandard.ZstdCompressor(compression_params=settings).compress("".join(lines).encode()))


def _path_is_taken(record: Record) -> bool:
    rule = RULES.get(record["site"])
    if rule is None:
        return False
    path = urlsplit(record["url"]).path
    return bool(re.match(rule.paths, path)) and not (rule.without and re.match(rule.without, path))


def _language_in(record: Record, languages: str, *, empty: bool) -> bool:
    return record["lang"] in languages.split() if languages else empty


def _address(record: Record) -> str:
    return str(can_ada.parse(record["url"]).href)


if __name__ == "__main__":
    raise SystemExit(main())
