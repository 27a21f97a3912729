#!/usr/bin/env python3
"""Make the seed lists of this folder from a web directory in the form of DMOZ's ``content.rdf.u8``.

::

    python seeds/make_seeds.py DIRECTORY.rdf[.zst] [--output seeds]

One address a host. A host that is listed under several languages (code hosting, video, shops) is at
home in none of them and is left out; so are files that are no pages. README.md has the origin.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import zstandard
from lxml import etree

LANGUAGES = {
    "Arabic": "ar", "Bahasa_Indonesia": "id", "Chinese_Simplified": "zh", "Chinese_Traditional": "zh", "Deutsch": "de",
    "Español": "es", "Français": "fr", "Hindi": "hi", "Italiano": "it", "Japanese": "ja", "Korean": "ko", "Polski": "pl",
    "Português": "pt", "Russian": "ru", "Thai": "th", "Tiếng_Việt": "vi", "Türkçe": "tr", "Ukrainian": "uk",
}  # fmt: skip
ORIGINS = {
    "Computers": "EbookFoundation/free-programming-books, CC BY 4.0",
    "个人主页": "timqian/chinese-independent-blogs, MIT",
    "Government": "facts: addresses of public bodies, looked up in commoncrawl/web-languages",
    "News": "facts: addresses of news sites, looked up in commoncrawl/web-languages",
    "Other": "facts: the Wikipedia of the language",
}
"""What is taken, by the third part of the category; other categories have no free licence."""
FILES = (".pdf", ".epub", ".mobi", ".zip", ".rar", ".gz", ".ps", ".djvu", ".doc", ".docx", ".ppt", ".pptx", ".xls", ".xlsx", ".txt", ".md")  # fmt: skip
FEWEST, MOST = 20, 300
"""Addresses of a list; a language with fewer gets none."""
MOST_FACTS = 20
"""Addresses of a section that is taken as facts, not under a licence."""
_RDF, _DUBLIN_CORE = "{http://dmoz.org/rdf/}", "{http://purl.org/dc/elements/1.0/}"


class Listed(NamedTuple):
    """An entry of the directory."""

    language: str
    """Code, or the name of the branch where that is not a language."""
    section: str
    url: str
    host: str


def main(arguments: list[str] | None = None) -> int:
    """Write ``LANGUAGE.txt`` for each language with enough addresses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path, help="content.rdf.u8, plain or .zst")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    options = parser.parse_args(arguments)
    for language, chosen in sorted(choose_seeds(list(read_directory(options.source))).items()):
        (options.output / f"{language}.txt").write_text(seed_list(language, chosen), "utf-8")
        sys.stdout.write(f"{language}: {len(chosen)} addresses\n")
    return 0


def read_directory(path: Path) -> Iterator[Listed]:
    """Read the entries that have an http(s) address."""
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(data).read()
    for _, page in etree.iterparse(io.BytesIO(data), tag=f"{_RDF}ExternalPage"):
        topic, url = (page.findtext(f"{_RDF}topic") or "").split("/"), (page.get("about") or "").strip()
        page.clear()
        host = _host(url)
        if host and len(topic) > 2:
            yield Listed(LANGUAGES.get(topic[2], topic[1]), topic[3] if len(topic) > 3 else "", url, host)


def choose_seeds(entries: list[Listed]) -> dict[str, list[Listed]]:
    """Choose one address a host and at most ``MOST`` a language, in the order of their hosts."""
    homes: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        homes[entry.host].add(entry.language)
    by_language: dict[str, dict[str, Listed]] = defaultdict(dict)
    for entry in sorted(entries, key=lambda entry: (len(entry.url), entry.url)):
        if len(homes[entry.host]) == 1 and _is_wanted(entry):
            by_language[entry.language].setdefault(entry.host, entry)
    samples = {language: _sample(_few_facts(hosts.values())) for language, hosts in by_language.items()}
    return {language: sample for language, sample in samples.items() if len(sample) >= FEWEST}


def seed_list(language: str, chosen: list[Listed]) -> str:
    """Write out a list, its origin first."""
    origins = {ORIGINS[entry.section]: None for entry in sorted(chosen, key=lambda entry: entry.section)}
    head = [f"# {len(chosen)} addresses of pages in {language!r}, one a host. Made by make_seeds.py, November 2026; see README.md."]  # fmt: skip
    head += [f"# From: {origin}." for origin in origins]
    return "\n".join([*head, *(entry.url.rstrip("#") for entry in chosen)]) + "\n"


def _is_wanted(entry: Listed) -> bool:
    if entry.language not in LANGUAGES.values() or entry.section not in ORIGINS:
        return False
    if entry.section == "Other":
        return entry.host == f"{entry.language}.wikipedia.org"
    path = urlsplit(entry.url).path.lower()
    if ORIGINS[entry.section].startswith("facts") and "en" in path.split("/"):
        return False
    return not path.endswith(FILES)


def _few_facts(entries: Iterable[Listed]) -> Iterator[Listed]:
    """Pass on everything under a licence and ``MOST_FACTS`` of each other section."""
    taken: dict[str, int] = defaultdict(int)
    for entry in sorted(entries, key=_by_chance):
        taken[entry.section] += 1
        if taken[entry.section] <= MOST_FACTS or not ORIGINS[entry.section].startswith("facts"):
            yield entry


def _sample(entries: Iterable[Listed]) -> list[Listed]:
    """Take ``MOST`` at random, the same ones each time, and put them in the order of their hosts."""
    chosen = sorted(entries, key=_by_chance)[:MOST]
    return sorted(chosen, key=lambda entry: (entry.host.removeprefix("www."), entry.url))


def _by_chance(entry: Listed) -> bytes:
    return hashlib.sha256(entry.host.encode()).digest()


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


if __name__ == "__main__":
    raise SystemExit(main())
