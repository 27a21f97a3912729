"""Settings that cannot be meant cost one line at the start of a crawl."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from crawler_project import settings as ours
from crawler_project.core.errors import ConfigurationError
from crawler_project.crawling.settings_check import check_settings, tlds_by_language

KNOWN = frozenset({"ko", "ja", "th"})


def with_ours(**changed: Any) -> Settings:
    settings = Settings()
    settings.setmodule(ours)
    settings.setdict(changed, priority="cmdline")
    return settings


def test_settings_as_they_are_shipped_are_right() -> None:
    check_settings(with_ours())


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("FRONTIER_DELAY", ["nan", "inf", "-1", "soon", ""]),
        ("CHECKPOINT_INTERVAL", ["nan", "inf", "-0.1"]),
        ("PROGRESS_INTERVAL", ["nan"]),
        ("DOWNLOAD_DELAY", ["nan", "-1"]),
        ("DOWNLOAD_TIMEOUT", ["abc", "-5", "nan", "0"]),
        ("METASEARCH_DELAY", ["soon", "nan", "-1"]),
        ("METASEARCH_TIMEOUT", ["0", "inf"]),
        ("REDIRECT_MAX_TIMES", ["abc", "-1"]),
        ("DOWNLOAD_MAXSIZE", ["-5", "1e9"]),
        ("CONCURRENT_REQUESTS", ["0", "inf", "many"]),
        ("FRONTIER_MAX_ATTEMPTS", ["0"]),
        ("ROBOTSTXT_OBEY", ["no", "maybe", ""]),
        ("FOCUS_USE_HREFLANG", ["yes"]),
        ("CSV_DEFUSE_FORMULAS", ["x"]),
    ],
)
def test_setting_that_cannot_be_meant_is_named(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ConfigurationError, match=f"^{name}=.* must be "):
            check_settings(with_ours(**{name: value}))


@pytest.mark.parametrize("value", ["1", "0", "True", "false", True, 0])
def test_switch_may_be_written_as_scrapy_reads_it(value: Any) -> None:
    check_settings(with_ours(ROBOTSTXT_OBEY=value))


def test_tlds_of_a_language_take_the_place_of_ours() -> None:
    table = tlds_by_language(with_ours(FOCUS_TLDS='{"ko": ["kr", ".한국", "xn--3e0b707e"]}'), KNOWN)
    assert list(table["ko"]) == ["kr", ".한국", "xn--3e0b707e"]
    assert "jp" in table["ja"]


@pytest.mark.parametrize(
    "value", ["foo", "[1]", '{"ko": "kr"}', '{"ko": [1]}', '{"ko": ["co.kr"]}', '{"ko": [""]}', '{"xx": ["kr"]}', {"ko": "kr"}]
)  # fmt: skip
def test_tlds_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"^FOCUS_TLDS=.*write it as"):
        tlds_by_language(with_ours(FOCUS_TLDS=value), KNOWN)
