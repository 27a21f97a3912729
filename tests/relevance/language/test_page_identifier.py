"""Languages of page texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.values import UNKNOWN, Relevance
from crawler_project.relevance.language.identify import LanguageIdentifier

IDENTIFIER = LanguageIdentifier()
ENGLISH = "The crawler visits the pages of a site and keeps what is written in the language that was asked for. "
SENTENCES = {
    "ko": "이 문서는 크롤러가 페이지를 어떻게 수집하는지 설명합니다.",
    "ja": "この文書はクローラーがページを集める方法を説明します。",
    "zh": "本文介绍爬虫如何收集网页，以及如何判断网页所用的语言。",
    "th": "เอกสารนี้อธิบายวิธีที่โปรแกรมรวบรวมหน้าเว็บ",
    "en": ENGLISH,
    "vi": "Tài liệu này giải thích cách trình thu thập lấy các trang web về.",
    "ru": "Этот документ объясняет, как программа собирает страницы сайта.",
    "fr": "Ce document explique comment le robot parcourt les pages d'un site.",
    "de": "Dieses Dokument erklärt, wie das Programm die Seiten einer Website sammelt.",
    "el": "Αυτό το έγγραφο εξηγεί πώς το πρόγραμμα συλλέγει τις σελίδες.",
    "he": "מסמך זה מסביר כיצד התוכנה אוספת את דפי האתר.",
    "ar": "يشرح هذا المستند كيف يجمع البرنامج صفحات الموقع.",
    "hi": "यह दस्तावेज़ बताता है कि प्रोग्राम वेबसाइट के पृष्ठ कैसे इकट्ठा करता है।",
    "km": "ឯកសារនេះពន្យល់ពីរបៀបដែលកម្មវិធីប្រមូលទំព័រ",
    "id": "Dokumen ini menjelaskan bahwa program bisa mengunduh halaman situs karena tautan.",
    "ms": "Dokumen ini menerangkan bahawa perisian boleh memuat turun laman kerana pautan.",
    "tr": "Bu belge, programın bir sitenin sayfalarını nasıl topladığını açıklar.",
}


@pytest.mark.parametrize(("code", "sentence"), SENTENCES.items())
def test_a_sentence_is_identified(code: str, sentence: str) -> None:
    found = IDENTIFIER.identify(sentence)
    assert found.label == code
    assert found.score >= 0.5


def test_traditional_chinese_is_chinese() -> None:
    assert IDENTIFIER.identify("本文介紹爬蟲如何收集網頁，以及如何判斷網頁所用的語言。").label == "zh"


@pytest.mark.parametrize("code", ["ko", "ja", "zh", "th"])
def test_asian_page_full_of_english_terms_keeps_its_language(code: str) -> None:
    terms = "Docker Compose, Kubernetes Ingress, Redis Cluster"
    found = IDENTIFIER.identify(f"{SENTENCES[code]} {terms}. " * 5)
    assert found.label == code


@pytest.mark.parametrize("code", ["ko", "ja", "zh", "th"])
def test_english_page_that_quotes_another_script_stays_english(code: str) -> None:
    assert IDENTIFIER.identify(ENGLISH * 4 + SENTENCES[code]).label == "en"


def test_russian_page_with_latin_words_is_judged_by_its_russian() -> None:
    text = "Установка Hexo: npm install hexo-cli, Node.js, Git. Команда init создаёт сайт в текущей папке. "
    assert IDENTIFIER.identify(text * 3).label == "ru"


def test_language_switch_does_not_hide_the_language_of_a_short_page() -> None:
    switch = "English ไทย 한국어 日本語 简体中文 繁體中文 Tiếng Việt Bahasa Indonesia Français Deutsch "
    assert IDENTIFIER.identify(switch + "Willkommen auf der Seite der freien Schule").label == "de"


def test_english_index_of_translations_is_english() -> None:
    index = "".join(f"Guide to topic number {n} 한국어 日本語 简体中文 繁體中文 ภาษาไทย Русский\n" for n in range(40))
    assert IDENTIFIER.identify(index).label == "en"


def test_korean_with_chinese_characters_is_korean() -> None:
    assert IDENTIFIER.identify("대한민국 憲法 제1조 國民의 권리와 義務는 법률로 정한다").label == "ko"


def test_short_text_of_han_characters_is_decided_by_what_is_declared() -> None:
    assert IDENTIFIER.identify("文化 政治 教育", declared="ja").label == "ja"
    assert IDENTIFIER.identify("文化 政治 教育", declared="zh").label == "zh"


@pytest.mark.parametrize("text", ["", " \n\t", "12345 !!! …", "\x00\x01", "\ud800", "😀😀"])
def test_text_without_letters_is_und(text: str) -> None:
    assert IDENTIFIER.identify(text) == Relevance(False, 0.0, UNKNOWN, "no letters")


def test_declared_language_alone_is_no_evidence() -> None:
    assert IDENTIFIER.identify(ENGLISH, declared="ko", tld="kr").label == "en"


def test_huge_text_is_read_only_at_its_beginning() -> None:
    assert IDENTIFIER.identify(ENGLISH * 100 + SENTENCES["ko"] * 100_000).label == "en"


def test_line_feeds_do_not_matter() -> None:
    assert IDENTIFIER.identify(ENGLISH.replace(" ", "\n")) == IDENTIFIER.identify(ENGLISH)


@given(st.text(st.characters(), max_size=300), st.sampled_from(["", "ko", "zh", "xx", "한"]))
@settings(max_examples=300, deadline=None)
def test_identify_never_raises_and_repeats_itself(text: str, declared: str) -> None:
    found = IDENTIFIER.identify(text, declared=declared)
    assert found == IDENTIFIER.identify(text, declared=declared)
    assert 0.0 <= found.score <= 1.0
    assert found.label
    assert "\n" not in found.evidence
