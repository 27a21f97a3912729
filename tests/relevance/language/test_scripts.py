"""Counting letters by script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.relevance.language.scripts import (
    HAN,
    HANGUL,
    KANA,
    LATIN,
    NOTHING,
    SCRIPT_OF,
    SCRIPTS,
    TROUBLE,
    count_scripts,
)


def test_count_scripts_counts_letters_and_leaves_digits_out() -> None:
    counts = count_scripts("한글 2 漢字 かな ABC é １２ 、。")
    assert {SCRIPTS[i].name: n for i, n in enumerate(counts) if n and i > TROUBLE} == {
        "Hangul": 2,
        "Han": 2,
        "Kana": 2,
        "Latin": 4,
    }


@pytest.mark.parametrize(
    ("text", "index"),
    [("ー", NOTHING), ("々", HAN), ("ｱ", KANA), ("ㄱ", HANGUL), ("Ａ", LATIN), ("ế", LATIN), ("\U00020000", HAN)],
)
def test_script_of_a_character(text: str, index: int) -> None:
    assert SCRIPT_OF[ord(text)] == index


@pytest.mark.parametrize("text", ["\x00", "\x1b", "\x85", "\ud800", "\ufdd0", "\ufffe", "\U0010ffff"])
def test_what_detectors_choke_on_is_trouble(text: str) -> None:
    assert count_scripts(text)[TROUBLE] == 1


@given(st.text(st.characters()))
def test_every_character_is_counted_once(text: str) -> None:
    assert sum(count_scripts(text)) == len(text)
