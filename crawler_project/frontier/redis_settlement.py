"""What a commit says about the leased URL itself, as commit.lua takes it."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from crawler_project.core.urls import url_hash
from crawler_project.core.values import HostVerdict, Lease, Outcome
from crawler_project.frontier.politeness import MAX_BACK_OFF, Politeness
from crawler_project.frontier.redis_entries import Argument
from crawler_project.frontier.redis_notes import encode_note

_LONGEST_REASON = 200


def settlement(lease: Lease, outcome: Outcome, now: float, politeness: Politeness) -> list[Argument]:
    """The arguments of commit.lua before lesson and entries; ``now`` is in the time of the server."""
    return [
        now,
        lease.token,
        outcome.kind if outcome.kind in ("page", "failed") else "other",
        int(outcome.fetched),
        int(outcome.is_target),
        outcome.directory.encode("utf-8", "replace"),
        str(url_hash(lease.entry.url)),
        politeness.delay,
        min(outcome.back_off, MAX_BACK_OFF) if outcome.back_off > 0 else 0,
        politeness.retry_delay,
        politeness.max_attempts,
        outcome.reason[:_LONGEST_REASON].replace("\n", " ").encode("utf-8", "replace"),
        len(outcome.verdicts),
        *verdict_arguments(outcome.verdicts),
        len(outcome.notes),
        *(encode_note(text) for note in outcome.notes.items() for text in note),
    ]


def verdict_arguments(verdicts: Mapping[str, HostVerdict]) -> list[Argument]:
    """Five for each verdict, as the scripts take them."""
    return [value for host, verdict in verdicts.items() for value in _verdict(host, verdict)]


def _verdict(host: str, verdict: HostVerdict) -> tuple[Argument, ...]:
    return (
        host.encode("utf-8", "replace"),
        as_number(verdict.precedence),
        int(verdict.discard),
        "-" if verdict.override is None else as_number(verdict.override),
        as_number(bounded_offset(verdict.offset)),
    )


def as_number(value: float) -> str:
    """Write a number; NaN sorts last."""
    return format(value + 0.0, ".17g") if value == value else "inf"  # noqa: PLR0124 - NaN differs from itself


def bounded_offset(offset: float) -> float:
    """Make an offset finite, so that it can be added to any priority; NaN is none."""
    if isfinite(offset):
        return offset
    return 0.0 if offset != offset else 1e300 if offset > 0 else -1e300  # noqa: PLR0124
