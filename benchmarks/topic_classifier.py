"""F1 of the topic classifiers on Reuters-21578, 20 Newsgroups and pages in five languages; and what scoring costs.

    CRAWLER_DATA=FOLDER python benchmarks/topic_classifier.py [f1|lambda|languages|speed …] [--splits 3]

The folder holds ``reuters21578``, ``20news-a`` and ``web-a``. Positives P: a half or a tenth of the topic's training
texts; U: all other training texts. Reuters: ModApte, the ten largest topics, texts of at least one of them (6,490
training, 2,545 test); 20 Newsgroups by date, ten groups, subject and body. Mean over ten topics; the spread is that of the
means of the splits, which differ in the texts that are labelled. web-a: prose of pages, topics with 30 pages or more in a language,
60 % of the pages for training. Constants of ``prior_svm`` were chosen on parts of the *training* texts of the first two.
Writes CSV files to benchmarks/data.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crawler_project.page.parse import parse_page
from crawler_project.relevance.topic.examples import Examples, Mask, Matrix, count_terms, to_matrix
from crawler_project.relevance.topic.measures import measure
from crawler_project.relevance.topic.methods import METHODS
from crawler_project.relevance.topic.one_dnf import negative_error, reliable_negatives
from crawler_project.relevance.topic.terms import TextTerms
from crawler_project.relevance.topic.topic_model import TopicModel, TopicParts
from crawler_project.relevance.topic.trained import Trained

RESULTS = ROOT / "benchmarks" / "data"
REUTERS = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn")
COMPARED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("prior_svm", {}), ("wvc_tfipndf", {"mode": "tfc"}), ("wvc_tfipndf", {"mode": "both"}), ("wvc_tfidf", {}),
    ("wvc_tfidf", {"balanced": True}), ("pebl", {}), ("one_class", {}), ("one_class_01", {}), ("biased_svm", {}),
)  # fmt: skip
WEB_TOPICS = ("ruby", "web-server-software", "javascript-ui", "korean-drama", "cloud-deployment", "elixir", "rust", "hexo", "computer-security", "python-web", "cooking")  # fmt: skip


class Collection(NamedTuple):
    """Counts of training and test texts, and the topics of each (texts by topics)."""

    vocabulary: tuple[str, ...]
    training: Matrix
    training_topics: Mask
    test: Matrix
    test_topics: Mask


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a compressed collection."""
    with path.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        yield from map(json.loads, io.TextIOWrapper(stream, encoding="utf-8"))


def reuters(data: Path) -> Collection:
    """The ten largest topics of Reuters-21578."""
    rows = [row for row in read_rows(data / "reuters21578" / "reuters21578.jsonl.zst") if row["modapte"] in {"train", "test"}]  # fmt: skip
    rows = [row for row in rows if set(row["topics"]) & set(REUTERS)]
    texts = [f"{row['title'] or ''}\n{row['body'] or ''}" for row in rows]
    return collection(texts, [set(row["topics"]) for row in rows], [row["modapte"] == "train" for row in rows], REUTERS)


def newsgroups(data: Path) -> Collection:
    """Ten groups of 20 Newsgroups, subject and body."""
    rows = list(read_rows(data / "20news-a" / "20news.jsonl.zst"))
    texts = []
    for row in rows:
        head, _, body = row["text"].partition("\n\n")
        subject = next((line[9:] for line in head.split("\n") if line.startswith("Subject: ")), "")
        texts.append(f"{subject}\n{body}")
    groups = sorted({row["group"] for row in rows})
    return collection(texts, [{row["group"]} for row in rows], [row["split"] == "train" for row in rows], groups)


def collection(
    texts: Sequence[str],
    topics: Sequence[set[str]],
    is_training: Sequence[bool],
    names: Sequence[str],
    language: str = "en",
) -> Collection:
    """Count everything once; features are those of five training texts."""
    terms = TextTerms(language)
    counts = [count_terms(text, terms) for text in texts]
    training = [i for i, flag in enumerate(is_training) if flag]
    test = [i for i, flag in enumerate(is_training) if not flag]
    examples = Examples.of_counts([], [counts[i] for i in training])
    labels = np.array([[name in of_text for name in names] for of_text in topics])
    return Collection(
        examples.vocabulary, examples.unlabelled, labels[training],
        to_matrix([counts[i] for i in test], examples.vocabulary), labels[test],
    )  # fmt: skip


def labelled(positive: Mask, share: float, random: np.random.Generator) -> Mask:
    """A random part of the positive texts."""
    places = random.permutation(np.flatnonzero(positive))
    chosen = np.zeros(len(positive), bool)
    chosen[places[: max(3, round(share * len(places)))]] = True
    return chosen


def run_one(found: Collection, topic: int, chosen: Mask, method: str, options: Mapping[str, Any]) -> dict[str, float]:
    """Train and test once."""
    examples = Examples(found.vocabulary, found.training[chosen], found.training[~chosen])
    started = time.process_time()
    trained = METHODS[method](examples, **options)
    took = time.process_time() - started
    scores = trained.decide(found.test)
    probabilities = 1 / (1 + np.exp(-np.clip(trained.slope * scores, -50, 50)))
    got = measure(scores, probabilities, found.test_topics[:, topic])
    hidden = found.training_topics[~chosen, topic]
    prior = float(trained.summary.get("class_prior", 0.0)) / max(float(hidden.mean()), 1e-9)
    return {
        "f1": got.f1, "precision": got.precision, "recall": got.recall, "best_f1": got.best_f1,
        "average_precision": got.average_precision, "calibration_error": got.calibration_error,
        "expected_f1": float(trained.summary.get("expected_f1", 0.0)), "prior_ratio": prior,
        "reliable_negatives": float(trained.summary.get("reliable_negatives", 0)), "seconds": took,
    }  # fmt: skip


def f1_table(data: Path, splits: int) -> list[dict[str, Any]]:
    """Figures 8 and 9, Table 1: every method on both collections."""
    rows = []
    for name, found in (("reuters", reuters(data)), ("20news", newsgroups(data))):
        for share in (0.5, 0.1):
            for method, options in COMPARED:
                means, results = [], []
                for split in range(splits):
                    random = np.random.default_rng(split)
                    for topic in range(found.training_topics.shape[1]):
                        chosen = labelled(found.training_topics[:, topic], share, random)
                        results.append(run_one(found, topic, chosen, method, options))
                    means.append(np.mean([result["f1"] for result in results[-found.training_topics.shape[1] :]]))
                rows.append({
                    "collection": name, "labelled": share, "method": method,
                    "option": " ".join(str(value) if key == "mode" else key for key, value in options.items()),
                    "f1_spread": round(float(np.ptp(means)), 4), **mean_of(results),
                })  # fmt: skip
                print(json.dumps(rows[-1]), flush=True)
    return rows


def lambda_table(data: Path, splits: int) -> list[dict[str, Any]]:
    """Figures 6 and 7: reliable negatives and ERR by λ, half of the positives labelled; 0 is 1-DNF."""
    rows = []
    for name, found in (("reuters", reuters(data)), ("20news", newsgroups(data))):
        for tenth in range(10):
            results = []
            for split in range(splits):
                random = np.random.default_rng(split)
                for topic in range(found.training_topics.shape[1]):
                    chosen = labelled(found.training_topics[:, topic], 0.5, random)
                    got = reliable_negatives(found.training[chosen], found.training[~chosen], tenth / 10)
                    error = negative_error(got.negatives, found.training_topics[~chosen, topic])
                    results.append({"reliable_negatives": float(got.negatives.sum()), "err_percent": error, "guarded": float(bool(got.note))})  # fmt: skip
            rows.append({"collection": name, "lambda": tenth / 10, **mean_of(results)})
            print(json.dumps(rows[-1]), flush=True)
    return rows


def language_table(data: Path, splits: int) -> list[dict[str, Any]]:
    """The default method by language of the pages."""
    by_language: dict[str, list[tuple[str, str]]] = {code: [] for code in ("en", "ko", "ja", "zh", "th")}
    for row in read_rows(data / "web-a" / "pages.jsonl.zst"):
        if row["text_lang"] in by_language:
            page = parse_page(
                row["html"].encode(row["charset"], "xmlcharrefreplace"), row["url"], content_type="text/html"
            )
            by_language[row["text_lang"]].append((row["topic"], f"{page.title}\n{page.prose}"))
    rows = []
    for language, pages in by_language.items():
        sizes = Counter(topic for topic, _ in pages)
        names = [topic for topic, size in sizes.items() if size >= 30 and any(part in topic for part in WEB_TOPICS)]
        for share in (0.5, 0.1):
            results = []
            for split in range(splits):
                random = np.random.default_rng(split)
                is_training = random.permutation(len(pages)) < 0.6 * len(pages)
                found = collection([text for _, text in pages], [{topic} for topic, _ in pages], is_training.tolist(), names, language)  # fmt: skip
                for topic in range(len(names)):
                    chosen = labelled(found.training_topics[:, topic], share, random)
                    results.append(run_one(found, topic, chosen, "prior_svm", {}))
            rows.append({"language": language, "labelled": share, "topics": len(names), "pages": len(pages), **mean_of(results)})  # fmt: skip
            print(json.dumps(rows[-1]), flush=True)
    return rows


def speed_table(data: Path, splits: int) -> list[dict[str, Any]]:
    """CPU microseconds for an anchor and a page, from text to score, words known and unknown."""
    found = reuters(data)
    chosen = labelled(found.training_topics[:, 0], 0.5, np.random.default_rng(0))
    examples = Examples(found.vocabulary, found.training[chosen], found.training[~chosen])
    texts = [row["body"] for row in read_rows(data / "reuters21578" / "reuters21578.jsonl.zst") if row["modapte"] == "test" and row["body"]]  # fmt: skip
    pages = [text for text in texts if 1_000 <= len(text) <= 3_000][:500]
    anchors = [" ".join(text.split()[:4]) for text in texts]
    rows = []
    for method in ("prior_svm", "wvc_tfipndf"):
        model = as_model(METHODS[method](examples), examples)
        for kind, sample in (("anchor", anchors), ("page", pages)):
            model.score_texts(sample)
            times = []
            for _ in range(max(5, splits)):
                started = time.process_time()
                for text in sample:
                    model.score_text(text)
                times.append((time.process_time() - started) / len(sample) * 1e6)
            size = int(np.median([len(text) for text in sample]))
            rows.append({"method": method, "views": len(model.parts.views), "text": kind, "characters": size, "microseconds": round(float(np.median(times)), 2), "least": round(min(times), 2)})  # fmt: skip
            print(json.dumps(rows[-1]), flush=True)
    return rows


def as_model(trained: Trained, examples: Examples) -> TopicModel:
    """The model of a classifier."""
    return TopicModel(TopicParts("earn", "", "en", examples.vocabulary, trained.views, trained.threshold, log_counts=trained.log_counts))  # fmt: skip


def mean_of(results: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean of each value."""
    return {key: round(float(np.mean([result[key] for result in results])), 4) for key in results[0]}


TABLES = {"f1": f1_table, "lambda": lambda_table, "languages": language_table, "speed": speed_table}


def main() -> None:
    """Run the tables asked for and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", default=list(TABLES), metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--data", type=Path, default=os.environ.get("CRAWLER_DATA"))
    parser.add_argument("--splits", type=int, default=3)
    options = parser.parse_args()
    if options.data is None:
        parser.error("set CRAWLER_DATA or --data to the folder that holds reuters21578, 20news-a and web-a")
    RESULTS.mkdir(exist_ok=True)
    for table in options.tables:
        rows = TABLES[table](Path(options.data), options.splits)
        with (RESULTS / f"topic-{table}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
