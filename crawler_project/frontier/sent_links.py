"""The links that this worker has sent lately, so that it need not send them again."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from math import inf
from typing import Final

from crawler_project.core.values import Entry

NO_VIEW: Final = b"-"
"""What is sent with links of which none was left out: nothing has to be checked then."""


class SentLinks:
    """A memory of a fixed size: links that the server would do nothing with are left out.

    A link to a URL that was seen changes nothing unless it may improve what is queued (R5), or the URL was
    dropped with its host and may come back (R4). The server's *view* says both: ``restart revived worst``,
    that is, a random number that changes when the server may have lost what it was sent, how many discarded
    hosts were kept again, and the worst priority that was ever queued. It is sent with what is left of the
    links. If it is not the server's own any more, the server refuses, nothing is changed, and all are sent.

    Args:
        size: how many links are remembered, a power of two; each takes 8 bytes. 0: none.
        compare_distance: a smaller distance improves a queued URL of equal priority.
    """

    def __init__(self, size: int, compare_distance: bool) -> None:
        self._slots = array("q", bytes(8 * max(size, 1)))
        self._mask = max(size, 1) - 1
        self._is_off = size == 0
        self._compare_distance = compare_distance
        self._worst = inf
        self._trusted = b""
        self.view = NO_VIEW
        """What the server said latest."""

    def unsent(self, batch: dict[int, Entry]) -> tuple[dict[int, Entry], bytes]:
        """What has to be sent of ``batch`` (by URL hash), and the view that this rests on."""
        if self.view == NO_VIEW:
            return batch, NO_VIEW
        slots, mask, worst = self._slots, self._mask, self._worst
        if self._compare_distance:
            left = {key: entry for key, entry in batch.items() if slots[key & mask] != key or entry.priority <= worst}
        else:
            left = {key: entry for key, entry in batch.items() if slots[key & mask] != key or entry.priority < worst}
        return left, self.view if len(left) < len(batch) else NO_VIEW

    def note(self, keys: Iterable[int], view: bytes) -> None:
        """Remember what the server has taken; ``view`` is its answer's, empty if it is the one that was known."""
        if view:
            self.learn(view)
        slots, mask = self._slots, self._mask
        for key in keys:
            slots[key & mask] = key

    def learn(self, view: bytes) -> None:
        """Take the server's view; forget all links if it may have forgotten some, or if hosts are kept again."""
        if self._is_off:
            return
        trusted, _, worst = view.rpartition(b" ")
        if trusted != self._trusted:
            self.forget()
            self._trusted = trusted
        self._worst = float(worst)
        self.view = view

    def forget(self) -> None:
        """Take no link as sent any more."""
        self._slots = array("q", bytes(8 * len(self._slots)))
