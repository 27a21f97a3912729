"""What an HTTP answer of a provider means where it is not what was asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from crawler_project.metasearch.provider import ProviderError, Reply

LONGEST_WAIT: Final = 60.0
"""Seconds that a search waits for a provider that asks for patience; who asks for more is left."""
_SHOWN: Final = 60


def check_status(reply: Reply) -> None:
    """Take an answer with status 2xx for good.

    Raises:
        ProviderError: another status.
    """
    status = reply.status
    if 200 <= status < 300:
        return
    if status == 429 or (status == 503 and "retry-after" in reply.headers):
        raise rate_limit(f"too many requests (status {status})", seconds_of(reply.headers.get("retry-after", "")))
    if status >= 500:
        raise ProviderError("server error", f"status {status}")
    if 300 <= status < 400:
        target = reply.headers.get("location", "another address")[:200]
        raise ProviderError("refused", f"is at {target} (status {status}); name that address", is_final=True)
    raise ProviderError("refused", f"status {status}{_said(reply)}", is_final=True)


def rate_limit(reason: str, wait: float) -> ProviderError:
    """Give the error of a provider that wants to be asked later; final when later is too late for this search."""
    if wait > LONGEST_WAIT:
        return ProviderError("rate limit", f"{reason}; ask again in {wait:,.0f} s", is_final=True)
    return ProviderError("rate limit", reason, wait=wait)


def seconds_of(text: str) -> float:
    """Read ``Retry-After: 30``; 0 for a date and for what is no number."""
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def read_json(reply: Reply) -> Mapping[str, Any]:
    """Read a JSON object.

    Raises:
        ProviderError: it is none.
    """
    try:
        answer = json.loads(reply.body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        kind = reply.headers.get("content-type", "no type").partition(";")[0][:_SHOWN]
        raise ProviderError("nonsense", f"the answer is no JSON object ({kind}, {len(reply.body):,} bytes)")
    return answer


def dicts_of(value: object) -> list[Mapping[str, Any]]:
    """Give the objects of a JSON list; none for anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    """Give a JSON text; empty for anything else."""
    return value if isinstance(value, str) else ""


def error_code(reply: Reply) -> str:
    """Give ``error.code`` of a JSON answer; empty where there is none."""
    try:
        error = json.loads(reply.body)["error"]
        return text_of(error.get("code")) if isinstance(error, dict) else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def _said(reply: Reply) -> str:
    code = error_code(reply)
    return f", {code[:_SHOWN]}" if code else ""
