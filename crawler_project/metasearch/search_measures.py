"""Tables 1 to 3 of Li et al. 2006: what each keyword set and each provider was worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from crawler_project.metasearch.found_sites import Finding
from crawler_project.metasearch.provider import EVERYTHING


class Decision(NamedTuple):
    """What a verification said of a site."""

    is_relevant: bool
    pages: int
    """Fetched."""
    truth: bool | None = None
    """What somebody who looked says; ``None``: nobody has."""


class Measure(NamedTuple):
    """A row of the tables."""

    provider: str
    """``*``: all."""
    query: str
    """``*``: all (and the query of providers that are not asked for anything)."""
    sites: int
    verified: int
    relevant: int
    pages: int
    """Fetched for the verified ones."""
    labelled: int = 0
    """Relevant ones that somebody looked at."""
    right: int = 0
    """Of these, those that are relevant indeed."""

    @property
    def precision(self) -> float | None:
        """Give 准确率 (section 4.1): right ones per labelled one; ``None`` without labels."""
        return self.right / self.labelled if self.labelled else None

    @property
    def relevance_rate(self) -> float | None:
        """Give relevant sites per verified site (搜索相关率); ``None`` when none is verified."""
        return self.relevant / self.verified if self.verified else None

    @property
    def mean_pages(self) -> float | None:
        """Give pages fetched per verified site; ``None`` when none is verified."""
        return self.pages / self.verified if self.verified else None


def measures_of(findings: Iterable[Finding], decisions: Mapping[str, Decision]) -> list[Measure]:
    """Measure each keyword set at each provider, each keyword set, each provider, and all of it, in this order."""
    groups: dict[tuple[str, str], set[str]] = {}
    for one in findings:
        for key in ((one.provider, one.query), (EVERYTHING, one.query), (one.provider, EVERYTHING), (EVERYTHING,) * 2):
            groups.setdefault((key[0], key[1]), set()).add(one.site)
    keys = sorted(groups, key=lambda key: (key[0] == EVERYTHING) + 2 * (key[1] == EVERYTHING))
    return [_measure(*key, groups[key], decisions) for key in keys]


def _measure(provider: str, query: str, sites: set[str], decisions: Mapping[str, Decision]) -> Measure:
    known = [decisions[site] for site in sites if site in decisions]
    relevant = [one for one in known if one.is_relevant]
    labels = [one.truth for one in relevant if one.truth is not None]
    pages = sum(one.pages for one in known)
    return Measure(provider, query, len(sites), len(known), len(relevant), pages, len(labels), sum(labels))
