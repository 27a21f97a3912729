"""How often Python looks for garbage, in processes that remember very many links."""

from __future__ import annotations

import gc

THRESHOLDS = (10_000, 20, 20)
"""New containers before the youngest are looked at, and turns of that before the older ones are, and before all are.

By the defaults (700, 10, 10) all that a learning crawl remembers was gone through a dozen times in its first 60,000 pages, which
was a tenth of its time and found nothing: what it forgets is not in cycles.
"""


def collect_rarely() -> None:
    """Have the whole process look for garbage more rarely."""
    gc.set_threshold(*THRESHOLDS)
