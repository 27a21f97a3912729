"""The files that a crawl's rows go to, as the crawl sees them."""

from __future__ import annotations

from typing import Protocol

from crawler_project.items import PageItem


class RowFiles(Protocol):
    """Files that grow while a crawl runs."""

    def write(self, item: PageItem) -> None:
        """Append a row; it is with the operating system after the next :meth:`flush`."""
        ...

    def flush(self) -> dict[str, int]:
        """Hand everything to the operating system; the size in bytes of each file."""
        ...

    def sync(self) -> None:
        """Have the disk hold all rows so far."""
        ...

    def close(self) -> None: ...
