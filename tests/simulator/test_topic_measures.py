"""Target recall, target length and admissions of simulated topic crawls (T11), against numbers counted by hand."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.topic_measures import path_lengths, reachable, topic_measures
from crawler_project.simulator.topic_web import topic_web, view_topic
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_texts import WebTexts
from crawler_project.strategies import make_strategy


class CountsGood:
    """A text is as relevant as it has ``good``, and irrelevant without."""

    def score_texts(self, texts):
        return [float(text.count("good")) or -1.0 for text in texts]


LINKS = [(0, 1, ("bad", "good", "good")), (0, 2, ("good good", "bad", "bad")), (0, 3, ("bad", "bad", "good")),
         (0, 4, ("bad", "bad", "bad")), (4, 5, ("good", "bad", "bad"))]  # fmt: skip
"""From, to, and the texts of block, anchor and context; page 6 is linked from nowhere."""
PAGES = ("bad", "good", "bad", "good", "bad", "good", "good")


@pytest.fixture
def web():
    n = len(PAGES)
    sources, targets = np.array([link[0] for link in LINKS]), np.array([link[1] for link in LINKS], dtype=np.int32)
    texts = ["bad", "good", "good good"]
    rows = np.array([[texts.index(text) for text in link[2]] for link in LINKS], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=n))])
    plain = Web(
        "en", frozenset(), pa.array([f"http://a.example/{i}" for i in range(n)], pa.large_string()), ["a.example"],
        np.zeros(n, np.int32), ["example"], np.zeros(n, np.int32), ["en", "und"], np.zeros(n, np.int16), offsets,
        targets, np.ones(len(LINKS), bool), np.array([0], np.int32),
    )  # fmt: skip
    found = WebTexts(
        pa.array(texts), np.array([texts.index(text) for text in PAGES], np.int32), pa.array([""] * n), *rows.T
    )
    return topic_web(plain, view_topic(found, CountsGood()), "good things")


def run(web, name, limit=None, **parameters):
    simulator = Simulator(web, make_strategy(name, **parameters))
    return list(simulator.run(limit)), simulator


def test_order_and_admissions_of_cbp_slc_follow_algorithm_4(web):
    order, simulator = run(web, "cbp_slc")
    assert order == [0, 2, 1, 3, 4, 5]  # block 2, anchor 1, context 1, refused, and block 1 behind it
    assert topic_measures(simulator)["admitted"] == {"anchor": 1, "block": 2, "context": 1, "refused": 1}


def test_target_recall_counts_what_breadth_first_reaches(web):
    assert reachable(web).tolist() == [True] * 6 + [False]
    for pages, recall in ((3, 1 / 3), (4, 2 / 3), (6, 1.0)):
        assert topic_measures(run(web, "cbp_slc", pages)[1])["target_recall"] == pytest.approx(recall)


def test_target_length_is_that_of_the_paths_taken(web):
    measures = topic_measures(run(web, "cbp_slc")[1])
    assert measures["target_length"] == 1 + 1 + 2
    assert measures["mean_target_length"] == pytest.approx(4 / 3)
    assert path_lengths([-1, 0, 1, 2, 0], [3, 4, 0]) == [3, 1, 0]


def test_hard_refusal_never_reaches_what_only_a_refused_page_links_to(web):
    order, simulator = run(web, "cbp_slc", refused="hard")
    assert order == [0, 2, 1, 3]
    assert topic_measures(simulator)["target_recall"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "rules"),
    [("breadth_first", {"link": 5}), ("best_first", {"page": 0, "refused": 5}), ("cbp", {"block": 2, "refused": 3})],
)
def test_each_strategy_says_what_admitted_its_links(web, name, rules):
    admitted = topic_measures(run(web, name)[1])["admitted"]
    assert admitted == {rule: count for rule, count in rules.items() if count}


def test_crawl_without_relevant_pages_measures_nothing(web):
    simulator = Simulator(replace(web, langs=np.ones(web.n_pages, np.int16)), make_strategy("cbp_slc"))
    list(simulator.run())
    measures = topic_measures(simulator)
    assert (measures["target_recall"], measures["target_length"], measures["mean_target_length"]) == (0.0, 0, 0.0)


def test_resumed_crawl_knows_what_admitted_its_links(web):
    first = run(web, "topic_learned", 2)[1]
    rest = Simulator(web, make_strategy("topic_learned"))
    rest.restore(first.arrays())
    list(rest.run())
    assert topic_measures(rest) == topic_measures(run(web, "topic_learned")[1])
