"""``scrapy crawl topic_focused -a model=MODEL -a seeds=FILE``: collect pages on a topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrapy.http import Response
from scrapy.settings import BaseSettings

from crawler_project.core.values import Entry, Outcome, Page
from crawler_project.crawling.focus import Decision, Focus
from crawler_project.items import PageItem
from crawler_project.spiders.focused import FocusedSpider
from crawler_project.strategies.topic_learned import TopicLearned
from crawler_project.topics.lesson_book import LessonBook
from crawler_project.topics.topic_plan import TopicPlan


class TopicFocusedSpider(FocusedSpider):
    """Crawl pages that a topic model finds relevant, by their blocks, anchors and link contexts.

    Arguments (``-a``): ``model``, ``seeds``, ``strategy`` (``cbp_slc`` by default), ``target`` (pages must be in
    this language too), ``tags`` (``paper`` or ``html5``: how pages are cut), ``pages``, ``output``, ``judge``,
    ``crawl``, and the strategy's own parameters, such as ``refused``.
    """

    name = "topic_focused"
    plan: TopicPlan

    @classmethod
    def plan_of(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> TopicPlan:
        return TopicPlan.from_arguments(settings, arguments)

    def make_focus(self, settings: BaseSettings) -> Focus:
        plan = self.plan
        learns = isinstance(plan.strategy, TopicLearned)
        self._book = LessonBook(self.frontier, self.worker, plan.strategy) if learns else None  # type: ignore[arg-type]
        self.cut = plan.cut
        if not plan.has_language:
            self.request_headers["Accept-Language"] = "*"
        return Focus(
            plan.target,
            plan.judge,
            plan.anchor_judge,
            plan.strategy,
            self.frontier.counts,
            follow_nofollow=settings.getbool("FOCUS_FOLLOW_REL_NOFOLLOW"),
            use_hreflang=settings.getbool("FOCUS_USE_HREFLANG"),
            scorer=plan.scorer,
            is_on_topic_only=not plan.has_language,
        )

    def settle_page(self, entry: Entry, response: Response, page: Page) -> tuple[PageItem, Outcome]:
        """Keep what the page taught with its commit."""
        item, outcome = super().settle_page(entry, response, page)
        if self._book is None:
            return item, outcome
        notes = self._book.write(page.url, entry.evidence, item.is_target)
        return item, replace(outcome, notes={**outcome.notes, **notes})

    def make_item(self, entry: Entry, response: Response, page: Page, decision: Decision) -> PageItem:
        """Fill the row; its evidence has the topic score of every page, also of those in other languages."""
        item = super().make_item(entry, response, page, decision)
        score = f"topic {self.plan.topic} {decision.visit.topic_score:+.2f}"
        if score in item.evidence:
            return item
        return replace(item, evidence=f"{item.evidence}; {score}" if item.evidence else score)
