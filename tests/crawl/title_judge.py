"""A judge of somebody else's: the page's title is its language."""

from __future__ import annotations

from crawler_project.core.target import Target
from crawler_project.core.values import Page, Relevance


class TitleJudge:
    def __init__(self, target: Target) -> None:
        self._target = target

    def judge(self, page: Page) -> Relevance:
        return Relevance(page.title in self._target.languages, 1.0, page.title)
