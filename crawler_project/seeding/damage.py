"""What was wrong with an input: counted by reason, the first cases named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_NAMED = 20
"""Cases of each kind that are named; a damaged dump has thousands, and a count says as much."""


class Case(NamedTuple):
    """One damaged entry."""

    source: str
    place: str
    """``entry 12``, ``line 3``."""
    what: str
    """The entry's address, or what can be read of it."""
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.place}: {self.what!r}: {self.reason}"


@dataclass
class Damage:
    """Collects what readers skip and mend; one for all files of a run."""

    skipped: Counter[str] = field(default_factory=Counter)
    """Entries that were left out, by reason."""
    mended: Counter[str] = field(default_factory=Counter)
    """Entries that were kept after a fault was put right, by fault."""
    faults: list[str] = field(default_factory=list)
    """What is wrong with whole files: cut off, another form than expected."""
    cases: list[Case] = field(default_factory=list)
    """The first ``MOST_NAMED`` skipped and mended entries of each reason."""

    def skip(self, source: str, place: str, what: str, reason: str) -> None:
        """Count an entry that is left out."""
        self.skipped[reason] += 1
        if self.skipped[reason] <= MOST_NAMED:
            self.cases.append(Case(source, place, " ".join(what.split())[:200], reason))

    def mend(self, source: str, place: str, what: str, fault: str) -> None:
        """Count an entry that is kept after ``fault`` was put right."""
        self.mended[fault] += 1
        if self.mended[fault] <= MOST_NAMED:
            self.cases.append(Case(source, place, " ".join(what.split())[:200], f"{fault}: put right"))

    def fault(self, source: str, what: str) -> None:
        """Name what is wrong with a whole file; what was read of it before is kept."""
        self.faults.append(f"{source}: {what}")

    def lines(self) -> Iterator[str]:
        """Say all of it, a line each; nothing when nothing was wrong."""
        yield from self.faults
        yield from map(str, self.cases)
        for verb, counts in (("skipped", self.skipped), ("mended", self.mended)):
            for reason, count in counts.most_common():
                yield f"{count:,} {verb}: {reason}"
