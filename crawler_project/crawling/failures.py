"""What became of a fetch that brought no page: from statuses, headers and exceptions to outcomes."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http import Response

from crawler_project.core.errors import RefusedAddressError
from crawler_project.core.values import Outcome

MAX_BACK_OFF = 3600.0
"""Seconds; a Retry-After beyond it is cut, because a crawl is planned in hours, not days."""
_TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_REASONS: tuple[tuple[type[BaseException], str, str], ...] = (
    (DownloadTimeoutError, "failed", "timeout"),
    (CannotResolveHostError, "failed", "name not resolved"),
    (DownloadConnectionRefusedError, "failed", "no connection"),
    (ResponseDataLossError, "failed", "cut off"),
    (DownloadCancelledError, "gone", "too large"),
    (IgnoreRequest, "gone", "too large when decompressed"),
    (UnsupportedURLSchemeError, "gone", "odd address"),
)


def outcome_of_failure(error: BaseException | None) -> Outcome:
    """The outcome of a download that raised ``error``."""
    if _is_caused_by(error, RefusedAddressError):
        return Outcome(kind="refused", fetched=False, reason="address not public")
    for kind_of_error, kind, reason in _REASONS:
        if isinstance(error, kind_of_error):
            return Outcome(kind=kind, reason=reason)
    return Outcome(kind="failed", reason=type(error).__name__)


def outcome_of_status(response: Response, now: float) -> Outcome:
    """The outcome of a status that is neither 2xx nor a redirect."""
    reason = f"status {response.status}"
    if response.status not in _TRY_AGAIN:
        return Outcome(kind="gone", reason=reason)
    return Outcome(kind="failed", reason=reason, back_off=retry_after(response, now))


def retry_after(response: Response, now: float) -> float:
    """Seconds that ``Retry-After`` asks for, as a number or as a date; 0 without a readable one."""
    value = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    try:
        seconds = float(value) if value.isdigit() else parsedate_to_datetime(value).timestamp() - now
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), MAX_BACK_OFF)


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    """Walk causes, contexts and the members of groups; happy eyeballs wraps what a socket raised."""
    seen: set[int] = set()
    stack = [error]
    while stack:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        if isinstance(current, kind):
            return True
        seen.add(id(current))
        stack += [current.__cause__, current.__context__, getattr(current, "os_error", None)]
        stack += getattr(current, "exceptions", ())
    return False
