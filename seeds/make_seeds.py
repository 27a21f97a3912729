#!/usr/bin/env python3
"""Make the seed lists of this folder from a web directory in the form of DMOZ's ``content.rdf.u8``.

::

    python seeds/make_seeds.py DIRECTORY.rdf[.gz|.zst] [--output seeds]

The chain of ``scrapy seeds``: extract, identify by text and address, sample one address a host. Between them goes what
these lists need beyond it: licences. A host that is listed under several languages (code hosting, video, shops) is at home
in none of them and is left out; so are files that are no pages, and addresses whose text is in another language than the
branch that they are under. README.md has the origin.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.target import Target
from crawler_project.core.values import UNKNOWN
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.judges import make_language_judge
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_entries
from crawler_project.seeding.identify_rows import TextIdentifier, by_text_or_address
from crawler_project.seeding.sample_hosts import HostReservoir
from crawler_project.seeding.seed_row import SeedRow

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
"""What is taken, by the third part of the category; other categories have no free licence, or are not wanted (adult)."""
FILES = (".pdf", ".epub", ".mobi", ".zip", ".rar", ".gz", ".ps", ".djvu", ".doc", ".docx", ".ppt", ".pptx", ".xls", ".xlsx", ".txt", ".md")  # fmt: skip
FEWEST, MOST = 10, 300
"""Addresses of a list; a language with fewer gets none."""
MOST_FACTS = 20
"""Addresses of a section that is taken as facts, not under a licence."""
DATE = "November 2026"


class Listed(NamedTuple):
    """An entry of the directory."""

    language: str
    """Code of its branch; empty where that is not a language."""
    section: str
    row: SeedRow
    host: str


def main(arguments: list[str] | None = None) -> int:
    """Write ``LANGUAGE.txt`` for each language with enough addresses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", help="content.rdf.u8, plain, .gz or .zst")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    options = parser.parse_args(arguments)
    for language, chosen in sorted(choose_seeds(list(read_directory(options.source))).items()):
        (options.output / f"{language}.txt").write_text(seed_list(language, chosen), "utf-8")
        sys.stdout.write(f"{language}: {len(chosen)} addresses\n")
    return 0


def read_directory(source: str) -> Iterator[Listed]:
    """Read the entries that have an http(s) address; what is damaged is said on standard error."""
    damage = Damage()
    for row in read_entries([source], damage):
        topic = row.topic.split("/")
        language = LANGUAGES.get(topic[2], "") if topic[1:2] == ["World"] and len(topic) > 2 else ""
        yield Listed(language, topic[3] if len(topic) > 3 else "", row, urlsplit(row.url).hostname or "")
    sys.stderr.writelines(f"{line}\n" for line in damage.lines())


def choose_seeds(entries: list[Listed]) -> dict[str, list[Listed]]:
    """Choose one address a host and at most ``MOST`` a language, in the order of their hosts."""
    homes: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        homes[entry.host].add(entry.language)
    says = _Languages()
    by_language: dict[str, dict[str, Listed]] = defaultdict(dict)
    for entry in sorted(entries, key=lambda entry: (len(entry.row.url), entry.row.url)):
        if len(homes[entry.host]) == 1 and _is_wanted(entry) and says.fits(entry):
            by_language[entry.language].setdefault(entry.host, entry)
    samples = {language: _sample(_few_facts(hosts.values())) for language, hosts in by_language.items()}
    return {language: sample for language, sample in samples.items() if len(sample) >= FEWEST}


def seed_list(language: str, chosen: list[Listed]) -> str:
    """Write out a list, its origin first."""
    origins = {ORIGINS[entry.section]: None for entry in sorted(chosen, key=lambda entry: entry.section)}
    head = [f"# {len(chosen)} addresses of pages in {language!r}, one a host. Made by make_seeds.py, {DATE}; see README.md."]  # fmt: skip
    head += [f"# From: {origin}." for origin in origins]
    return "\n".join([*head, *(entry.row.url for entry in chosen)]) + "\n"


class _Languages:
    """What title, description and address say, against the branch that an editor chose."""

    def __init__(self) -> None:
        anchors = AnchorIdentifier()
        judge = make_language_judge("combined", Target(frozenset(), frozenset()))
        self._identify = by_text_or_address(TextIdentifier(judge, anchors), anchors)

    def fits(self, entry: Listed) -> bool:
        """English titles and names that say nothing stand on pages of every language; only contradiction counts."""
        found = self._identify(*entry.row[:3])
        return found.label in (entry.language, "en", UNKNOWN) or found.score < 0.9


def _is_wanted(entry: Listed) -> bool:
    if not entry.language or entry.section not in ORIGINS:
        return False
    if entry.section == "Other":
        return entry.host == f"{entry.language}.wikipedia.org"
    path = urlsplit(entry.row.url).path.lower()
    if ORIGINS[entry.section].startswith("facts") and "en" in path.split("/"):
        return False
    return not path.endswith(FILES)


def _few_facts(entries: Iterable[Listed]) -> Iterator[Listed]:
    """Pass on everything under a licence and ``MOST_FACTS`` of each other section."""
    sections: dict[str, HostReservoir[Listed]] = {}
    for entry in entries:
        if not ORIGINS[entry.section].startswith("facts"):
            yield entry
        else:
            sections.setdefault(entry.section, HostReservoir(MOST_FACTS)).add(entry.host, entry.row.url, entry)
    for reservoir in sections.values():
        yield from (pick.row for pick in reservoir.sample())


def _sample(entries: Iterable[Listed]) -> list[Listed]:
    """Take ``MOST`` at random, the same ones each time, and put them in the order of their hosts."""
    reservoir: HostReservoir[Listed] = HostReservoir(MOST)
    for entry in entries:
        reservoir.add(entry.host, entry.row.url, entry)
    chosen = [pick.row for pick in reservoir.sample()]
    return sorted(chosen, key=lambda entry: (entry.host.removeprefix("www."), entry.row.url))


if __name__ == "__main__":
    raise SystemExit(main())
