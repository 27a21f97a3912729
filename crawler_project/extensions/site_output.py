"""The files of a site verification, made durable together with the frontier, and its summary."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy.http import Response

from crawler_project import __version__
from crawler_project.extensions.crawl_output import CrawlOutput, write_json

if TYPE_CHECKING:
    from crawler_project.spiders.site_verifier import SiteVerifierSpider

FORMAT = "crawler-project-sites/1"


class SiteOutput(CrawlOutput):
    """Flush and checkpoint as for any crawl; the spider writes the rows when it completes a lease."""

    _spider: SiteVerifierSpider

    def _write_rows_first(self) -> None:
        """Do nothing: evidence is on disk before its lease is committed in any case."""

    def item_scraped(self, item: Any, response: Response) -> None:
        """Do nothing: a page is settled with its site."""

    def _checkpoint(self) -> None:
        if self._spider.shared and not self._failed:
            try:
                self._spider.csv.flush()
            except OSError as error:
                self._stop(error)
                return
        super()._checkpoint()

    def _write_summary(self, finish_reason: str | None) -> None:
        plan = self._spider.plan
        worker = f".{self._spider.worker}" if self._spider.worker else ""
        summary = {
            "format": FORMAT,
            "version": __version__,
            "rules": plan.rules.name,
            "rules_digest": plan.rules.digest,
            "parameters": plan.parameters.as_dict(),
            "sites": len(plan.seeds),
            "crawl": plan.crawl,
            "started_at": self._started_at,
            "finished_at": _now() if finish_reason else None,
            "finish_reason": finish_reason,
            "stats": self._counts(),
        }
        write_json(plan.output / f"verification{worker}.json", summary)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
