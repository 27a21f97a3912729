"""The steps of ``scrapy topic``: values for machines and lines for people."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from crawler_project.core.errors import ConfigurationError
from crawler_project.page.blocks import Cut
from crawler_project.page.charset import decode
from crawler_project.page.parse import parse_page
from crawler_project.relevance.topic.background import background_texts
from crawler_project.relevance.topic.examples import LEAST_TEXTS, Examples, count_terms, to_matrix
from crawler_project.relevance.topic.judge import page_text
from crawler_project.relevance.topic.measures import Measures, measure, worst_mistakes
from crawler_project.relevance.topic.methods import METHODS
from crawler_project.relevance.topic.terms import TextTerms
from crawler_project.relevance.topic.topic_model import TermShare, TopicModel
from crawler_project.relevance.topic.training import TrainingSettings, train_topic
from crawler_project.topics.topic_texts import LabelledText, TextCollection, fetch_bytes

Answer = tuple[dict[str, Any], str]
"""What a step found, and the same for people."""
Read = Callable[[Sequence[str]], TextCollection]
_WORDS: Final = 8
_TEST_SHARE: Final = 0.4
_COMPARED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("prior_svm", {}), ("wvc_tfipndf", {"mode": "tfc"}), ("wvc_tfipndf", {"mode": "both"}), ("wvc_tfidf", {}),
    ("wvc_tfidf", {"balanced": True}), ("pebl", {}), ("one_class", {}), ("one_class_01", {}), ("biased_svm", {}),
)  # fmt: skip


def train(options: argparse.Namespace, read: Read) -> Answer:
    """Train and write a model.

    Raises:
        ConfigurationError: too little to learn from, or an option that does not fit.
    """
    out = Path(options.out)
    if not out.parent.is_dir():
        raise ConfigurationError(f"--out {options.out!r}: the folder {str(out.parent)!r} does not exist")
    chosen: dict[str, str] = {"method": options.method} if options.method else {}
    settings = TrainingSettings(
        options.name or out.name.partition(".")[0],
        options.language,
        mode=options.mode,
        balanced=options.balanced,
        **chosen,
    )
    TextTerms(settings.language)
    # one reading of all places, because pages can be fetched once in a process
    positive = read(options.positive)
    unlabelled, note = _unlabelled(options, read)
    model = train_topic([text.text for text in positive.texts if text.is_relevant is not False], unlabelled, settings)
    model.save(out)
    values = {
        "model": str(out),
        "name": model.name,
        "method": settings.method,
        "background": note,
        **model.parts.summary,
    }
    return values, "\n".join(_training_lines(values))


def _unlabelled(options: argparse.Namespace, read: Read) -> tuple[list[str], str]:
    if options.unlabelled:
        return [text.text for text in read(options.unlabelled).texts], ""
    background = background_texts(options.language.partition("-")[0])
    return background.texts, background.note


def _training_lines(values: Mapping[str, Any]) -> Iterator[str]:
    yield f"topic {values['name']!r} by {values['method']} ({values['cut']}; {values['terms']:,} terms)"
    left_out = ", ".join(f"{n} {key[9:].replace('_', ' ')}" for key, n in values.items() if key.startswith("left_out_"))
    yield f"  positive texts      {values['positive']:,}"
    yield f"  unlabelled texts    {values['unlabelled']:,}" + (
        f"  ({values['background']})" if values["background"] else ""
    )
    if left_out:
        yield f"  left out            {left_out}"
    if "reliable_negatives" in values:
        yield f"  reliable negatives  {values['reliable_negatives']:,}, ERR about {values['expected_err_percent']} %"
        yield f"  rounds              {values['rounds']}"
    if "note" in values:
        yield f"  note                {values['note']}"
    yield f"  of the unlabelled   about {values['class_prior']:.1%} are on the topic"
    yield (
        f"  to be expected      precision {values['expected_precision']:.2f}, recall {values['expected_recall']:.2f}, "
        f"F1 {values['expected_f1']:.2f} at best, on texts like these"
    )
    yield f"written to {values['model']}"


def test(path: str, found: TextCollection) -> Answer:
    """Measure a model on labelled texts.

    Raises:
        ConfigurationError: no labelled texts.
        StateError: the model is damaged.
    """
    model = TopicModel.load(path)
    texts = labelled(found)
    scores = np.array(model.score_texts(text.text for text in texts))
    truth = np.array([bool(text.is_relevant) for text in texts])
    measures = measure(scores, np.array([model.probability(score) for score in scores]), truth)
    false_calls, missed = (
        [_mistake(texts[place], scores[place]) for place in places] for places in worst_mistakes(scores, truth)
    )
    values = {**_measures(measures), "called_relevant_but_not": false_calls, "missed": missed}
    return values, "\n".join(_test_lines(model.name, measures, false_calls, missed))


def labelled(found: TextCollection) -> list[LabelledText]:
    """The texts that say whether they are relevant.

    Raises:
        ConfigurationError: there are none of one kind.
    """
    texts = [text for text in found.texts if text.is_relevant is not None]
    relevant = sum(bool(text.is_relevant) for text in texts)
    if not relevant or relevant == len(texts):
        raise ConfigurationError(
            f"{relevant} relevant and {len(texts) - relevant} other texts: both kinds are needed; "
            'a line is {"text": "…", "relevant": true}'
        )
    return texts


def _mistake(text: LabelledText, score: float) -> dict[str, Any]:
    return {"place": text.place, "score": round(float(score), 4), "text": " ".join(text.text.split())[:100]}


def _measures(found: Measures) -> dict[str, Any]:
    values = {name: round(value, 4) if isinstance(value, float) else value for name, value in found._asdict().items()}
    values["calibration"] = [
        {"texts": part.texts, "expected": round(part.expected, 4), "observed": round(part.observed, 4)}
        for part in found.calibration
    ]
    return values


def _test_lines(
    name: str, found: Measures, false_calls: list[dict[str, Any]], missed: list[dict[str, Any]]
) -> Iterator[str]:
    yield f"{found.texts:,} texts, {found.relevant:,} on topic {name!r}, {found.called:,} called relevant"
    yield f"  precision {found.precision:.3f}  recall {found.recall:.3f}  F1 {found.f1:.3f} (best threshold {found.best_f1:.3f})"
    yield f"  average precision {found.average_precision:.3f}  calibration error {found.calibration_error:.3f}"
    yield "  probability: expected, observed, texts"
    yield from (f"    {part.expected:5.2f} {part.observed:5.2f} {part.texts:7,}" for part in found.calibration)
    for title, mistakes in (("called relevant, but not", false_calls), ("missed", missed)):
        if mistakes:
            yield f"  {title}"
            yield from (f"    {item['score']:+.2f} {item['place']}: {item['text']}" for item in mistakes)


def explain(path: str, place: str) -> Answer:
    """Score a page and its content blocks, with the words that decide.

    Raises:
        ConfigurationError: no such page.
        StateError: the model is damaged.
    """
    model = TopicModel.load(path)
    body, content_type = fetch_bytes(place)
    page = parse_page(body, place if "://" in place else "", content_type=content_type, cut=Cut())
    text = page_text(page) or decode(body).text
    parts = [("page", text), *((f"block {number}", block.text) for number, block in enumerate(page.blocks, 1))]
    values = [_explained(model, name, part) for name, part in parts]
    answer = {
        "topic": model.name,
        "place": place,
        "constant": round(model.constant, 4),
        **values[0],
        "blocks": values[1:],
    }
    del answer["part"]
    lines = [f"topic {model.name!r}, {model.parts.method}; scores above 0 are relevant; constant {model.constant:+.2f}"]
    return answer, "\n".join([*lines, *(line for value in values for line in _explanation_lines(value))])


def _explained(model: TopicModel, part: str, text: str) -> dict[str, Any]:
    score = model.score_text(text)
    shares = model.explain(text)
    return {
        "part": part,
        "score": round(score, 4),
        "probability": round(model.probability(score), 4),
        "relevant": score > 0 and bool(shares),
        "for": [_word(share) for share in shares if share.share > 0][:_WORDS],
        "against": [_word(share) for share in shares if share.share < 0][:_WORDS],
        "text": " ".join(text.split())[:100],
    }


def _word(share: TermShare) -> dict[str, Any]:
    return {"term": share.term, "times": share.times, "share": round(share.share, 4)}


def _explanation_lines(value: Mapping[str, Any]) -> Iterator[str]:
    yield f"{value['part']:<10} {value['score']:+.2f} {'relevant' if value['relevant'] else 'not'}: {value['text']}"
    for title in ("for", "against"):
        if value[title]:
            yield f"    {title:<8}" + ", ".join(f"{word['term']} {word['share']:+.2f}" for word in value[title])


def compare(found: TextCollection, options: argparse.Namespace) -> Answer:
    """Train all methods on one split of labelled texts, a part of the positive ones labelled, and test them on the rest.

    Raises:
        ConfigurationError: too few texts, or an option that does not fit.
    """
    texts = labelled(found)
    share, seed = (
        _number(options.labelled, "labelled", 0.01, 1.0),
        int(_number(options.random_state, "random-state", 0, 2**31)),
    )
    terms = TextTerms(options.language)
    is_training, is_labelled, truth = _split(texts, share, seed)
    if is_labelled.sum() < 2 or not truth[~is_training].any():
        raise ConfigurationError(f"{int(truth.sum())} relevant texts are too few to split; give 10 or more")
    counts = [count_terms(text.text, terms) for text in texts]
    p, u = ([counts[i] for i in np.flatnonzero(is_training & mask)] for mask in (is_labelled, ~is_labelled))
    examples = Examples.of_counts(p, u, LEAST_TEXTS)
    test_counts = to_matrix([counts[i] for i in np.flatnonzero(~is_training)], examples.vocabulary)
    rows = []
    for method, arguments in _COMPARED:
        started = time.process_time()
        trained = METHODS[method](examples, **arguments)
        took = time.process_time() - started
        scores = trained.decide(test_counts)
        found_measures = measure(scores, 1 / (1 + np.exp(-np.clip(scores, -50, 50))), truth[~is_training])
        name = method + "".join(f" {value if key == 'mode' else key}" for key, value in arguments.items())
        rows.append({"method": name, **_measures(found_measures._replace(calibration=())), "seconds": round(took, 3)})
    values = {"labelled": len(p), "unlabelled": len(u), "test": int((~is_training).sum()), "methods": rows}
    return values, "\n".join(_comparison_lines(values))


def _split(texts: Sequence[LabelledText], share: float, seed: int) -> tuple[Any, Any, Any]:
    truth = np.array([bool(text.is_relevant) for text in texts])
    random = np.random.default_rng(seed)
    is_training = np.zeros(len(texts), bool)
    for kind in (truth, ~truth):
        places = random.permutation(np.flatnonzero(kind))
        is_training[places[: len(places) - round(_TEST_SHARE * len(places))]] = True
    positive = random.permutation(np.flatnonzero(truth & is_training))
    is_labelled = np.zeros(len(texts), bool)
    is_labelled[positive[: max(1, round(share * len(positive)))]] = True
    return is_training, is_labelled, truth


def _number(text: str, name: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ConfigurationError(f"--{name} {text!r} does not fit; give a number from {low:g} to {high:g}")
    return value


def _comparison_lines(values: Mapping[str, Any]) -> Iterator[str]:
    yield f"{values['labelled']:,} labelled, {values['unlabelled']:,} unlabelled texts; tested on {values['test']:,}"
    yield f"{'method':<22}{'precision':>10}{'recall':>8}{'F1':>7}{'best F1':>9}{'AP':>7}{'s':>8}"
    for row in values["methods"]:
        yield (
            f"{row['method']:<22}{row['precision']:>10.3f}{row['recall']:>8.3f}{row['f1']:>7.3f}{row['best_f1']:>9.3f}"
            f"{row['average_precision']:>7.3f}{row['seconds']:>8.2f}"
        )
