"""The whole evidence of a verdict as plain data (V14)."""

from __future__ import annotations

from typing import Any

from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.verification.verdict import Verdict
from crawler_project.verification.verifier_parameters import VerifierParameters


def evidence_of(
    verdict: Verdict,
    rules: RuleSet,
    parameters: VerifierParameters,
    now: str,
    *,
    found_by: str = "",
    moved_to: str = "",
) -> dict[str, Any]:
    """Give the line of evidence.jsonl for a verdict; ``now`` is the time in ISO 8601."""
    return {
        "site": verdict.site,
        "verdict": verdict.is_relevant,
        "reason": verdict.reason,
        "relevance": round(verdict.relevance, 6),
        "start": verdict.pages[0].url,
        "moved_to": moved_to,
        "found_by": found_by,
        "rules": rules.name,
        "rules_digest": rules.digest,
        "parameters": parameters.as_dict(),
        "good_pages": [page._asdict() for page in verdict.good_pages],
        "pages": [page._asdict() for page in verdict.pages],
        "classes": [one._asdict() for one in verdict.classes],
        "decided_at": now,
    }
