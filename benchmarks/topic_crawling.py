"""Harvest rates of topic crawls in the simulator.

    python benchmarks/topic_crawling.py webkb WEB PAGES   # WEB: scrapy web record PAGES --target en --label cls --out WEB
    python benchmarks/topic_crawling.py sites WEB SEEDS   # WEB: recorded with --label topic; SEEDS: URLs to start from

``webkb``: each department from its front page, the model learned from the pages of all other universities, relevance by label;
then both departments together, the model learned from the other hosts, relevance by the model, as the paper measures.
``sites``: each topic from the seeds, the model learned from every second page of the topic and of the rest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from crawler_project.core.seams import ScorableLink
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Visit
from crawler_project.relevance.topic import TopicModel
from crawler_project.relevance.topic.link_scores import TopicLinkScorer
from crawler_project.relevance.topic.training import TrainingSettings, train_topic
from crawler_project.serving.recorded_lines import recorded_lines
from crawler_project.simulator.read_web import read_web
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.topic_web import topic_web, view_topic
from crawler_project.simulator.web import Bools, Web
from crawler_project.simulator.web_texts import WebTexts, read_web_texts
from crawler_project.strategies import Strategy, make_strategy
from crawler_project.strategies.cbp_slc import CbpSlc
from crawler_project.strategies.topic_learned import TopicLearned

BUDGETS = (50, 100, 250)
NAMES = ("breadth_first", "best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc", "topic_learned")
TOPICS = ("course", "faculty", "project", "student")
FRONTS = {"cornell": "http://www.cs.cornell.edu/", "texas": "http://www.cs.utexas.edu/"}


class Oracle(CbpSlc):
    """Links to target pages first, the others as CBP-SLC has them."""

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        scores = super().score_links(visit, links)
        return [0.0 if link.view.web.is_target[link.page] else 1.0 + score for link, score in zip(links, scores, strict=True)]  # type: ignore[attr-defined,operator]  # fmt: skip


def harvest(web: Web, strategy: Strategy, budgets: Sequence[int] = BUDGETS) -> list[float]:
    """Percent of the first pages that are targets; a crawl that ends early is divided by the budget all the same."""
    found = np.array([bool(web.is_target[page]) for page in Simulator(web, strategy).run(max(budgets))])
    return [100 * float(found[:budget].sum()) / budget for budget in budgets]


def learn(texts: WebTexts, positive: Bools, others: Bools, topic: str, language: str) -> TopicModel:
    def read(rows: Bools) -> list[str]:
        return [str(text) for text in texts.texts.take(texts.pages[rows]).to_pylist()]

    return train_topic(read(positive), read(others), TrainingSettings(topic, language))


def learned_elsewhere(web: Web, is_here: Bools) -> TopicLearned:
    """Weights from a crawl of all pages outside; it never sees a link to the pages of the test."""

    class Elsewhere(TopicLearned):
        def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
            scores = super().score_links(visit, links)
            return [None if is_here[link.page] else score for link, score in zip(links, scores, strict=True)]  # type: ignore[attr-defined]  # fmt: skip

    sources = web.sources()
    linked = np.bincount(web.targets[sources != web.targets], minlength=web.n_pages) > 0
    teacher = Elsewhere()
    for _ in Simulator(replace(web, seeds=np.flatnonzero(~is_here & ~linked).astype(np.int32)), teacher).run():
        pass
    pupil = TopicLearned()
    pupil.restore(teacher.state())
    return pupil


def compare(webs: Iterable[tuple[Web, Bools | None]], budgets: Sequence[int] = BUDGETS) -> None:
    """Print each strategy's mean over the webs, and the spread at the first budget."""
    results: dict[str, list[list[float]]] = {}
    makers: dict[str, Callable[[], Strategy]] = {name: lambda name=name: make_strategy(name) for name in NAMES}  # type: ignore[misc]
    for web, is_here in webs:
        for name, make in {**makers, "oracle": Oracle}.items():
            results.setdefault(name, []).append(harvest(web, make(), budgets))
        if is_here is not None:
            results.setdefault("topic_learned elsewhere", []).append(
                harvest(web, learned_elsewhere(web, is_here), budgets)
            )
    for name, rows in results.items():
        means, spread = np.mean(rows, axis=0), np.std([row[0] for row in rows])
        print(
            f"{name:<26}"
            + "".join(f"{mean:>7.1f}" for mean in means)
            + f"   ± {spread:.0f}   {[round(row[0]) for row in rows]}"
        )


def webkb(folder: Path, pages: Path) -> None:
    web = read_web(folder)
    texts = read_web_texts(folder, web)
    of_url = {}
    for line in recorded_lines(pages):
        record = json.loads(line)
        if parts := canonical_url(record["url"]):
            of_url[parts.url] = record["university"]
    urls = web.urls.to_pylist()
    universities = np.array([of_url[url] for url in urls], dtype=object)
    labels = np.array(texts.labels.to_pylist(), dtype=object)

    def webs(together: bool) -> Iterable[tuple[Web, Bools | None]]:
        for here in [list(FRONTS)] if together else [[name] for name in FRONTS]:
            is_here = np.isin(universities, here)
            seeds = np.array([urls.index(FRONTS[name]) for name in here], dtype=np.int32)
            for topic in TOPICS:
                model = learn(texts, ~is_here & (labels == topic), ~is_here & (labels != topic), topic, "en")
                view = view_topic(texts, TopicLinkScorer(model))
                made = topic_web(web, view, topic, label="" if together else topic)
                yield replace(made, seeds=seeds), None if together else is_here

    print("Each department, relevance by label:", BUDGETS)
    compare(webs(together=False))
    print("Both departments together, relevance by the model:", BUDGETS)
    compare(webs(together=True))


def sites(folder: Path, seeds: Path) -> None:
    web = read_web(folder)
    texts = read_web_texts(folder, web)
    labels = np.array(texts.labels.to_pylist(), dtype=object)
    urls = web.urls.to_pylist()
    rows = np.array([urls.index(line) for line in seeds.read_text().split()], dtype=np.int32)
    even = np.arange(web.n_pages) % 2 == 0
    for topic in sorted({str(label) for label in labels if label}):
        positive = (labels == topic) & even & web.is_target
        if positive.sum() < 20:
            continue
        model = learn(texts, positive, (labels != topic) & even, topic, web.target_lang)
        view = view_topic(texts, TopicLinkScorer(model))
        made = topic_web(web, view, topic, label=topic, within_language=True)
        print(f"{topic} in {web.target_lang}: {int(made.is_target.sum())} pages;", BUDGETS)
        compare([(replace(made, seeds=rows), None)])


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in {"webkb", "sites"}:
        sys.exit(__doc__)
    {"webkb": webkb, "sites": sites}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
