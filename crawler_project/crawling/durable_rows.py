"""Rows before acknowledgements: pages are on disk before their leases are committed.

A commit on a shared frontier is durable by itself, so a row must be so before it. Syncing a file
for each page would cost more than the page: rows are written in groups, with one sync a group.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scrapy import Request

from crawler_project.exporters.row_files import RowFiles
from crawler_project.items import PageItem

MOST_ROWS = 16
"""Rows of a group."""
LONGEST_WAIT = 0.05
"""Seconds that the first row of a group waits for others."""


class WrittenRow(NamedTuple):
    request: Request
    item: PageItem


class DurableRows:
    """The rows of pages whose leases are not committed yet.

    Args:
        csv: where they go.
        on_stored: told of each page whose commit was accepted.
        on_error: told when the files cannot be written; the rows are dropped, their URLs to be given back.
    """

    def __init__(
        self, csv: RowFiles, on_stored: Callable[[PageItem], None], on_error: Callable[[OSError], None]
    ) -> None:
        self._csv = csv
        self._on_stored = on_stored
        self._on_error = on_error
        self._waiting: dict[Request, PageItem] = {}
        self._written: dict[Request, PageItem] = {}
        self._since = 0.0
        self._count = 0

    def __contains__(self, request: Request) -> bool:
        return request in self._waiting or request in self._written

    def __len__(self) -> int:
        return len(self._waiting) + len(self._written)

    def put(self, request: Request, item: PageItem, now: float) -> None:
        """Keep a row for the next group; ``now`` in seconds."""
        if not self._waiting:
            self._since = now
        self._waiting[request] = item

    def is_due(self, now: float) -> bool:
        """Whether the group is large or old enough to be written."""
        return len(self._waiting) >= MOST_ROWS or (bool(self._waiting) and now - self._since >= LONGEST_WAIT)

    def drop(self, request: Request) -> None:
        """Forget the row of a page that is somebody else's by now."""
        self._waiting.pop(request, None)
        self._written.pop(request, None)

    def write(self) -> list[Request]:
        """Make the group durable; the requests whose rows could not be written (the crawl is being stopped)."""
        group, self._waiting = self._waiting, {}
        try:
            for item in group.values():
                self._count += 1
                item.position = self._count
                self._csv.write(item)
            self._csv.sync()
        except OSError as error:
            self._on_error(error)
            return list(group)
        self._written.update(group)
        return []

    def written(self) -> list[Request]:
        """Requests whose rows are durable and whose leases can be committed."""
        return list(self._written)

    def stored(self, request: Request, *, accepted: bool) -> None:
        """Take note that a lease was committed; not accepted: somebody else has, or will have, the page as well."""
        item = self._written.pop(request)
        if accepted:
            self._on_stored(item)
