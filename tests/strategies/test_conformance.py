"""What every strategy must do, run over all of them and over every variant of their parameters."""

import inspect
import itertools
import pickle
from typing import NamedTuple

import pytest

from crawler_project.core.values import NO_COUNTS, NO_SCORES, Counts, LinkScores, Visit
from crawler_project.strategies import STRATEGIES, Strategy, make_strategy

VARIANTS = [
    *[(name, {}) for name in STRATEGIES],
    ("hard_focused", {"inherit": "false"}),
    ("soft_focused", {"inherit": "false"}),
    ("lswc", {"S": "1", "T": "1"}),
    *[(name, {"refused": "hard"}) for name in ("best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc")],
    ("lswc", {"S": "2", "T": "2", "inherit": "no"}),
    *[
        (name, {"new": new, "recheck": recheck, "m": "2", "theta": "0.5"})
        for name, new, recheck in itertools.product(
            ("server_filter", "directory_filter"), ("aggressive", "conservative", "tld"), ("true", "false")
        )
    ],
]


class FakeLink(NamedTuple):
    url: str = "http://a.example/"
    host: str = "a.example"
    same_host: bool = True
    tld_is_target: bool = False
    anchor_is_target: bool = False
    tld_evidence: str = "tld example"
    anchor_evidence: str = "anchor und"
    counts: Counts = NO_COUNTS
    leads_to_target: bool = True
    scores: LinkScores = NO_SCORES
    anchor_text: str = ""
    context: str = ""


class BareLink(NamedTuple):
    """What the seam promises, and nothing more."""

    url: str
    host: str
    same_host: bool = False
    tld_is_target: bool = False
    anchor_is_target: bool = False
    tld_evidence: str = ""
    anchor_evidence: str = ""
    counts: Counts = NO_COUNTS
    scores: LinkScores = NO_SCORES
    anchor_text: str = ""
    context: str = ""


def visit(is_relevant=True, language="th", distance=1, is_seed=False):
    return Visit("http://a.example/", "a.example", language, language, is_relevant, is_relevant, distance, is_seed)


LINKS = [
    FakeLink(same_host=same, tld_is_target=tld, anchor_is_target=anchor, counts=counts)
    for same, tld, anchor, counts in itertools.product(
        (True, False), (True, False), (True, False), (NO_COUNTS, Counts(1, 0), Counts(3, 0), Counts(9, 1), Counts(9, 9))
    )
]
LINKS += [
    FakeLink(scores=LinkScores(*scores), anchor_text="course", context="our course")
    for scores in itertools.product((-0.5, 0.0, 0.7), repeat=3)
]
VISITS = [
    visit(relevant, language, distance, seed)
    for relevant, language, distance, seed in itertools.product(
        (True, False), ("th", "en", "und", ""), (1, 2, 5, 6), (True, False)
    )
]
VISITS += [visit()._replace(topic_score=score) for score in (-1.0, 0.3)]
ODD_LINKS = [
    BareLink("", ""),
    BareLink("\udcff\x00", "\udcff"),
    BareLink("http://" + "a" * 100_000, "x" * 1000),
    BareLink("javascript:alert(1)", "", counts=Counts(10**18, 0)),
]


@pytest.fixture(params=VARIANTS, ids=lambda variant: "-".join([variant[0], *variant[1].values()]))
def strategy(request):
    name, parameters = request.param
    return make_strategy(name, **parameters)


def test_strategy_answers_once_for_each_link(strategy):
    for page in VISITS:
        scores = strategy.score_links(page, LINKS)
        assert len(scores) == len(LINKS)
        assert all(score is None or (isinstance(score, float) and score >= 0) for score in scores)


def test_strategy_scores_no_links_as_nothing(strategy):
    assert list(strategy.score_links(VISITS[0], [])) == []


def copy_of(strategy):
    return pickle.loads(pickle.dumps(strategy))


def test_strategy_keeps_no_state_unless_it_learns(strategy):
    if learns(strategy):
        pytest.skip("its state is tested with it")
    before = dict(vars(strategy))
    first = [list(strategy.score_links(page, LINKS)) for page in VISITS]
    again = [list(strategy.score_links(page, LINKS)) for page in reversed(VISITS)][::-1]
    assert first == again
    assert vars(strategy) == before


def test_strategy_is_deterministic(strategy):
    def live(crawl):
        for page in VISITS:
            evidence = crawl.evidence(page, LINKS[0])
            yield list(crawl.score_links(page, LINKS))
            crawl.learn_one(evidence, page)
            yield crawl.judge_host_of(page, Counts(3, 1))

    assert list(live(copy_of(strategy))) == list(live(strategy))


def learns(strategy):
    return type(strategy).learn_one is not Strategy.learn_one


def test_strategy_scores_each_link_by_itself(strategy):
    if learns(strategy):
        pytest.skip("how many links a page has is evidence too")
    for page in VISITS[:8]:
        assert list(strategy.score_links(page, LINKS)) == [strategy.score_links(page, [link])[0] for link in LINKS]


def test_strategy_survives_pickling(strategy):
    copy = pickle.loads(pickle.dumps(strategy))
    assert (copy.name, copy.parameters()) == (strategy.name, strategy.parameters())
    assert [list(copy.score_links(page, LINKS)) for page in VISITS] == [
        list(strategy.score_links(page, LINKS)) for page in VISITS
    ]


def test_strategy_takes_odd_links(strategy):
    for page in VISITS:
        scores = strategy.score_links(page, ODD_LINKS)
        for link, score in zip(ODD_LINKS, scores, strict=True):
            assert isinstance(strategy.explain(page, link, 0.0 if score is None else score), str)


def test_strategy_explains_every_link_that_it_keeps(strategy):
    for page in VISITS:
        for link, score in zip(LINKS, strategy.score_links(page, LINKS), strict=True):
            if score is not None:
                words = strategy.explain(page, link, score)
                assert words.strip() == words
                assert words.split()[0]
                assert "\n" not in words


def test_strategy_stores_its_parameters_under_their_names(strategy):
    parameters = strategy.parameters()
    assert set(parameters) == set(inspect.signature(type(strategy)).parameters)
    assert make_strategy(strategy.name, **parameters).parameters() == parameters
    assert (
        make_strategy(strategy.name, **{key: str(value) for key, value in parameters.items()}).parameters()
        == parameters
    )


def test_strategy_judges_hosts_and_admits_by_counts_alone(strategy):
    for counts in {link.counts for link in LINKS}:
        assert strategy.judge_host(counts) == strategy.judge_host(Counts(*counts))
        assert isinstance(strategy.admits(counts), bool)


def test_strategy_names_the_unit_whose_counts_it_reads(strategy):
    def scores(unit_counts):
        return [strategy.score_links(page, [FakeLink(counts=unit_counts)])[0] for page in VISITS]

    reads_counts = scores(Counts(100, 0)) != scores(NO_COUNTS)
    assert strategy.unit in {"", "host", "directory"}
    assert reads_counts <= bool(strategy.unit)


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategy_is_documented_with_its_source(name):
    cls = STRATEGIES[name]
    assert cls.name == name
    assert issubclass(cls, Strategy)
    text = inspect.getdoc(cls)
    assert "Source:" in text
    assert text.splitlines()[0].endswith(".")
    assert inspect.getmodule(cls).__doc__


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategy_lives_in_a_file_of_its_name(name):
    assert inspect.getmodule(STRATEGIES[name]).__name__ == f"crawler_project.strategies.{name}"
