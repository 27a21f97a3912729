"""Codes of models and of users."""

import pytest

from crawler_project.relevance.language.codes import language_code


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("__label__ko", "ko"),
        ("__label__kor_Hang", "ko"),
        ("__label__zho_Hant", "zh"),
        ("__label__cmn_Hani", "zh"),
        ("__label__yue_Hant", "zh"),
        ("__label__wuu", "zh"),
        ("zh-Hant", "zh"),
        ("zh_TW", "zh"),
        ("iw", "he"),
        ("__label__nob_Latn", "no"),
        ("nn", "no"),
        ("tl", "fil"),
        ("__label__tgl_Latn", "fil"),
        ("__label__arb_Arab", "ar"),
        ("__label__als", "gsw"),
        ("__label__als_Latn", "sq"),
        ("__label__ceb_Latn", "ceb"),
        ("jw", "jv"),
        ("un", "und"),
        ("", "und"),
    ],
)
def test_language_code_is_what_users_write(label: str, code: str) -> None:
    assert language_code(label) == code
