"""The whole evidence of a verdict as plain data (V14)."""

from __future__ import annotations

from typing import Any

from crawler_project.site_book import SiteCase
from crawler_project.site_plan import SitePlan
from crawler_project.verification.verdict import Verdict


def evidence_of(verdict: Verdict, case: SiteCase, plan: SitePlan, now: str) -> dict[str, Any]:
    """Give the line of evidence.jsonl for a verdict; ``now`` is the time in ISO 8601."""
    return {
        "site": verdict.site,
        "verdict": verdict.is_relevant,
        "reason": verdict.reason,
        "relevance": round(verdict.relevance, 6),
        "start": verdict.pages[0].url,
        "moved_to": case.moved_to,
        "found_by": case.found_by,
        "rules": plan.rules.name,
        "rules_digest": plan.rules.digest,
        "parameters": plan.parameters.as_dict(),
        "good_pages": [page._asdict() for page in verdict.good_pages],
        "pages": [page._asdict() for page in verdict.pages],
        "classes": [one._asdict() for one in verdict.classes],
        "decided_at": now,
    }
