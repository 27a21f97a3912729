"""Train a topic model from texts: check what was given, learn, and say what to expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.topic.class_prior import slope
from crawler_project.relevance.topic.examples import LEAST_TEXTS, Examples, Floats
from crawler_project.relevance.topic.methods import DEFAULT_METHOD, METHODS
from crawler_project.relevance.topic.terms import TextTerms
from crawler_project.relevance.topic.topic_model import TopicModel, TopicParts
from crawler_project.relevance.topic.trained import Trained

LEAST_POSITIVE: Final = 5
"""Positive texts: with fewer no held-out score says anything."""
LEAST_UNLABELLED: Final = 20
MOST_UNLABELLED: Final = 20_000
"""More make training slower and hardly better; a sample spread evenly over all is taken."""
LEAST_TERMS: Final = 3
"""Different terms; a text with fewer says nothing about its topic."""
_FOLDS: Final = 3


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """What a user can choose."""

    name: str
    language: str = "en"
    method: str = DEFAULT_METHOD
    mode: str = ""
    """``tfc`` or ``both`` (T4); empty: the method's own."""
    balanced: bool = False
    """Weigh both classes equally in methods that do not of their own."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ConfigurationError(f"method={self.method!r} is unknown; choose one of {', '.join(METHODS)}")
        if self.mode not in {"", "tfc", "both"}:
            raise ConfigurationError(f"mode={self.mode!r} is unknown; choose tfc or both")
        if not self.name.strip():
            raise ConfigurationError("the topic's name is empty; give --name, such as cooking")


@dataclass(frozen=True, slots=True)
class TextSets:
    """Positive and unlabelled texts that can be learned from, and what was left out."""

    positive: Sequence[str]
    unlabelled: Sequence[str]
    left_out: dict[str, int]


def train_topic(positive: Iterable[str], unlabelled: Iterable[str], settings: TrainingSettings) -> TopicModel:
    """Learn a model from texts of the topic and texts of any topic.

    The summary of the model tells how many texts were used and left out, and how precise and complete
    it is expected to be; expectations are about texts like the given ones, all of them together.

    Raises:
        ConfigurationError: too few usable texts (says how many are missing), the unlabelled
            texts are the positive ones, or they have no word in common.
    """
    terms = TextTerms(settings.language)
    texts = usable_texts(positive, unlabelled, terms)
    _check_enough(texts)
    examples = Examples.of_texts(texts.positive, texts.unlabelled, terms)
    if not examples.vocabulary or not examples.positive.nnz:
        raise ConfigurationError(
            f"no word is in {LEAST_TEXTS} texts or more; give more texts, or the right --language (now {settings.language})"
        )
    trained = learn(examples, settings)
    summary = {
        "positive": len(texts.positive),
        "unlabelled": len(texts.unlabelled),
        "terms": len(examples.vocabulary),
        "cut": terms.method,
        **{f"left_out_{why}": number for why, number in texts.left_out.items() if number},
        **trained.summary,
    }
    return TopicModel(_parts(settings, examples, trained, summary))


def learn(examples: Examples, settings: TrainingSettings) -> Trained:
    """Run the method, and add what to expect where the method does not say."""
    options: dict[str, Any] = {"mode": settings.mode} if settings.mode else {}
    if settings.balanced:
        options["balanced"] = True
    method = METHODS[settings.method]
    trained = method(examples, **options)
    if "expected_f1" in trained.summary:
        return trained
    scores = np.empty(examples.positive.shape[0])
    folds = min(_FOLDS, len(scores))
    for number in range(folds):
        inside = np.arange(len(scores)) % folds == number
        part = method(replace(examples, positive=examples.positive[~inside]), **options)
        scores[inside] = part.decide(examples.positive[inside])
    return _with_expectations(trained, examples, scores)


def _with_expectations(trained: Trained, examples: Examples, held_out: Floats) -> Trained:
    """Recall of held-out positive texts; precision by the class prior that the default method estimates."""
    unlabelled = trained.decide(examples.unlabelled)
    prior = float(METHODS[DEFAULT_METHOD](examples).summary["class_prior"])
    recall = float((held_out > 0).mean())
    positives = len(held_out) + prior * len(unlabelled)
    called = recall * len(held_out) + float((unlabelled > 0).sum())
    precision = min(1.0, recall * positives / called) if called else 0.0
    summary = {
        **trained.summary,
        "class_prior": prior,
        "expected_precision": round(precision, 3),
        "expected_recall": round(recall, 3),
        "expected_f1": round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0,
    }
    return replace(trained, summary=summary, slope=slope(held_out, unlabelled, prior))


def usable_texts(positive: Iterable[str], unlabelled: Iterable[str], terms: TextTerms) -> TextSets:
    """Leave out texts of fewer than three different terms, repeats, and unlabelled texts that are positive ones too."""
    left_out = {"short": 0, "repeated": 0, "also_positive": 0}
    seen: set[str] = set()
    kept: list[list[str]] = [[], []]
    for number, texts in enumerate((positive, unlabelled)):
        of_positive = frozenset(seen)
        for text in texts:
            key = " ".join(text.split())
            if key in seen:
                left_out["also_positive" if key in of_positive else "repeated"] += 1
            elif len(set(terms.terms(text))) < LEAST_TERMS:
                left_out["short"] += 1
            else:
                seen.add(key)
                kept[number].append(text)
    return TextSets(kept[0], _sample(kept[1]), left_out)


def _sample(texts: list[str]) -> list[str]:
    if len(texts) <= MOST_UNLABELLED:
        return texts
    places = np.linspace(0, len(texts) - 1, MOST_UNLABELLED).astype(int)
    return [texts[place] for place in places]


def _check_enough(texts: TextSets) -> None:
    left_out = ", ".join(f"{number} {_WHY[why]}" for why, number in texts.left_out.items() if number)
    for kind, found, least in (
        ("positive", len(texts.positive), LEAST_POSITIVE),
        ("unlabelled", len(texts.unlabelled), LEAST_UNLABELLED),
    ):
        if found < least:
            said = f" (left out: {left_out})" if left_out else ""
            raise ConfigurationError(
                f"{found} usable {kind} text{'' if found == 1 else 's'}, {least} are needed: {least - found} missing{said}"
            )


_WHY: Final = {
    "short": f"of fewer than {LEAST_TERMS} different words",
    "repeated": "repeated",
    "also_positive": "unlabelled texts that are positive ones",
}


def _parts(settings: TrainingSettings, examples: Examples, trained: Trained, summary: dict[str, Any]) -> TopicParts:
    return TopicParts(
        name=settings.name,
        method=settings.method,
        language=settings.language,
        vocabulary=examples.vocabulary,
        views=trained.views,
        threshold=trained.threshold,
        slope=trained.slope,
        log_counts=trained.log_counts,
        summary=summary,
    )
