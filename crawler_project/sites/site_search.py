"""A metasearch as ``scrapy sites find`` does it: asked once, kept in files, taken from there when the command is run again."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.crawling.crawl_plan import user_agent_of
from crawler_project.crawling.download_handler import parse_virtual_web
from crawler_project.crawling.output_folder import make_writable
from crawler_project.crawling.settings_check import check_settings
from crawler_project.exporters.site_files import defused
from crawler_project.extensions.crawl_output import write_json
from crawler_project.metasearch.found_sites import Finding, findings_of
from crawler_project.metasearch.make_provider import make_provider
from crawler_project.metasearch.provider import Provider
from crawler_project.metasearch.search import ProviderReport, run_search
from crawler_project.sites.search_client import SearchClient

FORMAT: Final = "crawler-project-search/1"
FOUND, SEARCH = "found.csv", "search.json"
_LONGEST_FIELD: Final = 1 << 20


@dataclass(frozen=True)
class SearchPlan:
    """What is looked for, and where."""

    providers: Sequence[Provider]
    queries: Sequence[str]
    pages: int
    delay: float
    timeout: float
    user_agent: str
    virtual: tuple[str, int] | None

    @classmethod
    def of(
        cls, settings: BaseSettings, names: Sequence[str], queries: Sequence[str], pages: int, language: str
    ) -> SearchPlan:
        """Check settings and providers.

        Raises:
            ConfigurationError: a provider that is unknown or lacks something, a setting that cannot be meant, no keyword set.
        """
        check_settings(settings)
        texts = list(dict.fromkeys(names or settings.getlist("METASEARCH_PROVIDERS")))
        if not texts:
            raise ConfigurationError("no provider; name one: --provider searxng=http://127.0.0.1:8080")
        providers = [make_provider(text, queries, language, os.environ) for text in texts]
        if not queries and any(provider.name != "page" for provider in providers):
            raise ConfigurationError("the rule file has no keywords; give keyword sets, one a line: --keywords FILE")
        for name, same in _by_name(providers).items():
            for number, provider in enumerate(same[1:], 2):
                provider.name = f"{name}-{number}"
        return cls(
            providers,
            queries,
            pages,
            settings.getfloat("METASEARCH_DELAY"),
            settings.getfloat("METASEARCH_TIMEOUT"),
            user_agent_of(settings)[0],
            parse_virtual_web(settings.get("VIRTUAL_WEB") or ""),
        )

    @property
    def identity(self) -> dict[str, Any]:
        """What must be the same for stored answers to be taken."""
        names = [f"{one.name}={one.place}" if one.place else one.name for one in self.providers]
        return {"providers": names, "queries": list(self.queries), "pages": self.pages}


@dataclass(frozen=True)
class Searched:
    """What a search gave."""

    findings: list[Finding]
    reports: Sequence[Mapping[str, Any]]
    """One a provider, as in search.json."""
    is_stored: bool = False
    """It was done by an earlier run."""


def search(plan: SearchPlan, folder: Path) -> Searched:
    """Search, and keep in ``folder`` what was found; an earlier run's answers are taken.

    Raises:
        ConfigurationError: the folder holds another search, or cannot be written.
        StateError: what an earlier run stored cannot be read.
    """
    stored = _stored(plan, folder)
    if stored is not None:
        return stored
    make_writable(folder, "out")  # before anybody is asked, and paid
    reports = asyncio.run(_search(plan))
    findings, bad = findings_of(reports)
    records = [_record(report, findings) for report in reports]
    if not findings:
        with suppress(OSError):
            folder.rmdir()
    else:
        document = {"format": FORMAT, "identity": plan.identity, "no_address": bad, "providers": records}
        try:
            write_table(folder / FOUND, Finding._fields, findings)
            write_json(folder / SEARCH, document)
        except OSError as error:
            raise ConfigurationError(
                f"out={str(folder)!r} cannot be written: {error.strerror}; choose another folder"
            ) from error
    return Searched(findings, records)


async def _search(plan: SearchPlan) -> list[ProviderReport]:
    async with SearchClient(plan.user_agent, plan.timeout, plan.virtual) as client:
        return await run_search(
            plan.providers, plan.queries, client.fetch, pages=plan.pages, delay=plan.delay, sleep=asyncio.sleep
        )


def _by_name(providers: Iterable[Provider]) -> Mapping[str, list[Provider]]:
    named: dict[str, list[Provider]] = {}
    for provider in providers:
        named.setdefault(provider.name, []).append(provider)
    return named


def _record(report: ProviderReport, findings: Iterable[Finding]) -> dict[str, Any]:
    provider = report.provider
    return {
        "provider": provider.name,
        "place": provider.place,
        "complaint": report.complaint,
        "notes": report.notes,
        "sites": len({one.site for one in findings if one.provider == provider.name}),
        "queries": [
            {"query": one.query, "outcome": one.outcome, "pages": one.pages, "hits": len(one.hits)}
            for one in report.results
        ],
    }


def _stored(plan: SearchPlan, folder: Path) -> Searched | None:
    if not (folder / SEARCH).exists():
        return None
    try:
        document = json.loads((folder / SEARCH).read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise StateError(f"{folder / SEARCH} is of another version; choose another folder")
        if document["identity"] != plan.identity:
            raise ConfigurationError(
                f"out={str(folder)!r} holds another search (other providers, keyword sets or pages); choose another folder"
            )
        return Searched(_read_findings(folder / FOUND), document["providers"], is_stored=True)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StateError(f"the search in {folder} cannot be read ({error}); choose another folder") from error


def stored_findings(folder: Path) -> list[Finding]:
    """Read found.csv of an earlier search.

    Raises:
        ConfigurationError: there is none.
    """
    try:
        return _read_findings(folder / FOUND)
    except (OSError, ValueError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"{str(folder / FOUND)!r} cannot be read ({reason}); name the folder of a search"
        ) from error


def _read_findings(path: Path) -> list[Finding]:
    csv.field_size_limit(_LONGEST_FIELD)
    with path.open(encoding="utf-8", newline="") as file:
        return [Finding(**{**row, "rank": int(row["rank"] or 0)}) for row in csv.DictReader(file)]  # type: ignore[arg-type]


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file as one; a 0 of ``rank`` and ``None`` are empty cells, formulas are defused."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(
        ["" if cell is None or (name == "rank" and not cell) else defused(str(cell)) for name, cell in zip(header, row, strict=True)]
        for row in rows
    )  # fmt: skip
    scratch = path.with_name(path.name + ".new")
    scratch.write_bytes(text.getvalue().encode("utf-8", "replace"))
    scratch.replace(path)
