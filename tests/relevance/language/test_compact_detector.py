"""CLD2 with what it raises on taken away."""

import pytest

from crawler_project.relevance.language.compact_detector import compact_code, detect_compact, without_trouble

GERMAN = "Das Wetter ist heute sehr schön und wir gehen in den Wald."


def test_detects_plain_text() -> None:
    code, confidence = detect_compact(GERMAN)
    assert code == "de"
    assert confidence > 0.9


@pytest.mark.parametrize("odd", ["\x00", "\x08", "\x7f", "\x9f", "\ud800", "\ufdd0", "\ufffe", "\U0003ffff"])
def test_detects_in_spite_of_characters_that_cld2_raises_on(odd: str) -> None:
    assert detect_compact(GERMAN.replace(" ", odd + " "))[0] == "de"


def test_markup_is_text_not_tags() -> None:
    assert detect_compact("<b lang=ko>" + GERMAN)[0] == "de"


@pytest.mark.parametrize("text", ["", " ", "123", "!?"])
def test_nothing_to_go_by_is_und(text: str) -> None:
    assert detect_compact(text) == ("und", 0.0)


@pytest.mark.parametrize("label", ["zzp", "tlh", "zzb", "xx-Qaai", "xx-Goth", "un"])
def test_jokes_and_bare_scripts_are_und(label: str) -> None:
    assert compact_code(label) == "und"


def test_hint_for_chinese_keeps_traditional_chinese_chinese() -> None:
    assert detect_compact("聯絡我們", "zh")[0] == "zh"


def test_without_trouble_leaves_ordinary_text() -> None:
    assert without_trouble("a\tb\nc é 한") == "a\tb\nc é 한"
