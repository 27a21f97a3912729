"""An early "no": give up a site before NumExpPages when it is no longer believed to be one.

Beyond the paper. Two tests; the first loses nothing, the second is Wald's sequential probability ratio test
(A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16, 1945) of "a site of the
line shows a good page in one of four that best-first search takes" against "another site shows one in fifty", with
the upper bound left out: a yes is NumRelPages good pages and nothing else. Its answer depends on counts only.
"""

from __future__ import annotations

import math
from typing import Final

GOOD_ON_SITE: Final = 0.25
"""Share of good pages among the fetched ones of a site of the line, of the hard sort: hubs come first."""
GOOD_ELSEWHERE: Final = 0.02
MISSED: Final = 0.0006
"""Sites of the line that may be given up wrongly (Wald's β; α is not used)."""

_GOOD = math.log(GOOD_ON_SITE / GOOD_ELSEWHERE)
_BAD = math.log((1 - GOOD_ON_SITE) / (1 - GOOD_ELSEWHERE))
_BOUND = math.log(MISSED)


def is_hopeless(good: int, pages: int, num_rel_pages: int, num_exp_pages: int) -> bool:
    """Whether a site with ``good`` of ``pages`` fetched pages is to be given up.

    So is a site without a good page after 28, and one whose missing good pages are more than the fetches left.
    """
    if good + (num_exp_pages - pages) < num_rel_pages:
        return True
    return good * _GOOD + (pages - good) * _BAD <= _BOUND
