"""Cavnar and Trenkle's method."""

from collections import Counter
from pathlib import Path

import pytest

from crawler_project.relevance.language.ngram import NgramIdentifier, count_ngrams, ngram_profile

NGRAMS = NgramIdentifier()


def test_ngrams_of_the_papers_example() -> None:
    counts = count_ngrams("CRAWL")
    bigrams = {ngram for ngram in counts if len(ngram) == 2}
    assert bigrams == {b"_C", b"CR", b"RA", b"AW", b"WL", b"L_"}
    assert counts[b"_"] == 2
    assert {len(ngram) for ngram in counts} == {1, 2, 3, 4, 5}


def test_digits_and_blanks_part_words() -> None:
    assert count_ngrams("ab 12\n_cd") == count_ngrams("ab") + count_ngrams("cd")


def test_profile_is_ranked_by_frequency_then_by_ngram() -> None:
    assert ngram_profile("aa b", 4) == [b"_", b"a", b"_a", b"_aa"]


def test_distance_is_out_of_place(tmp_path: Path) -> None:
    # Cavnar and Trenkle, figure 3, in small: a document profile against two category profiles
    (tmp_path / "profiles.txt").write_text("xx\t_ a _a aa\nyy\ta _ q z\n", encoding="utf-8")
    ngrams = NgramIdentifier(profiles=tmp_path / "profiles.txt", profile_size=4, min_bytes=0)
    document = ngram_profile("aaa", 4)
    assert document == [b"a", b"_", b"aa", b"_a"]
    expected_xx = 1 + 1 + 1 + 1
    expected_yy = 0 + 0 + 4 + 4
    assert ngrams._distances(document).tolist() == [expected_xx, expected_yy]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("ko", "이 문서는 한국어로 쓰였으며 길이가 충분히 깁니다. 크롤러는 페이지를 수집합니다."),
        ("ja", "この文書は日本語で書かれており、十分な長さがあります。ページを集めます。"),
        ("zh", "这个文件是用中文写的，长度也足够。爬虫收集网页并判断其语言。"),
        ("th", "เอกสารนี้เขียนเป็นภาษาไทยและยาวพอสำหรับการทดสอบ"),
        ("en", "This document is written in English, and it is long enough for a test."),
        ("cs", "Tento dokument je napsán v češtině a je dostatečně dlouhý pro zkoušku."),
    ],
)
def test_nearest_profile_is_the_language(code: str, text: str) -> None:
    assert NGRAMS.classify(text).candidates[0] == code
    assert NGRAMS.identify(text).label == code


@pytest.mark.parametrize("text", ["", "12 34 56", "abc", "한국"])
def test_little_text_is_short(text: str) -> None:
    assert NGRAMS.classify(text) == ((), 0.0, "SHORT")
    assert NGRAMS.identify(text).label == "und"


def test_text_near_to_no_language_is_unknown() -> None:
    answer = NGRAMS.classify("qqqq xxxx zzzz " * 10)
    assert answer.verdict == "UNKNOWN"
    assert answer.candidates == ()


def test_all_profiles_are_full_and_without_repeats() -> None:
    languages, rows, ranks = NGRAMS._languages, NGRAMS._rows, NGRAMS._ranks
    assert {"ko", "ja", "zh", "th", "en"} <= set(languages)
    assert max(Counter(languages).values()) == 1
    assert len(rows) == len(ranks)
    assert ((ranks >= 0).sum(axis=0) == NGRAMS.profile_size).all()
