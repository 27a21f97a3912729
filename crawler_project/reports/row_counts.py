"""Whether the files of a crawl hold the rows that the crawl counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.file_name import file_name
from crawler_project.reports.crawl_info import FILE_NAME, CrawlInfo
from crawler_project.reports.formats import count


def check_rows(directory: Path, info: CrawlInfo, found: Mapping[str, int]) -> list[str]:
    """Compare the rows of a crawl's files with what the crawl counted; give what is odd, a sentence each.

    A row is written before it is counted, so a crawl that runs, or was killed, may have more rows; so may a worker
    whose lease had expired. Fewer than were counted when a crawl ended cannot be right.

    Args:
        found: rows of each file, damaged ones among them, by its name; 0 without a header. A file that is not there may have been
            moved away on purpose.

    Raises:
        ConfigurationError: a file of a crawl that ended lacks rows.
    """
    counted = {worker: _pages_by_file(worker, part) for worker, part in (info.workers or {"": info}).items()}
    remarks = []
    for worker, pages in counted.items():
        short = {name: wanted for name, wanted in sorted(pages.items()) if found.get(name, 0) < wanted}
        damaged = {name: wanted for name, wanted in short.items() if name in found}
        if damaged and info.workers.get(worker, info).finished_at:
            raise ConfigurationError(_refusal(directory, worker, damaged, found))
        remarks += [
            f"{name} has {_rows(found, name)}, fewer than the {_pages(wanted)} counted."
            for name, wanted in damaged.items()
        ]
        remarks += [
            f"{name} is not there; the crawl counted {_pages(wanted)} of it."
            for name, wanted in short.items()
            if name not in found
        ]
    return [*remarks, *_uncounted(info, counted, found)]


def _pages_by_file(worker: str, part: CrawlInfo) -> dict[str, float]:
    pages: dict[str, float] = {}
    for language, number in part.stats_under("language/page_count").items():
        name = file_name(language, worker)
        pages[name] = pages.get(name, 0) + number
    return pages


def _refusal(directory: Path, worker: str, short: Mapping[str, float], found: Mapping[str, int]) -> str:
    name, wanted = next(iter(short.items()))
    info = directory / (f"crawl.{worker}.json" if worker else FILE_NAME)
    return (
        f"{directory / name} is damaged: it has {_rows(found, name)}, and {info.name} counts {_pages(wanted)}; "
        f"restore the file, or move {info} away to report what is left"
    )


def _rows(found: Mapping[str, int], name: str) -> str:
    rows = found.get(name, 0)
    return f"{count(rows)} row{'s' * (rows != 1)}" if rows else "no complete row"


def _pages(number: float) -> str:
    return f"{count(number)} page{'s' * (number != 1)}"


def _uncounted(info: CrawlInfo, counted: Mapping[str, Mapping[str, float]], found: Mapping[str, int]) -> Iterator[str]:
    """Say what is odd where fewer rows are not: more than a crawl that ended has counted, empty files where nothing was."""
    if info.is_recorded and not info.finished_at:
        return
    if not any(counted.values()):
        yield from (f"{name} has no complete row." for name, rows in sorted(found.items()) if not rows)
    elif not info.workers and (more := sum(found.values()) - sum(counted[""].values())) > 0:
        yield f"its CSV files have {count(more)} row{'s' * (more != 1)} more than {FILE_NAME} counts pages."
