"""Why a link was left: where it waits, and every part of what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from crawler_project.strategies.learning.features import describe_class
from crawler_project.strategies.learning.weighing import Weighing

_LEAST = 0.005
"""Log-odds: parts that are smaller are not shown one by one."""
STATES = {
    "queued": "it waits in the queue",
    "leased": "a worker has it, or had it when it ended",
    "dead": "it failed too often",
    "dropped": "it was dropped with its host, which the strategy discarded",
    "done": "it was fetched or refused, and gave no page (a redirect, an error, robots.txt, another type)",
    "unknown": "no page of the crawl links to it by a link that was kept",
    "nowhere": "the web has no such page",
}


@dataclass(frozen=True, slots=True)
class LeftLink:
    """An address that has no row, as the crawl's queue knows it."""

    state: str
    """One of ``STATES``."""
    reason: str = ""
    """Of the last failure, or why links to it are refused."""
    priority: float | None = None
    """Of its own, by its latest scoring; lower is sooner. ``None``: it is not in the queue."""
    offset: float = 0.0
    """Of its host, added to it."""
    referrer: str = ""
    """The page with the best link to it; empty for a seed."""
    why: str = ""
    """The rule that kept that link, with the figures of that moment."""
    anchor_text: str = ""
    next_url: str = ""
    """What would be fetched next, and at which priority; empty: nothing is ready."""
    next_priority: float = 0.0
    weighing: Weighing | None = None
    """As of the end of the crawl; ``None``: the strategy does not learn, or nothing is left of what it remembered."""
    note: str = ""
    """Why there is no weighing, where there might be one."""

    def as_json(self) -> dict[str, object]:
        """Give everything as JSON has it."""
        known = {name: value for name, value in asdict(self).items() if name != "weighing"}
        weighing = self.weighing
        if weighing is None:
            return known | {"weighing": None}
        parts = [{"class": describe_class(row), "log_odds": round(value, 4)} for row, value in weighing.parts]
        figures = {name: round(value, 4) for name, value in weighing._asdict().items() if name != "parts"}
        figures |= {name: round(getattr(weighing, name), 4) for name in ("of_page", "of_leading_on", "of_answers")}
        return known | {"weighing": figures | {"parts": parts}}

    def state_line(self) -> str:
        """Say where it is."""
        said = STATES.get(self.state, self.state) + (f": {self.reason}" if self.reason else "")
        if self.priority is None:
            return said
        said += f", at priority {self.priority + self.offset:.2f}"
        if self.offset:
            said += f" ({self.priority:.2f} of its own, {self.offset:+.2f} of its host)"
        if self.next_url:
            said += f"; next in line is {self.next_url} at {self.next_priority:.2f}, lower is sooner"
        return said

    def weighing_lines(self) -> Iterator[str]:
        """Say what it is worth, a line a part."""
        if self.note:
            yield f"… {self.note}"
        if self.weighing is None:
            return
        yield from _page_lines(self.weighing)
        yield from _other_lines(self.weighing)


def _page_lines(weighing: Weighing) -> Iterator[str]:
    """The chance, and the parts that add up to it."""
    parts = weighing.parts
    yield f"as of the end of the crawl: on target with a chance of {weighing.chance:.1%}, in log-odds {weighing.of_page:+.2f}, by"
    shown = [(row, value) for row, value in parts if abs(value) >= _LEAST]
    for row, value in shown:
        yield f"  {value:+6.2f}  {describe_class(row)}"
    if len(shown) < len(parts):
        rest = sum(value for _, value in parts if abs(value) < _LEAST)
        yield f"   and {len(parts) - len(shown)} that add {f'{rest:+.2f} together' if abs(rest) >= _LEAST else 'nothing'}"


def _other_lines(weighing: Weighing) -> Iterator[str]:
    """What else makes the link worth more or less than its chance, and all together; nothing where nothing does."""
    others = []
    if weighing.of_leading_on >= _LEAST:
        leads_on = f"it leads on to {weighing.leads_on:.2f} target pages a download if it is not on target"
        others.append(f"  {weighing.of_leading_on:+6.2f}  {leads_on}")
    if weighing.of_answers <= -_LEAST:
        others.append(f"  {weighing.of_answers:+6.2f}  {weighing.answers:.0%} of such requests give a page")
    if others:
        yield f"it is worth {weighing.score:+.2f}: that, and"
        yield from others
