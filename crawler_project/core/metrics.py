"""How good a crawl was: harvest rate and coverage, at the end and along the way.

Both are the measures of Somboonviwat 2006, section 6.2 (coverage is recall of target pages), in
the terms of rule R20: of the first ``k`` downloads, ``r`` are on target; the harvest rate is
``r / k``, the coverage ``r`` over all target pages that there are to find.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


def harvest_rate(relevant: int, pages: int) -> float:
    """Divide target pages by downloaded pages (0 to 1); 0.0 before the first download."""
    return relevant / pages if pages else 0.0


def coverage(relevant: int, all_relevant: int) -> float:
    """Divide target pages found by target pages that exist (0 to 1); 0.0 when none exist.

    The caller says what "exist" means: all target pages of a recorded web, or only those that
    any of several compared crawls found, which makes the number a *relative* coverage.
    """
    return relevant / all_relevant if all_relevant else 0.0


class Curve(NamedTuple):
    """A crawl at a number of moments; both arrays are one-dimensional and equally long."""

    pages: npt.NDArray[np.int64]
    """Downloads so far, ascending, at least 1."""
    relevant: npt.NDArray[np.int64]
    """Target pages among them."""

    def harvest_rates(self) -> npt.NDArray[np.float64]:
        """Give the harvest rate at each moment."""
        return self.relevant / self.pages

    def coverages(self, all_relevant: int) -> npt.NDArray[np.float64]:
        """Give the coverage at each moment; zeros when ``all_relevant`` is 0."""
        return self.relevant / max(all_relevant, 1)


def curve(is_relevant: npt.ArrayLike, every: int = 1) -> Curve:
    """Count along a crawl: after every ``every`` downloads, and after the last one (R20).

    Args:
        is_relevant: one truth value for each download, in order of download; may be empty.
        every: downloads between two moments, at least 1.
    """
    flags = np.asarray(is_relevant, dtype=bool)
    totals = np.cumsum(flags, dtype=np.int64)
    moments = np.arange(every, len(flags) + 1, every, dtype=np.int64)
    if len(flags) % every:
        moments = np.append(moments, len(flags))
    return Curve(moments, totals[moments - 1])
