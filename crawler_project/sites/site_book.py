"""Where the verification of each site stands: notes of the frontier, written with the commit of each page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from crawler_project.core.errors import StateError
from crawler_project.core.seams import Frontier
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import VerifierParameters
from crawler_project.verification.verifier_state import plain_verifier, verifier_of

PREFIX = "site:"
MOST_CASES = 2000
"""Sites that are kept ready beside their notes."""


@dataclass
class SiteCase:
    """A site under verification."""

    verifier: SiteVerifier
    found_by: str = ""
    moved_to: str = ""
    """Where its first page was redirected to, when that is another site."""

    def note(self) -> str:
        """Write it as JSON; once there is a verdict, only that."""
        verdict = self.verifier.verdict
        record: dict[str, Any] = {"found_by": self.found_by, "moved_to": self.moved_to}
        if verdict is None:
            record["verification"] = plain_verifier(self.verifier)
        else:
            record |= {"is_relevant": verdict.is_relevant, "reason": verdict.reason}
        return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class SiteBook:
    """The cases of one crawl. What a frontier has stored counts; what is kept here saves reading it again."""

    def __init__(self, frontier: Frontier, parameters: VerifierParameters) -> None:
        self._frontier = frontier
        self._parameters = parameters
        self._ready: dict[str, tuple[str, SiteCase]] = {}

    def is_known(self, site: str) -> bool:
        """Whether the site is under verification or verified."""
        return self._frontier.note(PREFIX + site) is not None

    def find(self, site: str, start: str, found_by: str = "") -> SiteCase | None:
        """Give the case of a site, begun with ``start`` when there is none; ``None``: it is decided.

        Raises:
            StateError: what is stored cannot be read.
        """
        text = self._frontier.note(PREFIX + site)
        if text is None:
            return SiteCase(SiteVerifier(start, self._parameters), found_by)
        kept = self._ready.get(site)
        if kept is not None and kept[0] == text:
            return kept[1]
        record = _parsed(text)
        if "verification" not in record:
            return None
        return SiteCase(verifier_of(record["verification"], self._parameters), record["found_by"], record["moved_to"])

    def keep(self, site: str, case: SiteCase) -> dict[str, str]:
        """Give the notes that store a case, to be committed."""
        text = case.note()
        self._ready.pop(site, None)
        if case.verifier.verdict is None:
            self._ready[site] = (text, case)
            if len(self._ready) > MOST_CASES:
                del self._ready[next(iter(self._ready))]
        return {PREFIX + site: text}

    def undecided(self) -> list[tuple[str, SiteCase]]:
        """Give all sites that were begun and have no verdict."""
        found = []
        for name, text in self._frontier.notes(PREFIX).items():
            site = name.removeprefix(PREFIX)
            case = self.find(site, "") if "verification" in _parsed(text) else None
            if case is not None:
                found.append((site, case))
        return found


def _parsed(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or not {"found_by", "moved_to"} <= record.keys():
            raise ValueError("not a site")
    except ValueError as error:
        raise StateError(f"the stored verification of a site cannot be read: {error}") from error
    return record
