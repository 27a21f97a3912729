"""Harvest, target recall, target length and admissions of topic crawls in the simulator.

    CRAWLER_DATA=FOLDER python benchmarks/topic_crawling.py webkb|tune|sites|demo [--webs FOLDER] [--languages ko,ja …] [--strategies adaptive …]

``webkb`` and ``tune`` read ``webkb-a``, ``sites`` reads ``web-a``, ``demo`` the pages that this repository ships. Webs are recorded into
``--webs`` (a temporary folder) where they are not there yet. Writes benchmarks/data/topic-crawling-NAME.csv; rows of strategies and languages that
are not asked for stay there.

``webkb``: each department from its front page, the model learned from the pages of all other universities, relevance by the
collection's labels; then both departments together, the model learned from the other hosts, relevance by the model, as the paper measures.
``tune``: the crawls by which the constants of ``topic_learned`` were chosen: hosts of other universities in three groups, without the
two departments and the links to them; from up to three pages a host that lead to most of its pages.
``sites``: topics with 30 pages or more in a language, from the shortest address of each site; the model learned from every second page of the
topic in the language and from a quarter of the other pages, those of other languages too. ``demo``: the same on the shipped pages.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crawler_project.core.seams import ScorableLink
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Visit
from crawler_project.relevance.topic import TopicModel
from crawler_project.relevance.topic.link_scores import TopicLinkScorer
from crawler_project.relevance.topic.training import TrainingSettings, train_topic
from crawler_project.serving.recorded_lines import recorded_lines
from crawler_project.simulator.read_web import read_web
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.topic_measures import reachable, topic_measures
from crawler_project.simulator.topic_web import topic_web, view_topic
from crawler_project.simulator.web import Bools, Web
from crawler_project.simulator.web_texts import WebTexts, read_web_texts
from crawler_project.strategies import Strategy, make_strategy
from crawler_project.strategies.cbp_slc import CbpSlc

RESULTS = ROOT / "benchmarks" / "data"
BUDGETS = (25, 50, 100, 150, 200, 250, 500)
SHOWN = (50, 100, 250, 500)
NAMES = (
    "breadth_first", "best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc", "topic_learned", "adaptive",
)  # fmt: skip
RULES = ("block", "anchor", "context", "page", "link", "refused")
TOPICS = ("course", "faculty", "project", "student")
FRONTS = {"cornell": "http://www.cs.cornell.edu/", "texas": "http://www.cs.utexas.edu/"}
LEAST_PAGES = 30
LANGUAGES = "ko,ja,zh,th,en"


class Oracle(CbpSlc):
    """Links to target pages first, the others as CBP-SLC has them."""

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        scores = super().score_links(visit, links)
        return [0.0 if link.view.web.is_target[link.page] else 1.0 + score for link, score in zip(links, scores, strict=True)]  # type: ignore[attr-defined,operator]  # fmt: skip


class Crawl(NamedTuple):
    """What is crawled, and on which topic."""

    where: str
    topic: str
    web: Web


def measure(crawl: Crawl, name: str, strategy: Strategy) -> Iterator[dict[str, Any]]:
    """One row for each budget; a crawl that ends early is divided by the budget all the same."""
    simulator = Simulator(crawl.web, strategy)
    for budget in BUDGETS:
        list(simulator.run(budget))
        measures = topic_measures(simulator)
        yield {
            "crawl": crawl.where, "topic": crawl.topic, "strategy": name, "pages": budget,
            "harvest": round(100 * simulator.relevant / budget, 2),
            "target_recall": round(100 * measures["target_recall"], 2),
            "target_length": measures["target_length"],
            "mean_target_length": round(measures["mean_target_length"], 3),
            **{rule: measures["admitted"].get(rule, 0) for rule in RULES},
        }  # type: ignore[operator,arg-type,attr-defined]  # fmt: skip


def compare(name: str, crawls: Iterator[Crawl], strategies: Sequence[str]) -> None:
    """Run these strategies on all crawls, write the rows, those of others as they were, and print the means."""
    rows = kept_rows(name)
    for crawl in crawls:
        print(f"{crawl.where} {crawl.topic}: {int((reachable(crawl.web) & crawl.web.is_target).sum())} pages within reach", flush=True)  # fmt: skip
        for strategy in strategies:
            here = (crawl.where, crawl.topic, strategy)
            rows = [row for row in rows if (row["crawl"], row["topic"], row["strategy"]) != here]
            rows += measure(crawl, strategy, Oracle() if strategy == "oracle" else make_strategy(strategy))
        with (RESULTS / f"topic-crawling-{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for where in dict.fromkeys(row["crawl"].partition(" ")[0] for row in rows):
        show(where, [row for row in rows if row["crawl"].partition(" ")[0] == where])


def kept_rows(name: str) -> list[dict[str, Any]]:
    """The rows of the latest run."""
    path = RESULTS / f"topic-crawling-{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row | {"pages": int(row["pages"]), "harvest": float(row["harvest"])} for row in csv.DictReader(file)]


def show(where: str, rows: Sequence[dict[str, Any]]) -> None:
    print(f"{where}: harvest in % at {SHOWN}, standard deviation among crawls at the first, each crawl there")
    for strategy in dict.fromkeys(row["strategy"] for row in rows):
        mine = {budget: [row["harvest"] for row in rows if (row["strategy"], row["pages"]) == (strategy, budget)] for budget in SHOWN}  # fmt: skip
        first = mine[SHOWN[0]]
        means = "".join(f"{np.mean(values):>7.1f}" for values in mine.values())
        print(f"{strategy:<16}{means}   ± {np.std(first):.0f}   {[round(value) for value in first]}")


def learn(texts: WebTexts, positive: Bools, others: Bools, topic: str, language: str) -> TopicModel:
    def read(rows: Bools) -> list[str]:
        return [str(text) for text in texts.texts.take(texts.pages[rows]).to_pylist()]

    return train_topic(read(positive), read(others), TrainingSettings(topic, language))


def webkb(webs: Path) -> Iterator[Crawl]:
    web, texts, universities = recorded_webkb(webs)
    urls, labels = web.urls.to_pylist(), labels_of(texts)
    for together in (False, True):
        for here in [list(FRONTS)] if together else [[name] for name in FRONTS]:
            is_here = np.isin(universities, here)
            seeds = np.array([urls.index(FRONTS[name]) for name in here], dtype=np.int32)
            for topic in TOPICS:
                model = learn(texts, ~is_here & (labels == topic), ~is_here & (labels != topic), topic, "en")
                made = topic_web(web, view_topic(texts, TopicLinkScorer(model)), topic, label="" if together else topic)
                yield Crawl("together" if together else f"apart {here[0]}", topic, replace(made, seeds=seeds))


def tune(webs: Path) -> Iterator[Crawl]:
    whole, all_texts, universities = recorded_webkb(webs)
    labels = labels_of(all_texts)
    is_other = universities == "misc"
    sources = whole.sources()
    web, texts = with_links(whole, all_texts, is_other[sources] & is_other[whole.targets])
    linked = np.bincount(web.hosts[web.sources()], minlength=web.n_hosts)
    hosts = [int(host) for host in np.argsort(-linked, kind="stable") if linked[host] >= 25]
    for number in range(3):
        mine = hosts[number::3]
        is_here = is_other & np.isin(web.hosts, mine)
        seeds = np.array([page for host in mine for page in leading_pages(web, host)], dtype=np.int32)
        for topic in TOPICS:
            model = learn(all_texts, ~is_here & (labels == topic), ~is_here & (labels != topic), topic, "en")
            made = topic_web(web, view_topic(texts, TopicLinkScorer(model)), topic, label=topic)
            yield Crawl(f"tune {number}", topic, replace(made, seeds=seeds))


def leading_pages(web: Web, host: int) -> Iterator[int]:
    """Up to three pages of a host, each leading to five pages or more that those before it do not lead to."""
    found: set[int] = set()
    pages = np.flatnonzero(web.hosts == host).tolist()
    reached = {page: set(np.flatnonzero(reachable(replace(web, seeds=np.array([page])))).tolist()) for page in pages}
    for _ in range(3):
        best = max(pages, key=lambda page: (len(reached[page] - found), -len(web.url(page))))
        if len(reached[best] - found) >= 5:
            found |= reached[best]
            yield best


def with_links(web: Web, texts: WebTexts, kept: Bools) -> tuple[Web, WebTexts]:
    """The same pages with some of their links."""
    counts = np.bincount(web.sources()[kept], minlength=web.n_pages)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(web.offsets.dtype)
    fewer = replace(web, offsets=offsets, targets=web.targets[kept], anchors=web.anchors[kept])
    return fewer, texts._replace(blocks=texts.blocks[kept], anchors=texts.anchors[kept], contexts=texts.contexts[kept])


def sites(collection: Path, webs: Path, languages: Sequence[str]) -> Iterator[Crawl]:
    for language in languages:
        web, texts = recorded(collection, webs / f"{collection.parent.name}-{language}", language, "topic")
        labels = labels_of(texts)
        within = reachable(web) & web.is_target
        number = np.arange(web.n_pages)
        for topic in sorted({str(label) for label in labels[within]}):
            if (within & (labels == topic)).sum() < LEAST_PAGES:
                continue
            positive = (labels == topic) & (number % 2 == 0) & web.is_target
            model = learn(texts, positive, (labels != topic) & (number % 4 == 0), topic, language)
            view = view_topic(texts, TopicLinkScorer(model))
            yield Crawl(language, topic, topic_web(web, view, topic, label=topic, within_language=True))


def labels_of(texts: WebTexts) -> Any:
    return np.array(texts.labels.to_pylist(), dtype=object)


def recorded_webkb(webs: Path) -> tuple[Web, WebTexts, Any]:
    collection = data() / "webkb-a" / "pages.jsonl.zst"
    web, texts = recorded(collection, webs / "webkb", "en", "cls")
    of_url = {}
    for line in recorded_lines(collection):
        record = json.loads(line)
        if parts := canonical_url(record["url"]):
            of_url[parts.url] = record["university"]
    return web, texts, np.array([of_url[url] for url in web.urls.to_pylist()], dtype=object)


def recorded(collection: Path, folder: Path, language: str, label: str) -> tuple[Web, WebTexts]:
    if not folder.exists():
        command = [sys.executable, "-m", "scrapy", "web", "record", str(collection.resolve()), "--target", language]
        subprocess.run(
            [*command, "--label", label, "--out", str(folder.resolve())],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    web = read_web(folder)
    return web, read_web_texts(folder, web)


def data() -> Path:
    folder = os.environ.get("CRAWLER_DATA")
    if not folder:
        sys.exit("CRAWLER_DATA must name the folder that holds webkb-a and web-a")
    return Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["webkb", "tune", "sites", "demo"])
    parser.add_argument("--webs", type=Path)
    parser.add_argument("--languages", default=LANGUAGES)
    parser.add_argument("--strategies", default=",".join([*NAMES, "oracle"]))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        webs = options.webs or Path(folder)
        languages = options.languages.split(",")
        crawls = {
            "webkb": lambda: webkb(webs),
            "tune": lambda: tune(webs),
            "sites": lambda: sites(data() / "web-a" / "pages.jsonl.zst", webs, languages),
            "demo": lambda: sites(ROOT / "demo" / "pages.jsonl.zst", webs, languages),
        }[options.name]()
        compare(options.name, crawls, options.strategies.split(","))


if __name__ == "__main__":
    main()
