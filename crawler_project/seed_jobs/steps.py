"""The steps of ``scrapy seeds``: files and pipes around what ``seeding`` does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from itertools import islice

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import UrlParts, canonical_url, top_level_domain
from crawler_project.seed_jobs.files import (
    Counted,
    check_tables,
    file_states,
    open_table,
    progress,
    progressing,
    save_counts,
)
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_entries
from crawler_project.seeding.sample_hosts import HostReservoir, StratifiedReservoir
from crawler_project.seeding.seed_row import COLUMNS
from crawler_project.seeding.seed_table import Row, SeedTable
from crawler_project.seeding.sort_addresses import sort_addresses
from crawler_project.seeding.step_output import write_step

STRATA = ("tld", "topic")
EXCLUDED_TOPICS = ("Top/Adult*", "Top/World/*/Adult*", "*malware*", "*phishing*", "*porn*")
"""Left out by ``make`` unless another list is given; upper and lower case are one."""


def extract(
    files: Sequence[str],
    output: str,
    *,
    topics: Sequence[str] = (),
    without: Sequence[str] = (),
    form: str = "",
    column: str | None = None,
    encoding: str = "",
) -> Counted:
    """Write the entries of seed sources as CSV; ``topics`` and ``without`` are patterns (``Top/World/Korean*``).

    Raises:
        ConfigurationError: a file cannot be read, has no such column, or none of all has an address.
    """
    damage, wanted, read = Damage(), _topic_filter(topics, without), 0

    def produce(skip: int) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        def rows() -> Iterator[Sequence[str]]:
            nonlocal read
            for entry in progress(read_entries(files, damage, form=form, column=column, encoding=encoding), "extract"):
                read += 1
                if wanted(entry.topic):
                    yield entry

        return COLUMNS, islice(rows(), skip, None)

    identity = {"step": "extract", "options": [topics, without, form, column, encoding], "files": file_states(files)}
    written = write_step(output, produce, identity)
    notes = list(damage.lines())
    if not read:
        raise ConfigurationError(f"no address in {', '.join(map(repr, files))}: {'; '.join(damage.faults) or 'all entries were skipped'}")  # fmt: skip
    if not written:
        notes.append(f"none of {read:,} entries has a topic that was asked for")
    return Counted(read, written, notes=notes)


def sort(
    source: str,
    output: str,
    *,
    by: str = "tld",
    keep: Sequence[str] = (),
    unique: bool = False,
    table: str = "",
    picture: str = "",
) -> Counted:
    """Sort by domain and count; see :func:`~crawler_project.seeding.sort_addresses.sort_addresses`."""
    check_tables(picture)
    header, rows, counts = sort_addresses(progressing(open_table(source), "sort"), by, keep, unique)
    written = write_step(output, lambda skip: (header, rows))
    save_counts(counts, table, picture, "Addresses by top-level domain" if by == "tld" else "Addresses by domain")
    return Counted(counts.total, written, counts)


def sample(
    source: str,
    output: str,
    *,
    languages: Sequence[str] = (),
    n: int = 1_000,
    per_host: int = 1,
    random_state: int = 0,
    strata: Sequence[str] = (),
) -> Counted:
    """Choose ``n`` rows of the ``languages`` (empty: all) at random; of hosts, ``per_host`` rows each (0: no limit)."""
    unknown = [name for name in strata if name not in STRATA]
    if unknown:
        raise ConfigurationError(f"strata={unknown[0]!r} is unknown; choose from {', '.join(STRATA)}")
    table = open_table(source)
    url = table.column("url")
    plain: HostReservoir[Row] = HostReservoir(n, per_host, random_state)
    stratified: StratifiedReservoir[Row] = StratifiedReservoir(n, per_host, random_state)
    read = matching = 0
    for row, host, stratum in _candidates(table, languages, strata):
        read += 1
        if host:
            matching += 1
            if strata:
                stratified.add(stratum, host, row[url], row)
            else:
                plain.add(host, row[url], row)
    picks = stratified.sample() if strata else plain.sample()
    write_step(output, lambda skip: (table.header, (pick.row for pick in picks)))
    notes = [] if len(picks) == n else [f"{len(picks):,} of {n:,} that were asked for: there are no more hosts among {matching:,} rows that fit"]  # fmt: skip
    return Counted(read, len(picks), notes=notes)


def _candidates(
    table: SeedTable, languages: Sequence[str], strata: Sequence[str]
) -> Iterator[tuple[Row, str, tuple[str, ...]]]:
    """Give each row with its host, empty when it does not fit, and its stratum."""
    url, status, topic = table.column("url"), table.get("status"), table.get("topic")
    language = table.column("language") if languages else -1
    for row in progress(table.rows, "sample"):
        parts = canonical_url(row[url]) or UrlParts("", "")
        fits = not languages or row[language] in languages
        if status is not None and row[status] not in ("", "alive"):
            fits = False
        names = {"tld": top_level_domain(parts.host), "topic": topic_branch(row[topic]) if topic is not None else ""}
        yield row, parts.host if fits else "", tuple(names[name] for name in strata)


def topic_branch(topic: str) -> str:
    """Give the branch that strata go by: ``Top/Computers``, and below a language ``Top/World/Korean/뉴스``."""
    parts = topic.split("/")
    return "/".join(parts[: 4 if parts[1:2] == ["World"] else 2])


def _topic_filter(topics: Sequence[str], without: Sequence[str]) -> Callable[[str], bool]:
    wanted = [re.compile(translate(pattern)) for pattern in topics]
    unwanted = [re.compile(translate(pattern), re.IGNORECASE) for pattern in without]

    def is_wanted(topic: str) -> bool:
        return (not wanted or any(pattern.match(topic) for pattern in wanted)) and not any(
            pattern.match(topic) for pattern in unwanted
        )

    return is_wanted
