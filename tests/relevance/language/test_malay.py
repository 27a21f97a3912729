"""Malay apart from Indonesian."""

import pytest

from crawler_project.relevance.language.malay import _INDONESIAN, _MALAY, malay_or_indonesian


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Syarikat itu memuat turun perisian kerana pelayar tidak menyokong fail.", "ms"),
        ("Perusahaan itu mengunduh perangkat lunak karena peramban tidak mendukung berkas.", "id"),
    ],
)
def test_everyday_words_decide(text: str, code: str) -> None:
    assert malay_or_indonesian(text, "und") == code


def test_a_tie_is_left_to_the_model() -> None:
    assert malay_or_indonesian("Saya makan nasi goreng", "id") == "id"


def test_no_word_is_on_both_lists() -> None:
    assert not _MALAY & _INDONESIAN
