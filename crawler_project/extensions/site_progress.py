"""A progress line while sites are verified, and what to do next."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from crawler_project.core.values import FrontierStatus
from crawler_project.extensions.progress import Progress

if TYPE_CHECKING:
    from crawler_project.spiders.site_verifier import SiteVerifierSpider

logger = logging.getLogger(__name__)


class SiteProgress(Progress):
    """Show sites decided and pages: in place on a terminal, else as log lines."""

    _spider: SiteVerifierSpider

    def line(self, status: FrontierStatus, elapsed: float) -> str:
        """``120 of 400 sites decided, 34 yes, 1,204 pages, 8.3 pages/s``."""
        yes, no, pages = self._results()
        speed = (pages - self._pages_before) / elapsed if elapsed > 0 else 0.0
        return f"{yes + no:,} of {len(self._spider.plan.seeds):,} sites decided, {yes:,} yes, {pages:,} pages, {speed:.1f} pages/s"

    def _say_start(self) -> None:
        plan = self._spider.plan
        if not plan.has_contact:
            logger.warning(
                "No contact is set, so each host is asked at half the speed (every %g s); "
                "set it with -s CRAWLER_CONTACT=https://example.org/crawler or a mail address",
                plan.delay,
            )
        logger.info("Verifying %s sites by the rules %r into %s", f"{len(plan.seeds):,}", plan.rules.name, plan.output)
        if self._spider.shared:
            self._say_shared(self._spider.shared)

    def _summary(self, reason: str) -> str:
        yes, no, pages = self._results()
        seconds = time.monotonic() - self._start
        per_site = f", {pages / (yes + no):.1f} a site" if yes + no else ""
        lines = [
            f"Verification ended ({reason}).",
            f"  sites  {yes + no:,} decided: {yes:,} yes, {no:,} no",
            f"  pages  {pages:,}{per_site}",
            f"  time   {seconds:.0f} s",
            f"Next: look at {self._spider.plan.output / 'sites.csv'}",
        ]
        if reason == "shutdown" and (self._spider.plan.job or self._spider.plan.crawl):
            lines.append("To go on, run the same command again.")
        return "\n".join(lines)

    def _results(self) -> tuple[int, int, int]:
        stats = self._crawler.stats
        yes, no = stats.get_value("sites/accepted_count", 0), stats.get_value("sites/rejected_count", 0)
        return yes, no, stats.get_value("sites/page_count", 0)
