"""Languages of anchor texts."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.relevance.language.anchors import AnchorIdentifier, identify_anchor
from crawler_project.relevance.language.names import LANGUAGE_NAMES

LABELS = Path(__file__).resolve().parents[3] / "benchmarks" / "data" / "ui_labels.jsonl"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("日本語", "ja"),
        ("中文", "zh"),
        ("繁體中文", "zh"),
        ("简体中文", "zh"),
        ("한국어", "ko"),
        ("ภาษาไทย", "th"),
        ("Tiếng Việt", "vi"),
        ("tiếng việt", "vi"),
        ("DEUTSCH", "de"),
        (" English ", "en"),
        ("Русский", "ru"),
    ],
)
def test_name_of_a_language_means_that_language_on_any_page(text: str, code: str) -> None:
    assert {identify_anchor(text, page).label for page in ("", "en", "ja", "zh", "ko")} == {code}


def test_names_are_of_one_language_each() -> None:
    assert all(name == name.casefold() for name in LANGUAGE_NAMES)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Docker 설치", "ko"),
        ("次へ", "ja"),
        ("お問い合わせ", "ja"),
        ("หน้าแรก", "th"),
        ("Αρχική", "el"),
        ("ទំព័រដើម", "km"),
        ("HTML 入门教程", "zh"),
    ],
)
def test_script_decides_whatever_the_page(text: str, code: str) -> None:
    assert identify_anchor(text, "en").label == code


@pytest.mark.parametrize("text", ["", " ", "1 2 3", "»", "→", "\x00", "\ud800", "X"])
def test_anchor_without_letters_is_und(text: str) -> None:
    assert identify_anchor(text, "ko", "kr").label == "und"


def test_hint_is_no_evidence_for_another_script() -> None:
    assert identify_anchor("Download", "ko", "kr").label == "en"


def labels() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["language"]].append(row["label"])
    return found


def share_right(code: str, page_language: str) -> float:
    texts = labels()[code]
    return sum(identify_anchor(text, page_language).label == code for text in texts) / len(texts)


@pytest.mark.parametrize("code", ["ko", "ja", "zh", "th"])
def test_labels_of_menus_are_told_with_the_pages_language(code: str) -> None:
    assert share_right(code, code) >= 0.99


@pytest.mark.parametrize(("code", "least"), [("ko", 0.99), ("th", 0.99), ("zh", 0.95), ("ja", 0.9)])
def test_labels_of_menus_are_told_without_the_pages_language(code: str, least: float) -> None:
    assert share_right(code, "") >= least


def test_repeated_anchor_is_answered_from_the_cache() -> None:
    identifier = AnchorIdentifier()
    assert identifier.judge_anchor("Trang chủ", "vi") is identifier.judge_anchor("Trang chủ", "vi")


def test_cache_is_bounded() -> None:
    identifier = AnchorIdentifier(cache_size=8)
    for number in range(100):
        identifier.judge_anchor(f"페이지 {number}")
    assert identifier._decide.cache_info().currsize == 8


@given(st.text(st.characters(), max_size=80), st.sampled_from(["", "ko", "zh", "und", "한"]), st.text(max_size=5))
@settings(max_examples=300, deadline=None)
def test_identify_anchor_never_raises(text: str, page_language: str, tld: str) -> None:
    found = identify_anchor(text, page_language, tld)
    assert 0.0 <= found.score <= 1.0
    assert not found.is_relevant
    assert found.label
    assert "\n" not in found.evidence
