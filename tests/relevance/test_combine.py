"""Judges combined."""

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Page, Relevance
from crawler_project.relevance.combine import all_of

PAGE = Page("http://example.org/")


class Fixed:
    """Answers always the same, and counts."""

    def __init__(self, *answer: object) -> None:
        self.answer = Relevance(*answer)  # type: ignore[arg-type]
        self.asked = 0

    def judge(self, page: Page) -> Relevance:
        self.asked += 1
        return self.answer


def test_all_must_agree() -> None:
    found = all_of([Fixed(True, 0.9, "ko", "hangul"), Fixed(True, 0.6, "cooking", "words")]).judge(PAGE)
    assert found == Relevance(True, 0.6, "ko", "hangul; words")


def test_first_no_ends_the_asking() -> None:
    second = Fixed(True, 1.0, "cooking", "")
    found = all_of([Fixed(False, 0.8, "en", "fasttext"), second]).judge(PAGE)
    assert found == Relevance(False, 0.8, "en", "fasttext")
    assert second.asked == 0


def test_no_judges_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="needs one judge"):
        all_of([])
