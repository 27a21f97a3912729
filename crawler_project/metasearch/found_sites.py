"""Hits of all providers as one list of sites, each once, with who found it (rule V15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from crawler_project.core.urls import canonical_url
from crawler_project.metasearch.search import ProviderReport
from crawler_project.verification.site import site_of_host

RANK_OFFSET: Final = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
UNRANKED: Final = 1000
"""The rank that hits of a provider without an order count as."""


class Finding(NamedTuple):
    """A site as one provider gave it for one keyword set: its best hit."""

    site: str
    url: str
    provider: str
    query: str
    rank: int
    """From 1; 0: the provider has no order."""
    engines: str
    title: str


@dataclass
class FoundSite:
    """A site that is to be verified."""

    site: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def score(self) -> float:
        """Give the fused rank: the sum of 1 / (60 + rank) over who found it."""
        return sum(1 / (RANK_OFFSET + (one.rank or UNRANKED)) for one in self.findings)

    @property
    def url(self) -> str:
        """Give the address that a verification begins with: that of the best rank."""
        return min(self.findings, key=lambda one: one.rank or UNRANKED).url

    @property
    def found_by(self) -> str:
        """Name the providers with the best rank in each: ``searxng 1, brave 3, file``."""
        best: dict[str, int] = {}
        for one in self.findings:
            best[one.provider] = min(best.get(one.provider, one.rank), one.rank)
        return ", ".join(f"{name} {rank}" if rank else name for name, rank in best.items())


def findings_of(reports: Iterable[ProviderReport]) -> tuple[list[Finding], int]:
    """Give what was found, a site once for each provider and keyword set, and how many hits were no addresses."""
    found: dict[tuple[str, str, str], Finding] = {}
    bad = 0
    for report in reports:
        provider = report.provider
        for result in report.results:
            for rank, hit in enumerate(result.hits, 1):
                parts = canonical_url(hit.url)
                if parts is None:
                    bad += 1
                    continue
                site = site_of_host(parts.host)
                its_rank = rank if provider.is_ranked else 0
                engines = " ".join(hit.engines)
                finding = Finding(site, parts.url, provider.name, result.query, its_rank, engines, hit.title)
                found.setdefault((site, provider.name, result.query), finding)
    return list(found.values()), bad


def merged_sites(findings: Sequence[Finding]) -> list[FoundSite]:
    """Give the sites, the best fused rank first; ties in the order in which they were found."""
    sites: dict[str, FoundSite] = {}
    for finding in findings:
        sites.setdefault(finding.site, FoundSite(finding.site)).findings.append(finding)
    return sorted(sites.values(), key=lambda site: -site.score)
