"""H: which class of pages is to be looked into next (V12).

Source: Li et al. 2006, section 3.2.3: the mean F of the expanded pages of a class. Of a class without any the paper
says nothing; ``new_class`` names what is said here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from crawler_project.verification.page_class import PageClass

NEW_CLASS: Final = ("zero", "one", "mean", "parent", "size", "family")
DIGITS: Final = 9
"""Decimals of H: means that are equal on paper are a tie here."""
SERVICE: Final = re.compile(
    r"(?:^|[/_.\-?&])(?:log-?(?:in|out)|sign-?(?:in|up)|join|register|member(?:ship)?s?|account|my-?page|cart|basket|checkout"
    r"|order-?(?:status)?|wish-?list|help|faq|contact(?:-us)?|about(?:-us)?|privacy(?:[-_]policy)?|polic(?:y|ies)|terms|legal"
    r"|careers?|jobs|press|affiliates?|shipping|returns|gift-?(?:cards?|certificates?)|stores?|store-?(?:finder|locator)|sitemap"
    r"|notice|customer|cs|company|intro|search|rss|feed|blog|news(?:letter)?|events?)(?:$|[/_.\-?&])",
    re.IGNORECASE,
)
"""Words of addresses that serve a customer or speak of the firm, in the English that shops of all countries write them in."""


def heuristics(classes: Iterable[PageClass], new_class: str) -> list[float]:
    """Give H of each class, 0 to 1, to nine decimals.

    A class with expanded pages has their mean F. One without has, by the name of ``new_class``:

    - ``zero`` (the literal method), ``one``;
    - ``mean``: the mean F of all pages of the site so far;
    - ``parent``: F of the page that it was found on;
    - ``size``: ``|Q| / (|Q| + 2)``: what a site has many of is what it is about;
    - ``family``: the mean F of the expanded pages of its directory, with all directories below the root (``/category/``);
      without any, ``size`` with the pages queued in the directory as Q; half of that for pages that serve the customer.
    """
    all_classes = list(classes)
    fallback = _Fallback(all_classes, new_class)
    return [
        round(math.fsum(one.scores) / len(one.scores) if one.scores else fallback.of(one), DIGITS)
        for one in all_classes
    ]


class _Fallback:
    """H of classes without expanded pages."""

    def __init__(self, classes: Sequence[PageClass], new_class: str) -> None:
        self._new_class = new_class
        scores = [score for one in classes for score in one.scores] if new_class == "mean" else []
        self._mean = math.fsum(scores) / max(len(scores), 1)
        self._family: dict[str, tuple[list[float], list[int]]] = {}
        if new_class == "family":
            for one in classes:
                its_scores, queued = self._family.setdefault(one.directory, ([], []))
                its_scores.extend(one.scores)
                queued.append(len(one.queue))

    def of(self, one: PageClass) -> float:
        size = len(one.queue)
        if self._new_class == "family":
            return self._of_family(one)
        by_name = {"zero": 0.0, "one": 1.0, "mean": self._mean, "parent": one.parent_score, "size": size / (size + 2)}
        return by_name[self._new_class]

    def _of_family(self, one: PageClass) -> float:
        scores, queued = self._family[one.directory] if one.directory != "/" else ([], [len(one.queue)])
        if scores:
            return math.fsum(scores) / len(scores)
        size = sum(queued)
        return size / (size + 2) / (2 if SERVICE.search(one.abstract_url) else 1)
