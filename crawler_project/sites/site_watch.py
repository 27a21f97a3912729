"""``-a verify=bookshop-ko``: which of the sites that a crawl goes through anyway are of a line of business."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.seams import Frontier
from crawler_project.exporters.row_files import RowFiles
from crawler_project.exporters.site_files import SiteFiles
from crawler_project.items import PageItem
from crawler_project.relevance.rules.rule_file import load_rules
from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.sites.site_book import PREFIX
from crawler_project.sites.site_evidence import evidence_of
from crawler_project.verification.verdict import Verdict
from crawler_project.verification.verifier_parameters import VerifierParameters
from crawler_project.verification.watched_site import WatchedSite

UNDECIDED = "undecided"


@dataclass(frozen=True)
class WatchPlan:
    """What the sites of a crawl are verified by."""

    rules: RuleSet
    parameters: VerifierParameters

    @classmethod
    def take_from(cls, arguments: dict[str, str]) -> WatchPlan | None:
        """Take ``verify`` and with it the verifier's parameters out of ``-a`` arguments; ``None`` without it.

        Raises:
            ConfigurationError: a wrong rule file or parameter.
        """
        name = arguments.pop("verify", None)
        if name is None:
            return None
        if not name:
            raise ConfigurationError("verify is empty; name rules, for example -a verify=bookshop-ko")
        names = [field.name for field in fields(VerifierParameters) if field.name in arguments]
        values = {name: arguments.pop(name) for name in names}
        # the pages are fetched in any case: there is nothing to be saved by an early no
        return cls(load_rules(name), VerifierParameters.parse({"early_no": "false", **values}))

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.parameters.as_dict().items())
        return f"{self.rules.name} {self.rules.digest} {values}"


class SiteWatch:
    """Take note of the target pages of each site in the frontier's notes, until the site has a verdict."""

    def __init__(self, plan: WatchPlan, frontier: Frontier, files: SiteFiles) -> None:
        self._plan = plan
        self._frontier = frontier
        self._files = files

    def observe(self, site: str, url: str, score: float) -> dict[str, str]:
        """Give the notes that are to be committed with a page; evidence of a new verdict is written first.

        Raises:
            StateError: the evidence cannot be written, or what is stored cannot be read.
        """
        record = _parsed(self._frontier.note(PREFIX + site))
        if "reason" in record:
            return {}
        watched = WatchedSite(site, self._plan.parameters, record.get("pages", ()))
        verdict = watched.observe(url, score)
        if verdict is None:
            return _note(site, {"pages": [list(page) for page in watched.pages]})
        try:
            self._files.write_verdict(self._evidence(verdict))
        except OSError as error:
            raise StateError(f"the evidence of sites cannot be written ({error.strerror}); make room") from error
        return _note(site, {"is_relevant": verdict.is_relevant, "reason": verdict.reason})

    def undecided(self) -> list[dict[str, Any]]:
        """Give the evidence so far of the sites without a verdict."""
        found = []
        for name, text in self._frontier.notes(PREFIX).items():
            record = _parsed(text)
            if "pages" in record:
                watched = WatchedSite(name.removeprefix(PREFIX), self._plan.parameters, record["pages"])
                found.append(self._evidence(watched.verdict(UNDECIDED)))
        return found

    def _evidence(self, verdict: Verdict) -> dict[str, Any]:
        return evidence_of(verdict, self._plan.rules, self._plan.parameters, _now())


class FilesWithSites:
    """The files of a crawl and those of its sites, as one."""

    def __init__(self, rows: RowFiles, sites: SiteFiles) -> None:
        self._rows = rows
        self.sites = sites
        self.watch: SiteWatch | None = None

    def write(self, item: PageItem) -> None:
        self._rows.write(item)

    def flush(self) -> dict[str, int]:
        return {**self._rows.flush(), **self.sites.flush()}

    def sync(self) -> None:
        self._rows.sync()

    def close(self) -> None:
        """Close all; sites.csv then lists the sites without a verdict, too."""
        self._rows.close()
        self.sites.close(self.watch.undecided() if self.watch else ())


def _note(site: str, record: Mapping[str, Any]) -> dict[str, str]:
    return {PREFIX + site: json.dumps(record, ensure_ascii=False, separators=(",", ":"))}


def _parsed(text: str | None) -> dict[str, Any]:
    try:
        record = json.loads(text) if text is not None else {}
        if not isinstance(record, dict):
            raise ValueError("not a site")
    except ValueError as error:
        raise StateError(f"the stored verification of a site cannot be read: {error}") from error
    return record


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
