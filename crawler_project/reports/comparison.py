"""Crawls of one target side by side, at the same number of pages and at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.metrics import Curve, coverage, curve, harvest_rate
from crawler_project.reports.aim import Aim
from crawler_project.reports.collection_labels import CollectionLabels
from crawler_project.reports.crawl_data import Crawl

CONTROL = "control"
"""The strategy that others are measured against (Chan & Yamana's control group)."""


class Gain(NamedTuple):
    """What a focused crawl gained over the control crawl among the first ``pages`` downloads of each."""

    focus: Comparand
    control: Comparand
    pages: int
    """Downloads of the shorter of the two crawls."""
    focus_targets: int
    control_targets: int
    pages_to_match: int | None
    """Downloads after which the focused crawl had as many target pages as the control crawl has after
    ``pages``; ``None`` when it never got there."""

    @property
    def extra_targets(self) -> int:
        """Target pages more than the control crawl's; negative when it has fewer."""
        return self.focus_targets - self.control_targets

    @property
    def points(self) -> float:
        """Difference of the harvest rates, in percentage points."""
        return 100 * self.extra_targets / self.pages


@dataclass(frozen=True, eq=False)
class Comparand:
    """One crawl of a comparison, with the name that it goes by."""

    crawl: Crawl
    label: str

    @property
    def strategy(self) -> str:
        return self.crawl.info.strategy

    @property
    def page_count(self) -> int:
        return self.crawl.page_count

    @cached_property
    def _targets(self) -> npt.NDArray[np.int64]:
        return np.cumsum(self.crawl.is_target, dtype=np.int64)

    def targets_at(self, pages: int) -> int:
        """Count the target pages among the first ``pages`` downloads."""
        return int(self._targets[min(pages, self.page_count) - 1]) if pages else 0

    def harvest_at(self, pages: int) -> float:
        """Give the harvest rate of the first ``pages`` downloads."""
        return harvest_rate(self.targets_at(pages), min(pages, self.page_count))

    def pages_to_find(self, targets: int) -> int | None:
        """Count the downloads until ``targets`` target pages were there; ``None`` when they never were."""
        if not targets:
            return 0
        place = int(np.searchsorted(self._targets, targets))
        return place + 1 if place < self.page_count else None

    def harvest_curve(self, every: int) -> Curve:
        """Count target pages along the crawl."""
        return curve(self.crawl.is_target, every)


class Comparison:
    """Crawls that were after the same languages, or the same topic.

    Coverage needs to know what there was to find. Without labels that is what the compared crawls
    found together (*relative coverage*, an upper bound of the true one; meaningless for a single
    crawl); with the labels of a recorded collection it is all its pages in a target language,
    whether the seeds lead there or not. Those labels are of languages: of a topic they say nothing.
    """

    def __init__(self, members: Sequence[Comparand], labels: CollectionLabels | None = None) -> None:
        self.members = tuple(members)
        self.target = members[0].crawl.target
        self.aim = members[0].crawl.aim
        self.labels = None if self.aim.topic else labels
        self.common_pages = min(member.page_count for member in members)
        self._to_find = self.labels.pages_in(self.target) if self.labels else _union_of_targets(members)
        self._finds = {member.label: self._first_finds(member) for member in members}

    @property
    def has_coverage(self) -> bool:
        """Whether coverage says anything here."""
        return self.labels is not None or len(self.members) > 1

    @property
    def target_pages_known(self) -> int:
        """Distinct target pages that there are to find: what coverage is a fraction of."""
        return len(self._to_find)

    def found_curve(self, member: Comparand, every: int) -> Curve:
        """Count distinct pages of :attr:`target_pages_known` along a crawl."""
        return curve(self._finds[member.label], every)

    def coverage_at(self, member: Comparand, pages: int) -> float:
        """Give the coverage of the first ``pages`` downloads."""
        return coverage(int(self._finds[member.label][:pages].sum()), self.target_pages_known)

    def _first_finds(self, member: Comparand) -> npt.NDArray[np.bool_]:
        pages = member.crawl.pages["page"].to_numpy()
        found = np.isin(pages, self._to_find)
        if self.labels is None:
            found &= member.crawl.is_target
        places = np.flatnonzero(found)
        first = np.zeros(len(pages), dtype=bool)
        first[places[np.unique(pages[places], return_index=True)[1]]] = True
        return first

    def judge_agreement(self, member: Comparand) -> tuple[int, int]:
        """Count the pages where judge and labels agree on "target or not", and those that have a label."""
        if self.labels is None:
            return 0, 0
        pages = member.crawl.pages["page"].to_numpy()
        labelled = np.isin(pages, self.labels.labelled_pages())
        by_label = np.isin(pages, self._to_find)
        return int((labelled & (by_label == member.crawl.is_target)).sum()), int(labelled.sum())

    def gains(self) -> list[Gain]:
        """Measure every other strategy against the control crawl; empty without exactly one control crawl."""
        controls = [member for member in self.members if member.strategy == CONTROL]
        if len(controls) != 1:
            return []
        return [_gain(member, controls[0]) for member in self.members if member is not controls[0]]


def _gain(focus: Comparand, control: Comparand) -> Gain:
    pages = min(focus.page_count, control.page_count)
    wanted = control.targets_at(pages)
    return Gain(focus, control, pages, focus.targets_at(pages), wanted, focus.pages_to_find(wanted))


def _union_of_targets(members: Sequence[Comparand]) -> npt.NDArray[np.int64]:
    found = [member.crawl.pages["page"].to_numpy()[member.crawl.is_target] for member in members]
    return np.unique(np.concatenate(found))


def compare(crawls: Iterable[Crawl], labels: CollectionLabels | None = None) -> list[Comparison]:
    """Group crawls by what makes a target page, the control crawl first in each group; groups in order of first appearance."""
    groups: dict[Aim, list[Comparand]] = {}
    for member in _label_crawls(list(crawls)):
        groups.setdefault(member.crawl.aim, []).append(member)
    return [
        Comparison(sorted(members, key=lambda member: member.strategy != CONTROL), labels)
        for members in groups.values()
    ]


def _label_crawls(crawls: Sequence[Crawl]) -> list[Comparand]:
    """Name crawls ``ko experimental``, ``ko react cbp_slc``; where that is not unique the directory's name or path too."""
    plain = [f"{_aim_code(crawl.aim)} {crawl.info.strategy or 'crawl'}" for crawl in crawls]
    choices = [
        plain,
        [f"{name} ({crawl.path.resolve().name})" for name, crawl in zip(plain, crawls, strict=True)],
        [f"{name} ({crawl.path})" for name, crawl in zip(plain, crawls, strict=True)],
    ]
    times = Counter(plain) + Counter(choices[1])
    labels = [next((name for name in names if times[name] == 1), names[-1]) for names in zip(*choices, strict=True)]
    return [Comparand(crawl, label) for crawl, label in zip(crawls, labels, strict=True)]


def _aim_code(aim: Aim) -> str:
    return " ".join(filter(None, [",".join(aim.languages), aim.topic])) or "any"
