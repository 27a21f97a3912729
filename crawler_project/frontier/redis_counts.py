"""Downloads of hosts, directories and the whole crawl, counted by all workers."""

from __future__ import annotations

from collections.abc import Sequence

from crawler_project.core.values import NO_COUNTS, Counts
from crawler_project.frontier.redis_crawl import RedisCrawl, as_whole
from crawler_project.frontier.redis_lease_book import RedisLeaseBook
from crawler_project.frontier.redis_scripts import explained_redis_errors


class RedisCounts:
    """Counts of pages and target pages."""

    def __init__(self, crawl: RedisCrawl, book: RedisLeaseBook) -> None:
        self._crawl = crawl
        self._book = book

    def of(self, units: Sequence[str]) -> Sequence[Counts]:
        """Of hosts or directories, in the order asked: one round trip, none for hosts that this worker holds."""
        known = {unit: held.counts for unit in units if (held := self._book.host(unit)) is not None}
        missing = [unit for unit in dict.fromkeys(units) if unit not in known]
        if missing:
            with explained_redis_errors():
                pipeline = self._crawl.client.pipeline(transaction=False)
                for unit in missing:
                    host, slash, path = unit.partition("/")
                    if slash:
                        pipeline.hmget(self._crawl.key(f"d:{host}"), [f"p/{path}", f"t/{path}"])
                    else:
                        pipeline.hmget(self._crawl.key(f"h:{host}"), ["p", "t"])
                answers = pipeline.execute()
            known |= {unit: _counts(answer) for unit, answer in zip(missing, answers, strict=True)}
        return [known[unit] for unit in units]

    def of_crawl(self) -> Counts:
        """Of all hosts together."""
        totals = self._crawl.totals()
        return Counts(totals.pages, totals.target_pages)


def _counts(answer: Sequence[bytes | None]) -> Counts:
    pages, target_pages = answer
    if pages is None:
        return NO_COUNTS
    return Counts(as_whole(pages, "a count"), as_whole(target_pages or b"0", "a count"))
