"""The quick normal form is that of the standard library."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler_project.relevance.rules.normal_form import normal_form

MOST = 100_000
ODD = st.sampled_from(
    [
        *"aé 가각각정，：１Ａ　\u00a0…™ﷺﬁ½が\u3099\u0301\u0316\u0327\u0345ﾊﾞ\u09c7\u09be\U00011099\U000110ba\U0001f600\U0002f800\t\n\x1c\u2028\u1680",
        "\ud800",
        "  ",
    ]
)


def expected(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


@given(st.lists(ODD | st.characters(), max_size=60).map("".join))
@example("a\u0301\u0316 각　１")
@example("ᄀ" + "ᅡ" * 3 + "ᆨ")
@example("\u0301a")
def test_normal_form_is_nfkc_with_single_spaces(text: str) -> None:
    assert normal_form(text, MOST) == expected(text)


@given(st.lists(ODD, min_size=1, max_size=12).map("".join), st.integers(600, 3000))
def test_long_texts_of_odd_letters_are_normalised_alike(piece: str, times: int) -> None:
    text = (piece * times)[:40_000]
    got = normal_form(text, 1_000_000)
    assert got == expected(text)


def test_every_code_point_alone_and_after_a_letter_is_as_in_the_standard_library() -> None:
    for point in range(sys.maxunicode + 1):
        letter = chr(point)
        if not unicodedata.is_normalized("NFKC", letter) or unicodedata.combining(letter):
            assert normal_form(letter, MOST) == expected(letter), hex(point)
            assert normal_form(f"é{letter}a", MOST) == expected(f"é{letter}a"), hex(point)


def test_text_that_ends_in_marks_for_ever_is_normalised_in_one_piece() -> None:
    text = "é１" * 3000 + "a" + "\u0301" * 20_000
    assert normal_form(text, MOST) == expected(text)


@pytest.mark.parametrize("letter", ["ﷺ", "\u0301", "a\u00a0", "é\u0316\u0301", " ", "가", "１"])
def test_result_is_cut_whatever_a_text_becomes(letter: str) -> None:
    text = (letter * MOST)[:MOST]
    got = normal_form(text, MOST)
    assert len(got) <= MOST
    assert expected(text).startswith(got)
