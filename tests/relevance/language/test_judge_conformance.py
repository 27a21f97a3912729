"""What every judge of a page's language must do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.seams import RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.values import Page, Relevance
from crawler_project.relevance.language.judges import LANGUAGE_JUDGES, LanguageJudge, make_language_judge

TARGET = Target(frozenset({"ko", "th"}), frozenset({"kr", "th"}))
MADE: dict[str, RelevanceJudge] = {name: make_language_judge(name, TARGET) for name in LANGUAGE_JUDGES}
KOREAN = "이 페이지는 한국어로 쓰여 있으며 크롤러가 수집하려는 언어입니다. 공지사항과 자료실도 있습니다. " * 3
ENGLISH = "This page is written in English, which is not the language that the crawler was asked to collect. " * 3
ODD_TEXTS = [
    "",
    " ",
    "\n",
    "\x00\x01\x02\x7f\x9f",
    "\ud800\udc00\udfff lone",
    "\ufdd0\ufffe\uffff\U0010ffff nonsense",
    "a",
    "한",
    "漢",
    "1234567890 " * 50,
    "<html><script>alert(1)</script>",
    "\u202e\u200b\u2060\ufeff",
    "e\u0301" * 200,
    "😀🇰🇷" * 100,
    "__label__ko </s>",
]

judges = pytest.mark.parametrize("judge", MADE.values(), ids=MADE)


@judges
def test_judge_finds_the_target(judge: RelevanceJudge) -> None:
    found = judge.judge(Page("http://example.com/", text=KOREAN, prose=KOREAN))
    assert found.is_relevant
    assert found.label == "ko"


@judges
def test_judge_tells_another_language(judge: RelevanceJudge) -> None:
    found = judge.judge(Page("http://example.kr/", text=ENGLISH, prose=ENGLISH))
    assert not found.is_relevant
    assert found.label == "en"


@judges
@pytest.mark.parametrize("text", ODD_TEXTS)
def test_judge_never_raises_on_odd_text(judge: RelevanceJudge, text: str) -> None:
    check(judge, Page("http://example.org/", title=text, text=text, prose=text))


@judges
def test_judge_takes_huge_text(judge: RelevanceJudge) -> None:
    check(judge, Page("http://example.org/", text="가나다 abc " * 200_000))


@judges
def test_judge_of_a_page_without_anything_is_und(judge: RelevanceJudge) -> None:
    found = judge.judge(Page("http://example.kr/", declared_language="ko"))
    assert (found.label, found.is_relevant, found.score) == ("und", False, 0.0)


@given(
    text=st.text(st.characters(), max_size=200),
    declared=st.sampled_from(["", "ko", "zh-hant", "kr", "\ud800", "x" * 50]),
    charset=st.sampled_from(["", "euc-kr", "tis-620", "no-such", "\x00"]),
    url=st.sampled_from(["", "http://한국.한국/", "http://[::1]:80/", "mailto:a", "http://example.kr:81"]),
)
@settings(max_examples=60, deadline=None)
def test_judges_are_pure_and_never_raise(text: str, declared: str, charset: str, url: str) -> None:
    page = Page(url, text=text, prose=text[:100], declared_language=declared, declared_charset=charset)
    for judge in MADE.values():
        check(judge, page)


def check(judge: RelevanceJudge, page: Page) -> None:
    found = judge.judge(page)
    assert isinstance(found, Relevance)
    assert found == judge.judge(page)
    assert 0.0 <= found.score <= 1.0
    assert found.label
    assert found.is_relevant == (found.label in TARGET.languages)
    assert found.evidence
    assert "\n" not in found.evidence
    assert len(found.evidence) < 200


@pytest.mark.parametrize("cls", LANGUAGE_JUDGES.values(), ids=LANGUAGE_JUDGES)
def test_judge_is_documented_and_named(cls: type[LanguageJudge]) -> None:
    assert cls.__doc__
    assert LANGUAGE_JUDGES[cls.name] is cls
