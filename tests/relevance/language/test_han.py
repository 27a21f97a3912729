"""Chinese or Japanese by Han characters alone."""

import pytest

from crawler_project.relevance.language.han import han_language


@pytest.mark.parametrize("text", ["検索", "図書館", "売上", "営業時間", "経済"])
def test_characters_of_japanese_only_are_japanese_even_on_a_chinese_page(text: str) -> None:
    assert han_language(text, "zh")[0] == "ja"


@pytest.mark.parametrize("text", ["关于我们", "下载", "联系", "这里", "們"])
def test_characters_that_japanese_has_not_are_chinese_even_on_a_japanese_page(text: str) -> None:
    assert han_language(text, "ja")[0] == "zh"


@pytest.mark.parametrize(
    ("text", "code"), [("今日", "ja"), ("採用情報", "ja"), ("今天", "zh"), ("更多", "zh"), ("首頁", "zh")]
)
def test_bigrams_decide_where_both_can_write_it(text: str, code: str) -> None:
    assert han_language(text)[0] == code


@pytest.mark.parametrize("text", ["文化", "政治", "健康"])
def test_words_of_both_languages_go_by_the_page(text: str) -> None:
    assert han_language(text, "ja")[0] == "ja"
    assert han_language(text, "zh")[0] == "zh"


def test_tld_is_a_weaker_prior_than_the_page() -> None:
    assert han_language("文化", "", "jp")[0] == "ja"
    assert han_language("文化", "zh", "jp")[0] == "zh"


def test_no_han_character_is_und() -> None:
    assert han_language("abc") == ("und", 0.0, "no Han character")
