"""What a crawl is after."""

from __future__ import annotations

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target, check_language

KNOWN = frozenset({"ko", "ja", "zh", "th", "en", "ms"})


def test_target_of_several_languages_has_the_tlds_of_all() -> None:
    target = Target.parse("ko, ja", KNOWN)
    assert target.languages == {"ko", "ja"}
    assert target.tlds == {"kr", "한국", "jp"}


def test_target_takes_tlds_from_the_users_table() -> None:
    assert Target.parse("ko", KNOWN, {"ko": [".KR", "kp"]}).tlds == {"kr", "kp"}


def test_target_without_a_row_has_no_tlds() -> None:
    assert Target.parse("en", KNOWN).tlds == frozenset()


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("kr", "ko"),
        ("jp", "ja"),
        ("cn", "zh"),
        ("korean", "ko"),
        ("Korean", "ko"),
        ("KO", "ko"),
        ("japanes", "ja"),
        ("한국어", "ko"),
    ],
)
def test_target_names_the_code_that_was_probably_meant(value: str, meant: str) -> None:
    with pytest.raises(ConfigurationError, match=f"did you mean '{meant}'"):
        Target.parse(value, KNOWN)


@pytest.mark.parametrize("value", ["", " , "])
def test_target_must_not_be_empty(value: str) -> None:
    with pytest.raises(ConfigurationError, match="empty"):
        Target.parse(value, KNOWN)


def test_target_that_means_nothing_says_what_codes_look_like() -> None:
    with pytest.raises(ConfigurationError, match="ISO 639"):
        Target.parse("qqqqq", KNOWN)


def test_language_is_checked_as_a_target_is_under_its_own_name() -> None:
    check_language("ko", KNOWN)
    with pytest.raises(ConfigurationError, match=r"^language='kr' is a country code, .* did you mean 'ko'\?$"):
        check_language("kr", KNOWN)
