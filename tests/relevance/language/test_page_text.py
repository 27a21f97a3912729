"""Which text of a page is judged."""

from crawler_project.core.values import Page
from crawler_project.relevance.language.page_text import text_to_judge

PROSE = "This page has not been translated yet, so its prose is still in English."
MENU = "홈 소개 문서 다운로드 공지사항 자주 묻는 질문 커뮤니티 "


def test_prose_is_judged_without_the_menu() -> None:
    assert text_to_judge(Page("", text=MENU + PROSE, prose=PROSE)) == PROSE


def test_all_text_is_judged_when_there_is_hardly_any_prose() -> None:
    assert text_to_judge(Page("", text=MENU + "OK", prose="OK")) == MENU + "OK"


def test_prose_that_is_a_language_switch_is_no_prose() -> None:
    switch = "Elixir School English ไทย 한국어 日本語 简体中文 繁體中文 Tiếng Việt Bahasa Indonesia Français Deutsch"
    assert text_to_judge(Page("", text=MENU + switch, prose=switch)) == MENU + switch


def test_title_joins_a_text_that_is_too_short() -> None:
    assert text_to_judge(Page("", title="회사 소개", text="TEL 02-123")) == "회사 소개 TEL 02-123"
    assert text_to_judge(Page("", title="회사 소개", text="회사 소개 TEL")) == "회사 소개 TEL"


def test_empty_page_gives_nothing() -> None:
    assert text_to_judge(Page("")).strip() == ""
