"""What Chan & Yamana 2010 printed: the numbers that a report sets its own beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LANGUAGES = ("zh", "ja", "ko")
"""The language columns of their Table 4, in order."""


class PaperCrawl(NamedTuple):
    """One row of Table 4, and the figure that shows it."""

    figure: int
    zh: int
    ja: int
    ko: int
    other: int

    @property
    def total(self) -> int:
        """Give the row's last column: the sum of the others."""
        return self.zh + self.ja + self.ko + self.other


TABLE_4 = {
    ("ko", "control"): PaperCrawl(4, 12_523, 1_926, 80_049, 36_273),
    ("ko", "experimental"): PaperCrawl(5, 1_757, 380, 11_328, 2_386),
    ("ja", "control"): PaperCrawl(6, 6_555, 66_235, 108, 2_838),
    ("ja", "experimental"): PaperCrawl(7, 1_179, 11_890, 24, 465),
    ("zh", "control"): PaperCrawl(8, 112_924, 2_468, 1_052, 11_321),
    ("zh", "experimental"): PaperCrawl(9, 10_078, 202, 99, 1_015),
}
"""By target and strategy. The table prints "1.052" Korean pages for the Chinese control group: read as
1,052, which is what its total of 127,765 needs."""


def paper_crawl(target: Sequence[str], strategy: str) -> PaperCrawl | None:
    """Give the paper's crawl of this target by this strategy, if there was one."""
    return TABLE_4.get((target[0], strategy)) if len(target) == 1 else None


def paper_target_share(target: Sequence[str], strategy: str) -> float | None:
    """Give the share of target pages (0 to 1) that the paper's crawl had."""
    row = paper_crawl(target, strategy)
    return getattr(row, target[0]) / row.total if row else None
