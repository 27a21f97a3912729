"""From texts to a model: methods, refusals, expectations, pages."""

from __future__ import annotations

import numpy as np
import pytest
from topic_texts_of_test import WORDS, mixed, texts

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import UNKNOWN, Page
from crawler_project.relevance.topic import TopicJudge, TopicModel
from crawler_project.relevance.topic.background import background_texts
from crawler_project.relevance.topic.examples import Examples, count_terms, to_matrix
from crawler_project.relevance.topic.judge import OFF_TOPIC
from crawler_project.relevance.topic.measures import f1_score
from crawler_project.relevance.topic.methods import METHODS
from crawler_project.relevance.topic.terms import TextTerms
from crawler_project.relevance.topic.training import TrainingSettings, train_topic

TESTED = [(text, topic == "cooking") for topic in WORDS for text in texts(topic, 30, seed=9)]
FLOORS = {"one_class": 0.5, "one_class_01": 0.5, "pebl": 0.5}


def model(method: str = "prior_svm", positive: int = 30, **options: str | bool) -> TopicModel:
    settings = TrainingSettings("cooking", method=method, **options)  # type: ignore[arg-type]
    return train_topic(texts("cooking", positive), mixed(40, seed=1), settings)


def f1(trained: TopicModel) -> float:
    called = np.array(trained.score_texts(text for text, _ in TESTED)) > 0
    return f1_score(called, np.array([relevant for _, relevant in TESTED]))


@pytest.mark.parametrize("method", METHODS)
def test_method_learns_from_positive_and_unlabelled_texts(method: str) -> None:
    trained = model(method)
    assert f1(trained) > FLOORS.get(method, 0.9)
    assert {"class_prior", "expected_precision", "expected_recall"} <= set(trained.parts.summary)


@pytest.mark.parametrize("mode", ["tfc", "both"])
def test_modes_of_the_papers_classifier_are_two_models(mode: str) -> None:
    trained = model("wvc_tfipndf", mode=mode)
    rounds = trained.parts.summary["rounds"]
    assert len(trained.parts.views) == rounds * (2 if mode == "both" else 1)
    assert sum(view.share for view in trained.parts.views) == pytest.approx(1.0)


def test_ten_positive_texts_are_enough() -> None:
    trained = model(positive=10)
    assert f1(trained) > 0.9
    assert trained.parts.summary["class_prior"] == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_single_texts_score_as_matrices_do(method: str) -> None:
    positive, unlabelled = texts("cooking", 30), mixed(30, seed=1)
    terms = TextTerms()
    examples = Examples.of_texts(positive, unlabelled, terms)
    trained = METHODS[method](examples)
    rows = trained.decide(to_matrix([count_terms(text, terms) for text, _ in TESTED], examples.vocabulary))
    trained_model = train_topic(positive, unlabelled, TrainingSettings("cooking", method=method))
    assert trained_model.score_texts(text for text, _ in TESTED) == pytest.approx(rows.tolist(), abs=1e-9)


def test_shares_of_terms_and_constant_add_up_to_the_score() -> None:
    for method in ("prior_svm", "wvc_tfipndf"):
        trained = model(method)
        text = TESTED[0][0]
        total = sum(share.share for share in trained.explain(text)) + trained.constant
        assert total == pytest.approx(trained.score_text(text))


def test_text_without_known_terms_gets_the_constant() -> None:
    trained = model()
    assert trained.score_text("") == trained.score_text("zzz") == trained.constant
    assert trained.explain("zzz") == []


def test_korean_texts_are_learned_by_pairs_of_characters() -> None:
    cooking = [f"김치찌개를 끓이는 방법 {i} 냄비에 물을 붓고 김치와 돼지고기를 넣습니다" for i in range(8)]
    others = [f"루비 프로그래밍 언어의 메서드 {i} 클래스와 객체를 설명합니다" for i in range(30)]
    trained = train_topic(cooking, others, TrainingSettings("요리", language="ko"))
    assert trained.score_text("김치를 넣고 끓입니다") > 0 > trained.score_text("클래스의 메서드")


@pytest.mark.parametrize(
    ("positive", "unlabelled", "message"),
    [
        ([], mixed(10), "0 usable positive texts, 5 are needed: 5 missing"),
        (texts("cooking", 3), mixed(10), "3 usable positive texts, 5 are needed: 2 missing"),
        (texts("cooking", 10, seed=7), mixed(1), "4 usable unlabelled texts, 20 are needed: 16 missing"),
        (["soup"] * 9, mixed(10), "9 of fewer than 3 different words"),
        (texts("cooking", 30), texts("cooking", 30), "30 unlabelled texts that are positive ones"),
        (texts("cooking", 40), texts("cooking", 60, seed=5), "look like the positive ones"),
        ([f"a{i}b c{i}d e{i}f" for i in range(9)], [f"g{i}h i{i}j k{i}l" for i in range(30)], "no word is in 5 texts"),
    ],
)
def test_too_little_to_learn_from_is_refused(positive: list[str], unlabelled: list[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        train_topic(positive, unlabelled, TrainingSettings("cooking"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "svm"}, "choose one of prior_svm"),
        ({"mode": "raw"}, "choose tfc or both"),
        ({"name": " "}, "--name"),
    ],
)
def test_wrong_setting_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        TrainingSettings(**{"name": "cooking", **options})


def test_judge_labels_pages_with_the_topic() -> None:
    judge = TopicJudge(model())
    found = judge.judge(Page("http://example.org/", title="Soup", text=texts("cooking", 1, seed=3)[0]))
    assert (found.is_relevant, found.label) == (True, "cooking")
    assert 0.5 < found.score <= 1
    assert judge.judge(Page("", text=texts("chess", 1, seed=3)[0])).label == OFF_TOPIC
    assert judge.judge(Page("", text="\ud800 zzz")) == (False, 0.0, UNKNOWN, "no known term")


def test_background_is_in_the_language_where_there_is_enough() -> None:
    korean, khmer = background_texts("ko"), background_texts("km")
    assert len(korean.texts) > 300
    assert "방" in "".join(korean.texts)
    assert len(khmer.texts) > 1900
    assert "learn the language instead" in khmer.note
