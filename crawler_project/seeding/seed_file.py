"""Where a crawl starts: seed lists, and directories, tables, sitemaps and archives in their place."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import UrlParts, canonical_url, url_hash
from crawler_project.seeding.address_list import read_address_list
from crawler_project.seeding.byte_source import open_chunks, recoded, split_head
from crawler_project.seeding.clean_xml import declared_encoding, is_known_encoding
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import FORMS, read_form, tell_form
from crawler_project.seeding.seed_row import SeedRow

EXPECTED = (
    "one address a line, # starts a comment; plain text, .gz, .zst, or - for standard input "
    f"(also {', '.join(what for form, what in FORMS.items() if form != 'list')})"
)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class SeedList:
    """What a seed list says."""

    urls: list[UrlParts] = field(default_factory=list)
    """Canonical, in the order of the list, each once."""
    bad: list[tuple[int, str, str]] = field(default_factory=list)
    """Lines (or entries of a directory) that are no address: number from 1, what is there, why. The first few of each reason."""


def read_seeds(source: str) -> SeedList:
    """Read a seed list, or several with commas between their names; every form of ``scrapy seeds extract`` is one.

    In a list, an address without a scheme gets ``http://``. A line that is no address is skipped and listed in ``bad``;
    of several lists, its text begins with the name of its file. A list must be whole; of a directory, a sitemap or
    another form that is damaged, what could be read is taken.

    Raises:
        ConfigurationError: a file is missing, cannot be read or is of no form that is known; or there is no address.
    """
    names = [source] if source == "-" or Path(source).exists() else [name for name in source.split(",") if name]
    seeds = SeedList()
    seen: set[int] = set()
    for name in names:
        damage = Damage()
        _collect(_read(name, damage), seeds, seen)
        shown = f"{name}: " if len(names) > 1 else ""
        seeds.bad.extend((_number(case.place), shown + case.what, case.reason) for case in damage.cases)
        seeds.bad.extend((0, shown or name, fault) for fault in damage.faults)
    if not seeds.urls:
        raise ConfigurationError(f"seeds={source!r} has no address{_first_bad(seeds)}; expected {EXPECTED}")
    return seeds


def parse_seeds(text: str) -> SeedList:
    """Read the lines of a seed list; an empty text gives an empty list."""
    seeds, damage = SeedList(), Damage()
    _collect(read_address_list(_lines(text), "", damage), seeds, set())
    seeds.bad.extend((_number(case.place), case.what, case.reason) for case in damage.cases)
    return seeds


def _collect(rows: Iterable[SeedRow], seeds: SeedList, seen: set[int]) -> None:
    for row in rows:
        key = url_hash(row.url)
        if key not in seen:
            seen.add(key)
            parts = canonical_url(row.url)
            assert parts is not None
            seeds.urls.append(parts)


def _read(name: str, damage: Damage) -> Iterator[SeedRow]:
    if name != "-" and "://" not in name and not Path(name).exists():
        raise ConfigurationError(f"seeds={name!r} does not exist; give a file with {EXPECTED}")
    try:
        head, chunks = split_head(open_chunks(name, damage))
    except ConfigurationError as error:
        raise ConfigurationError(f"seeds={error}; expected {EXPECTED}") from error
    encoding = declared_encoding(head)
    if encoding != "utf-8" and is_known_encoding(encoding):
        head, chunks = split_head(recoded(chunks, encoding))
    form, wrong = tell_form(head, name)
    if form in ("", "list") and (not wrong or _CONTROLS.search(head[:4_096]) or not head.strip()):
        yield from _read_list(name, chunks, damage)
    else:
        yield from read_form(head, chunks, name, damage)


def _read_list(name: str, chunks: Iterable[bytes], damage: Damage) -> Iterator[SeedRow]:
    """Read a list whole before anything of it is used: half a list is a mistake, not a seed list."""
    data = b"".join(chunks)
    if damage.faults:
        reason = damage.faults[0].removeprefix(f"{name}: ").partition(";")[0]
        raise ConfigurationError(f"seeds={name!r} cannot be read: {reason}; expected {EXPECTED}")
    yield from read_address_list(_lines(_decoded(name, data)), name, damage)


def _lines(text: str) -> Iterator[str]:
    return (line.rstrip("\n") for line in io.StringIO(text.removeprefix("\ufeff"), newline=None))


def _decoded(name: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"seeds={name!r} is no UTF-8 text; expected {EXPECTED}") from error
    if _CONTROLS.search(data[:4_096]):
        raise ConfigurationError(f"seeds={name!r} is no text; expected {EXPECTED}")
    return text


def _number(place: str) -> int:
    last = place.rpartition(" ")[2]
    return int(last) if last.isdigit() else 0


def _first_bad(seeds: SeedList) -> str:
    if not seeds.bad:
        return ""
    number, line, reason = seeds.bad[0]
    return f" (line {number}: {line[:80]!r}: {reason})" if number else f" ({reason})"
