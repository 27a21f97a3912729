"""T1: texts as terms."""

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.topic.examples import Examples
from crawler_project.relevance.topic.terms import TextTerms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Relational databases are relational", ["relat", "databas", "relat"]),
        ("Don't stop: 3 k8s, 42 and x", ["stop", "k8"]),
        ("Ruby言語です", ["rubi", "言語", "語で", "です"]),
        ("안녕하세요 책", ["안녕", "녕하", "하세", "세요", "책"]),
        ("สวัสดี", ["สวัส", "วัสด", "ัสดี"]),
        ("ｆｕｌｌ width ﬁne", ["full", "width", "fine"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
        ("\ud800\x00\ufffe", []),
    ],
)
def test_text_is_cut_by_its_scripts(text: str, terms: list[str]) -> None:
    assert TextTerms("en").terms(text) == terms


def test_words_are_stemmed_by_the_language() -> None:
    assert TextTerms("de").terms("Häuser") == ["haus"]
    assert TextTerms("vi").terms("running người") == ["running", "người"]
    assert TextTerms("ko").terms("running") == ["run"]


def test_language_says_how_it_is_cut() -> None:
    assert "n-grams" in TextTerms("km").method
    assert "no stemmer" in TextTerms("vi").method
    assert "porter" in TextTerms("en").method


@pytest.mark.parametrize("code", ["", "english language", "k", "../x"])
def test_language_that_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ConfigurationError, match="no language code"):
        TextTerms(code)


def test_features_stand_in_five_texts_of_both_kinds_together() -> None:
    examples = Examples.of_texts(
        ["apple pear"] * 3, ["apple"] * 2 + ["pear"] * 1 + ["plum plum plum plum plum"], TextTerms()
    )
    assert examples.vocabulary == ("appl",)
    assert examples.positive.toarray().tolist() == [[1.0]] * 3
    assert examples.unlabelled.toarray().tolist() == [[1.0], [1.0], [0.0], [0.0]]
