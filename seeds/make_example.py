#!/usr/bin/env python3
"""Make ``example.rdf.gz``: the pages of the demo as a web directory in the form of DMOZ's ``content.rdf.u8``.

::

    python seeds/make_example.py [demo/pages.jsonl.zst] [--output seeds/example.rdf.gz]

Addresses and titles are the pages' own (demo/LICENCES.md); a category is the language that the site declares and the
subject that the collection gives.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.page.parse import parse_page
from crawler_project.seeding.seed_row import squeezed
from crawler_project.serving.recorded_lines import recorded_lines

ROOT = Path(__file__).resolve().parent.parent
BRANCHES = {
    "ar": "Arabic", "de": "Deutsch", "en": "", "es": "Español", "fr": "Français", "id": "Bahasa_Indonesia", "it": "Italiano",
    "ja": "Japanese", "ko": "Korean", "pl": "Polski", "pt": "Português", "ru": "Russian", "th": "Thai", "tr": "Türkçe",
    "uk": "Ukrainian", "vi": "Tiếng_Việt", "zh": "Chinese_Simplified",
}  # fmt: skip
BEGIN = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <!-- Not a DMOZ dump: the pages of demo/pages.jsonl.zst in the form of content.rdf.u8, made by make_example.py -->
"""


class Page(NamedTuple):
    """An entry of the directory."""

    url: str
    title: str
    topic: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the directory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", type=Path, nargs="?", default=ROOT / "demo" / "pages.jsonl.zst")
    parser.add_argument("--output", type=Path, default=ROOT / "seeds" / "example.rdf.gz")
    options = parser.parse_args(arguments)
    by_topic: dict[str, list[Page]] = defaultdict(list)
    for page in read_pages(options.pages):
        by_topic[page.topic].append(page)
    text = BEGIN + "".join(entries(by_topic)) + "</RDF>\n"
    options.output.write_bytes(gzip.compress(text.encode(), mtime=0))
    sys.stdout.write(f"{sum(map(len, by_topic.values()))} entries, {len(by_topic)} topics\n")
    return 0


def read_pages(path: Path) -> Iterator[Page]:
    """Read the addresses and titles of a recorded collection."""
    for line in recorded_lines(path):
        record = json.loads(line)
        if not record.get("html"):
            continue
        branch = BRANCHES.get(record["lang"].partition("-")[0], "Other")
        subject = record["topic"].replace(":", "/").replace(" ", "_")
        title = squeezed(parse_page(record["html"].encode(), record["url"]).title)
        yield Page(record["url"], title, f"Top/World/{branch}/{subject}" if branch else f"Top/{subject}")


def entries(by_topic: dict[str, list[Page]]) -> Iterator[str]:
    """Give the topics in order, each with its links and then its pages, as DMOZ has them."""
    for number, (topic, pages) in enumerate(sorted(by_topic.items()), 1):
        links = "".join(f"    <link r:resource={quoteattr(page.url)}></link>\n" for page in pages)
        yield f"  <Topic r:id={quoteattr(topic)}>\n    <catid>{number}</catid>\n{links}  </Topic>\n"
        for page in pages:
            yield (
                f"  <ExternalPage about={quoteattr(page.url)}>\n    <d:Title>{escape(page.title)}</d:Title>\n"
                f"    <d:Description></d:Description>\n    <topic>{escape(topic)}</topic>\n  </ExternalPage>\n"
            )


if __name__ == "__main__":
    raise SystemExit(main())
