"""Whether there is a page behind a link at all: hosts and directories go on answering as they did."""

from __future__ import annotations

from math import log
from typing import NamedTuple

from crawler_project.strategies.learning.memory import ANY_NEW_HOST, CrawlMemory
from crawler_project.strategies.learning.model import chance_of

DOUBT = 2.0
"""Requests in a directory that are thought to go as those to its host do, and as many to a host as first ones to any host do."""


class Answers(NamedTuple):
    """Requests that gave a page, as shares, so far as is known."""

    host: float
    directory: float


ALWAYS = Answers(1.0, 1.0)


def answers_of(memory: CrawlMemory, host: int, directory: int) -> Answers:
    """Give what is to be expected of a request, by the slots of its host and directory."""
    if not memory.is_any_gone:
        return ALWAYS
    asked, gone = memory.asked, memory.gone
    anywhere = 1.0 - gone[ANY_NEW_HOST] / (asked[ANY_NEW_HOST] + 1.0)
    of_host = (asked[host] - gone[host] + DOUBT * anywhere) / (asked[host] + DOUBT)
    return Answers(of_host, (asked[directory] - gone[directory] + DOUBT * of_host) / (asked[directory] + DOUBT))


def worth_if_answered(score: float, share: float) -> float:
    """Turn log-odds of a page to be on target into those of a request, of which such a share (above 0, up to 1) give a page.

    Source: our own. The chances are multiplied. Beyond that the odds are so much less: where nothing promises much, what gives no
    page is worth less than a page off target (trials: docs/adaptive.md).
    """
    if share >= 1.0:
        return score
    chance = share * chance_of(score)
    return log(share * chance / (1.0 - chance))


def offset_of_host(share: float) -> float:
    """Give what the share of a host adds to each of its URLs, in log-odds: as much as in :func:`worth_if_answered` where chances are small."""
    return 2.0 * log(share)
