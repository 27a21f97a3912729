"""``scrapy seeds identify``: the language of each seed, by its page, its text or its address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target
from crawler_project.core.urls import UrlParts, canonical_url, top_level_domain
from crawler_project.core.values import UNKNOWN
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.judges import make_language_judge
from crawler_project.seed_jobs.files import (
    Counted,
    check_tables,
    file_states,
    open_table,
    progressing,
    read_lines,
    save_counts,
)
from crawler_project.seeding.count_table import CountTable, print_lines
from crawler_project.seeding.identify_rows import (
    ADDED,
    Identify,
    TextIdentifier,
    by_address,
    by_text_or_address,
    identify_rows,
)
from crawler_project.seeding.seed_table import Row, SeedTable, widened
from crawler_project.seeding.step_output import write_step

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from crawler_project.seed_jobs.pages import SeedPage

WAYS: Final = ("page", "text", "url", "text,url")
"""How ``identify`` finds out; ``text,url`` asks the address where the text says nothing."""


def identify(
    source: str,
    output: str,
    *,
    by: str,
    settings: Settings,
    judge: str = "",
    job: str = "",
    dead: str = "",
    table: str = "",
    picture: str = "",
) -> Counted:
    """Add the language of each seed; by ``page`` after a polite crawl of all of them.

    Raises:
        ConfigurationError: an unknown way or judge, a source without ``url``.
        StateError: the crawl was interrupted; the same call goes on.
    """
    if by not in WAYS:
        raise ConfigurationError(f"by={by!r} is no way to identify; choose one of {', '.join(WAYS)}")
    check_tables(picture)
    counts = CountTable("tld", "language")
    if by == "page":
        folder = Path(job or (f"{output}.job" if output != "-" else "seeds.job"))
        from crawler_project.seed_jobs.pages import fetch_seed_pages

        seeds_file = _kept_seeds(source, folder, settings)
        pages = fetch_seed_pages(seeds_file, folder, settings, judge=judge)
        notes = _write_pages(seeds_file, output, pages, dead, counts)
        seeds_file.unlink()
        written = counts.total
    else:
        notes = []
        identity = {"step": "identify", "options": [by, judge], "files": file_states([source])}
        seeds, identify_one = progressing(open_table(source), "identify"), make_identify(by, judge, settings)
        header = seeds.with_columns(ADDED)[0]
        written = write_step(
            output, lambda skip: identify_rows(seeds, identify_one, skip), identity, _counter(header, counts)
        )
    save_counts(counts, table, picture, "Languages of the addresses of each top-level domain")
    return Counted(written, written, counts, notes)


def make_identify(by: str, judge: str, settings: Settings) -> Identify:
    """Put together what tells languages without fetching."""
    anchors = AnchorIdentifier()
    if by == "url":
        return by_address(anchors)
    nothing = Target(frozenset(), frozenset())
    name = judge or settings.get("LANGUAGE_JUDGE") or "combined"
    text = TextIdentifier(make_language_judge(name, nothing, settings.get("LANGUAGE_MODEL") or None), anchors)
    return by_text_or_address(text, anchors) if by == "text,url" else text


def _kept_seeds(source: str, folder: Path, settings: Settings) -> Path:
    """Keep the seeds in the job's folder, because standard input cannot be read twice; workers may share the folder."""
    from crawler_project.crawling.shared_crawl import is_shared, new_worker_name
    from crawler_project.seed_jobs.pages import check_job

    seeds = check_job(folder) / (f"seeds.{new_worker_name()}.csv" if is_shared(settings) else "seeds.csv")
    table = open_table(source)
    table.column("url")
    write_step(str(seeds), lambda skip: (table.header, table.rows))
    return seeds


def _write_pages(seeds: Path, output: str, pages: dict[str, SeedPage], dead: str, counts: CountTable) -> list[str]:
    from crawler_project.seed_jobs.pages import ALIVE

    header = read_lines(seeds).with_columns((*ADDED, "status"))[0]
    write_step(output, lambda skip: (header, _with_pages(read_lines(seeds), pages)), None, _counter(header, counts))
    lost = {url: page.status for url, page in pages.items() if page.status != ALIVE}
    if dead:
        write_step(dead, lambda skip: (("url", "reason"), sorted(lost.items())))
    reasons = CountTable("reason")
    for reason in lost.values():
        reasons.add(reason)
    return [f"{len(lost):,} of {len(pages):,} seeds have no page", *(print_lines(reasons) if lost else ())]


def _with_pages(table: SeedTable, pages: dict[str, SeedPage]) -> Iterator[Row]:
    url = table.column("url")
    header, places = table.with_columns((*ADDED, "status"))
    for row in table.rows:
        parts = canonical_url(row[url])
        page = pages.get(parts.url if parts else "")
        values = (UNKNOWN, "0.00", "", "no http or https address") if page is None else (page.language, f"{page.confidence:.2f}", page.evidence, page.status)  # fmt: skip
        row = widened(row, len(header))
        for place, value in zip(places, values, strict=True):
            row[place] = value
        yield row


def _counter(header: Sequence[str], counts: CountTable) -> Callable[[Row], None]:
    url, language = header.index("url"), header.index("language")

    def count(row: Row) -> None:
        host = (canonical_url(row[url]) or UrlParts("", "")).host
        counts.add(top_level_domain(host) or "(none)", row[language])

    return count
