"""``scrapy crawl lang_focused -a target=ko``: collect the web of a language."""

from __future__ import annotations

from collections.abc import Mapping

from scrapy.settings import BaseSettings

from crawler_project.crawl_plan import CrawlPlan
from crawler_project.focus import Focus
from crawler_project.spiders.focused import FocusedSpider


class LangFocusedSpider(FocusedSpider):
    """Crawl pages of the target languages, wherever they are hosted.

    Arguments (``-a``): ``target`` (``ko`` or ``ko,ja``), ``strategy``, ``seeds``, ``pages``,
    ``output``, ``judge``, and the strategy's own parameters.
    """

    name = "lang_focused"

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> CrawlPlan:
        return CrawlPlan.from_arguments(settings, arguments)

    def make_focus(self, settings: BaseSettings) -> Focus:
        plan = self.plan
        return Focus(
            plan.target,
            plan.judge,
            plan.anchor_judge,
            plan.strategy,
            self.frontier.counts,
            follow_nofollow=settings.getbool("FOCUS_FOLLOW_REL_NOFOLLOW"),
            use_hreflang=settings.getbool("FOCUS_USE_HREFLANG"),
        )
