"""The language of seeds by text and by address."""

from __future__ import annotations

import pytest

from crawler_project.core.target import Target
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.judges import make_language_judge
from crawler_project.seeding.address_language import identify_address
from crawler_project.seeding.identify_rows import TextIdentifier, by_address, by_text_or_address, identify_rows
from crawler_project.seeding.seed_table import SeedTable

ANCHORS = AnchorIdentifier()


@pytest.fixture(scope="module")
def by_text() -> TextIdentifier:
    return TextIdentifier(make_language_judge("combined", Target(frozenset(), frozenset())), ANCHORS)


@pytest.mark.parametrize(
    ("url", "language", "evidence"),
    [
        ("http://ko.wikipedia.org/wiki/A", "ko", "host ko"),
        ("http://example.com/zh-tw/docs", "zh", "path zh-tw"),
        ("http://example.com/zh_Hant/docs", "zh", "path zh_hant"),
        ("http://example.com/docs/index.ja.html", "ja", "path .ja.html"),
        ("http://example.com/?a=1&hl=th", "th", "query hl=th"),
        ("http://example.com/wiki/%ED%95%9C%EA%B5%AD%EC%96%B4", "ko", "letters: script Hangul"),
        ("http://xn--3e0b707e.com/", "ko", "letters: script Hangul"),
        ("http://example.co.kr/", "ko", "tld kr"),
        ("http://example.com.tw/", "zh", "tld tw"),
        ("http://example.com/in/it/my/", "und", "nothing in the address"),
        ("http://it.example.com/", "und", "nothing in the address"),
        ("http://example.com/it-it/", "it", "path it-it"),
        ("http://example.com/", "und", "nothing in the address"),
        ("http://[::1", "und", "nothing in the address"),
    ],
)
def test_address_speaks_for_a_language(url: str, language: str, evidence: str) -> None:
    found = identify_address(url, ANCHORS)
    assert (found.label, found.evidence) == (language, evidence)


def test_country_domains_that_are_sold_to_everybody_are_weak_evidence() -> None:
    confidence = [identify_address(f"http://example.{tld}/", ANCHORS).score for tld in ("kr", "ch", "co")]
    assert confidence == sorted(confidence, reverse=True)
    assert len(set(confidence)) == 3


@pytest.mark.parametrize(
    ("title", "description", "language"),
    [
        ("강우진", "If I can take it, I can make it", "ko"),
        ("Pro Git 한글 번역", "Scott Chacon, Ben Straub", "ko"),
        ("Modern cljs(翻訳中)のガイド", "", "ja"),
        ("C/C++面向WebAssembly编程", "Chai Shushan (HTML)", "zh"),
        ("ข่าว", "News", "th"),
        ("Die freie Enzyklopädie über alles mögliche", "", "de"),
        ("", "", "und"),
    ],
)
def test_text_is_judged_by_its_letters_before_its_names(
    by_text: TextIdentifier, title: str, description: str, language: str
) -> None:
    assert by_text("http://example.com/", title, description).label == language


def test_address_is_asked_where_the_text_says_nothing_or_english(by_text: TextIdentifier) -> None:
    both = by_text_or_address(by_text, ANCHORS)
    assert both("http://a.co.kr/", "Home of the company and its products", "").label == "ko"
    assert both("http://a.co.kr/", "日本語のページです", "").label == "ja"
    assert both("http://a.com/", "Home of the company and its products", "").label == "en"


def test_rows_get_language_confidence_and_evidence_once(by_text: TextIdentifier) -> None:
    rows = [["http://a.kr/", "한국어"], ["http://b.com/", "日本語のページ"]]
    header, found = identify_rows(SeedTable(["url", "title"], iter(rows)), by_text)
    again = identify_rows(SeedTable(header, found), by_address(ANCHORS), skip=1)
    assert again[0] == ["url", "title", "language", "confidence", "evidence"]
    assert list(again[1]) == [["http://b.com/", "日本語のページ", "und", "0.00", "nothing in the address"]]
