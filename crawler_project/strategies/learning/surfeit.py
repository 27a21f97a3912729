"""Too much of one host: what a further page of it is worth less than the first ones."""

from __future__ import annotations

from math import log

MOST_SURE = 1 - 1e-12


def surfeit(chance: float, pages: int, enough: int) -> float:
    """Give the log-odds by which all queued URLs of a host lose, once more than ``enough`` pages of it were downloaded.

    The n-th page of a host counts as ``enough`` / n pages: a collection then gains with the logarithm of what it has of
    a host, and downloads are shared among hosts in proportion to what they give (Kelly 1997, "Charging and rate control
    for elastic traffic", proportional fairness). Departs from it: the first ``enough`` pages count in full. No judgement
    of pages is needed, so nobody can write pages that get around it.

    Args:
        chance: that the host's latest page was expected to be on target with, 0 to 1: a queue is served best first, so the
            next ones are like it. The share is taken of the chance, not of its odds, since the odds of a host
            that is on target for sure are beyond all bounds.
        pages: of the host that were downloaded, by all workers.
        enough: above 0.
    """
    if pages <= enough:
        return 0.0
    sure = min(max(chance, 1 - MOST_SURE), MOST_SURE)
    left = sure * enough / pages
    return log(sure / (1 - sure)) - log(left / (1 - left))
