"""Table 1 of Somboonviwat et al."""

import pytest

from crawler_project.core.target import Target
from crawler_project.core.values import Page
from crawler_project.relevance.language.charset_ngram import (
    charset_language,
    combine_charset_and_textcat,
    textcat_language,
)
from crawler_project.relevance.language.judges import make_language_judge

THAI = frozenset({"th"})
THAI_TEXT = "เอกสารนี้เขียนเป็นภาษาไทยและยาวพอสำหรับการทดสอบ"
ENGLISH_TEXT = "This document is written in English, and it is long enough for a test of the method."


@pytest.mark.parametrize(
    ("charset", "code"),
    [
        ("windows-874", "th"),
        ("TIS-620", "th"),
        (" iso-8859-11 ", "th"),
        ("euc-jp", "ja"),
        ("Shift_JIS", "ja"),
        ("EUC-KR", "ko"),
        ("big5", "zh"),
        ("gb2312", "zh"),
        ("utf-8", "und"),
        ("windows-1252", "und"),
        ("", "und"),
    ],
)
def test_language_of_a_charset(charset: str, code: str) -> None:
    assert charset_language(charset) == code


@pytest.mark.parametrize(
    ("candidates", "code"),
    [((), "und"), (("ja", "th", "en"), "th"), (("de", "en"), "en"), (("de", "nl"), "de")],
)
def test_textcat_language_prefers_target_then_english_then_the_first(candidates: tuple[str, ...], code: str) -> None:
    assert textcat_language(candidates, THAI) == code


@pytest.mark.parametrize(
    ("metacs", "textcat", "language", "row"),
    [
        ("th", "en", "th", 1),
        ("th", "und", "th", 1),
        ("th", "th", "th", 1),
        ("ja", "th", "th", 2),
        ("und", "th", "th", 2),
        ("ja", "und", "ja", 3),
        ("und", "en", "en", 4),
        ("und", "und", "und", 5),
        ("ja", "en", "ja", 6),
    ],
)
def test_table_1(metacs: str, textcat: str, language: str, row: int) -> None:
    assert combine_charset_and_textcat(metacs, textcat, THAI) == (language, row)


@pytest.mark.parametrize(
    ("charset", "text", "language", "relevant"),
    [
        ("windows-874", ENGLISH_TEXT, "th", True),
        ("utf-8", THAI_TEXT, "th", True),
        ("utf-8", ENGLISH_TEXT, "en", False),
        ("utf-8", "สวัสดี", "und", False),
        ("shift_jis", ENGLISH_TEXT, "ja", False),
    ],
)
def test_judge_applies_table_1_to_a_page(charset: str, text: str, language: str, relevant: bool) -> None:
    judge = make_language_judge("charset_ngram", Target(THAI, frozenset({"th"})))
    found = judge.judge(Page("http://example.org/", text=text, declared_charset=charset))
    assert (found.label, found.is_relevant) == (language, relevant)
