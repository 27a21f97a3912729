"""A site whose pages somebody else's crawl fetches, in that crawl's order (V10, V14 without a choice of pages)."""

from __future__ import annotations

from collections.abc import Iterable

from crawler_project.verification.abstract_url import CLASSES
from crawler_project.verification.early_no import is_hopeless
from crawler_project.verification.heuristic import DIGITS, heuristics
from crawler_project.verification.page_class import PageClass
from crawler_project.verification.verdict import EARLY_NO, ENOUGH_PAGES, LIMIT, ClassEvidence, ScoredPage, Verdict
from crawler_project.verification.verifier_parameters import VerifierParameters


class WatchedSite:
    """Count good pages as they come; the verdict is that of :class:`~crawler_project.verification.verifier.SiteVerifier`
    for the same pages in the same order, but never ``exhausted``: what is not linked today may be fetched tomorrow.

    Args:
        pages: those seen so far, in order.
    """

    def __init__(self, site: str, parameters: VerifierParameters, pages: Iterable[ScoredPage] = ()) -> None:
        self.site = site
        self.pages = [ScoredPage(*page) for page in pages]
        self._parameters = parameters
        self._good = sum(self._is_good(page) for page in self.pages)

    def observe(self, url: str, score: float) -> Verdict | None:
        """Take note of a page and its F, 0 to 1; the verdict, or ``None`` while there is none."""
        page = ScoredPage(url, score)
        self.pages.append(page)
        self._good += self._is_good(page)
        parameters, count = self._parameters, len(self.pages)
        if self._good >= parameters.num_rel_pages:
            return self.verdict(ENOUGH_PAGES)
        if count >= parameters.num_exp_pages:
            return self.verdict(LIMIT)
        if parameters.early_no and is_hopeless(self._good, count, parameters.num_rel_pages, parameters.num_exp_pages):
            return self.verdict(EARLY_NO)
        return None

    def verdict(self, reason: str) -> Verdict:
        """Give a verdict with the evidence so far."""
        good = tuple(page for page in self.pages if self._is_good(page))
        return Verdict(self.site, reason == ENOUGH_PAGES, reason, tuple(self.pages), good, self._classes())

    def _is_good(self, page: ScoredPage) -> bool:
        return round(page.score, DIGITS) >= self._parameters.page_threshold

    def _classes(self) -> tuple[ClassEvidence, ...]:
        classes: dict[str, PageClass] = {}
        for page in self.pages:
            key = CLASSES[self._parameters.classes](page.url)
            classes.setdefault(key, PageClass(key)).scores.append(page.score)
        values = heuristics(classes.values(), self._parameters.new_class)
        return tuple(
            ClassEvidence(one.abstract_url, value, len(one.scores), 0)
            for one, value in zip(classes.values(), values, strict=True)
        )
