"""From statuses, headers and exceptions to outcomes."""

from __future__ import annotations

import pytest
from scrapy.exceptions import (
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.http import Response

from crawler_project.core.errors import RefusedAddressError
from crawler_project.crawling.failures import MAX_BACK_OFF, outcome_of_failure, outcome_of_status


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (DownloadTimeoutError("x"), "failed", "timeout"),
        (DownloadCancelledError("x"), "gone", "too large"),
        (IgnoreRequest("x"), "gone", "too large when decompressed"),
        (DownloadConnectionRefusedError("x"), "failed", "no connection"),
        (KeyError("x"), "failed", "KeyError"),
    ],
)
def test_failure_becomes_an_outcome(error: Exception, kind: str, reason: str) -> None:
    outcome = outcome_of_failure(error)
    assert (outcome.kind, outcome.reason) == (kind, reason)


def test_failure_caused_by_a_refused_address_is_a_refusal_however_deep() -> None:
    error = DownloadConnectionRefusedError("x")
    error.__cause__ = ExceptionGroup("g", [OSError("y"), RefusedAddressError("z")])
    outcome = outcome_of_failure(error)
    assert (outcome.kind, outcome.reason, outcome.fetched) == ("refused", "address not public", False)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 50.0),
        ("99999999", MAX_BACK_OFF),
        ("soon", 0.0),
        ("-5", 0.0),
        ("", 0.0),
    ],
)
def test_retry_after_is_read_as_number_or_date(value: str, seconds: float) -> None:
    response = Response("http://a.example/", status=429, headers={"Retry-After": value})
    outcome = outcome_of_status(response, now=10.0)
    assert (outcome.kind, outcome.reason, outcome.back_off) == ("failed", "status 429", seconds)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 304, 501])
def test_statuses_that_will_not_change_are_not_tried_again(status: int) -> None:
    assert outcome_of_status(Response("http://a.example/", status=status), 0.0).kind == "gone"
