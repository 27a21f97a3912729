"""The strategy that learns: what it may see, how it turns, how it ends."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from adaptive_web import PlainLink, small_web

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import NO_COUNTS, Counts, Visit
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.timed_simulator import Pace, TimedSimulator
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning import waiting
from crawler_project.strategies.learning.features import N_WEIGHTS


@pytest.fixture(scope="module")
def web():
    return synthesize(recipe_for("th"), 4000, 3)


def crawl(web, strategy=None, limit=None):
    return list(Simulator(web, strategy or Adaptive()).run(limit))


def test_label_of_a_page_not_yet_downloaded_changes_nothing(web):
    limit = 600
    order = crawl(web, limit=limit)
    flipped = web.langs.copy()
    unseen = np.setdiff1d(np.arange(web.n_pages), order)
    names = list(web.lang_names)
    flipped[unseen] = np.where(web.is_target[unseen], names.index("en"), names.index("th"))
    assert crawl(replace(web, langs=flipped), limit=limit) == order


def test_label_of_the_page_downloaded_last_has_no_part_in_its_own_selection(web):
    order = crawl(web, limit=300)
    langs = web.langs.copy()
    names = list(web.lang_names)
    langs[order[-1]] = names.index("en" if web.is_target[order[-1]] else "th")
    assert crawl(replace(web, langs=langs), limit=300) == order


def test_equal_crawls_are_equal(web):
    assert crawl(web, limit=500) == crawl(web, limit=500)


def test_crawl_to_the_end_downloads_every_page_that_can_be_reached_once(web):
    order = crawl(web)
    assert sorted(order) == sorted(Simulator(web, make_strategy("control")).run())


def test_saved_simulation_goes_on_as_if_it_had_not_stopped(web):
    whole = crawl(web, limit=500)
    first = Simulator(web, Adaptive())
    begun = list(first.run(200))
    second = Simulator(web, Adaptive())
    second.restore(first.arrays())
    assert begun + list(second.run(500)) == whole


def test_state_that_is_damaged_is_refused(web):
    simulator = Simulator(web, Adaptive())
    list(simulator.run(50))
    state = simulator.strategy.state()
    for name in state:
        with pytest.raises(ValueError, match=r"damaged|Expecting|JSON"):
            Adaptive().restore(state | {name: b"x"})


NAN = float("nan")
DAMAGE = [
    ("model", "weights", [NAN] * N_WEIGHTS),
    ("model", "weights", ["1"] * N_WEIGHTS),
    ("model", "weights", [0.0]),
    ("model", "gradients", [-5.0] * N_WEIGHTS),
    ("model", "examples", -1),
    ("model", "calibration", []),
    ("model", "calibration", [[1, 2]] * 10),
    ("model", "spread", {}),
    ("model", "history", [1]),
    ("model", "history", [{"examples": NAN, "target_share": 0.5}]),
    ("model", "course", [{"1": 0.5}]),
    ("expected", "_seen", -1),
    ("expected", "_chance", NAN),
    ("expected", "_target_long", "1"),
    ("waiting", "near", [[1e999, []]]),
    ("waiting", "near", [[1, [-1]]]),
    ("waiting", "links", [["http://a.th/", "a.th", "", NAN, 0]]),
]


@pytest.mark.parametrize(("part", "name", "value"), DAMAGE, ids=str)
def test_state_with_what_cannot_be_is_refused(web, part, name, value):
    simulator = Simulator(web, Adaptive())
    list(simulator.run(150))
    state = simulator.strategy.state()
    stored = json.loads(state[part])
    assert name in stored
    Adaptive().restore(state)
    with pytest.raises(ValueError, match="damaged"):
        Adaptive().restore(state | {part: json.dumps(stored | {name: value}).encode()})


@pytest.mark.parametrize("part", ["model", "ways", "heard", "waiting", "visited", "expected", "new_hosts"])
@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "{}", "1e999", '"x"', "[1, 2, 3]"], ids=lambda text: text[:10])
def test_state_that_is_json_of_another_kind_is_refused(web, part, text):
    simulator = Simulator(web, Adaptive())
    list(simulator.run(50))
    with pytest.raises(ValueError, match=r"damaged|Expecting"):
        Adaptive().restore(simulator.strategy.state() | {part: text.encode()})


def test_parameters_are_kept_as_what_they_are_read_as():
    assert Adaptive(explore="0.5", enough="100").parameters() == Adaptive(explore=0.5, enough=100).parameters()


def test_pages_are_calibrated_by_the_chance_that_they_were_given(web):
    """Also those of new hosts, which have a bound: the chance that links are explained with."""
    strategy = Adaptive()
    simulator = Simulator(web, strategy)
    given = [0.0] * 10
    page = next(simulator.run())
    for page in simulator.run(400):
        given[min(9, int(10 * strategy._chance))] += strategy._chance
        assert page >= 0
    found = [cell[1] for cell in strategy.learner.model.calibration]
    seeds = len(web.seeds) - 1
    given[5] -= 0.5 * seeds
    assert found == pytest.approx(given)


@pytest.mark.parametrize("is_target", [True, False])
def test_web_that_is_all_on_or_all_off_target_is_crawled_whole(web, is_target):
    names = list(web.lang_names)
    langs = np.full_like(web.langs, names.index("th" if is_target else "en"))
    uniform = replace(web, langs=langs)
    assert len(crawl(uniform)) == len(crawl(web))


def test_one_host_is_crawled_whole():
    pages = [(f"a.th/{row // 10}/{row}", row % 2 == 0) for row in range(200)]
    web = small_web(pages, [(row, end) for row in range(200) for end in (row + 1, row + 2) if end < 200])
    assert sorted(crawl(web)) == list(range(200))


def test_crawl_turns_away_from_a_host_that_turns_bad():
    """a.th shows 100 target pages and then none; b.com/ has target pages one by one."""
    pages = [("hub.th/", True)]
    pages += [(f"a.th/{row}", row < 100) for row in range(600)]
    pages += [(f"b.com/{row}", True) for row in range(300)]
    links = [(0, 1), (0, 601)]
    links += [(1 + row, 1 + end) for row in range(600) for end in range(row + 1, min(600, row + 8))]
    links += [(601 + row, 601 + end) for row in range(300) for end in range(row + 1, min(300, row + 3))]
    web = small_web(pages, links)
    order = crawl(web, limit=460)
    wasted = sum(100 < page <= 600 for page in order)
    assert web.is_target[order].sum() >= 390
    assert wasted <= 60


def test_link_farm_with_target_anchors_is_left_soon():
    """Ten farm hosts whose links say that they are on target and never are; a good host beside them."""
    farm = [(f"farm{row % 10}.com/{row}", False) for row in range(500)]
    good = [(f"good.com/{row}", True) for row in range(200)]
    pages = [("hub.th/", True), *farm, *good]
    links = [(0, 1 + row) for row in range(10)] + [(0, 501)]
    links += [(1 + row, 1 + (row * 7 + step) % 500) for row in range(500) for step in range(1, 9)]
    links += [(501 + row, 501 + end) for row in range(200) for end in range(row + 1, min(200, row + 3))]
    web = small_web(pages, links)
    web = replace(web, anchors=web.sources() < 501)
    order = crawl(web, limit=260)
    assert web.is_target[order].sum() >= 200


def test_lead_is_kept_when_hosts_rest_and_workers_are_many():
    web = synthesize(recipe_for("th"), 12_000, 5)

    def targets(name):
        polite = Simulator(web, make_strategy(name), gap=10)
        timed = TimedSimulator(web, make_strategy(name), Pace(workers=8))
        return [int(web.is_target[list(simulator.run(1200))].sum()) for simulator in (polite, timed)]

    ours, theirs = targets("adaptive"), targets("lswc")
    assert all(own >= other for own, other in zip(ours, theirs, strict=True)), (ours, theirs)


def test_crawl_stops_when_too_little_is_expected():
    pages = [(f"a.th/{row}", row < 1500) for row in range(6000)]
    web = small_web(pages, [(row, end) for row in range(6000) for end in (row + 1, row + 2) if end < 6000])
    strategy = Adaptive(stop_at_yield=0.05)
    order = crawl(web, strategy)
    assert int(web.is_target[order].sum()) == 1500
    assert 1500 < len(order) < 4500
    assert strategy.learner.expected.value < 0.05


def test_evidence_is_short_and_foreign_evidence_is_ignored():
    strategy = Adaptive()
    page = Visit("http://a.th/", "a.th", "th", "th", True, True, 1, True)
    for text in ("", "x", "ÿ" * 7, "\udcff" * 6, "0" * 5000, "0" * 7, "0" * 16):
        before = list(strategy.learner.model.weights)
        strategy.learn_one(text, page)
        assert strategy.learner.model.weights == before
        assert strategy.reconsider("http://a.th/", "a.th", 1.0, text) is None


def test_link_moves_up_when_its_directory_turns_out_well():
    """Six pages of a directory that nobody has seen; one of them is downloaded, and the others are worth more by then."""
    hub = Visit("http://hub.com/", "hub.com", "en", "en", False, False, 2, False)
    links = [PlainLink(f"http://a.com/d/{row}", "a.com") for row in range(6)]
    strategy = Adaptive()
    first = strategy.score_links(hub, links)
    assert strategy.revisions() == ()  # nothing was downloaded yet
    page = Visit("http://a.com/d/0", "a.com", "th", "th", True, True, 1, False)
    strategy.learn_one(strategy.evidence(hub, links[0]), page)
    revised = {revision.url: revision.priority for revision in strategy.revisions()}
    assert set(revised) == {link.url for link in links[1:]}
    assert all(priority < first[1] for priority in revised.values())
    assert strategy.revisions() == []  # each is told once


def test_crawl_that_outgrows_what_can_be_remembered_lets_all_links_come_up_again(web, monkeypatch):
    whole = crawl(web)
    monkeypatch.setattr(waiting, "MOST_WAITING", 50)
    strategy = Adaptive()
    simulator = Simulator(web, strategy)
    order = list(simulator.run(400))
    assert strategy.waiting.is_outgrown
    assert len(strategy.waiting) == 0
    assert strategy.revisions() == []
    assert sorted(order + list(simulator.run())) == sorted(whole)
    assert simulator.postponed > 0


def test_words_of_anchors_and_paths_tell_links_apart():
    """Of two links that are alike otherwise, the one whose words led to target pages before is sooner."""
    hub = Visit("http://hub.com/", "hub.com", "en", "en", False, False, 2, False)
    strategy = Adaptive()
    for row in range(40):
        is_target = row % 2 == 0
        text = "소설 목록" if is_target else "next page"
        link = PlainLink(f"http://h{row}.com/{'novel' if is_target else 'page'}/{row}", f"h{row}.com", text)
        strategy.score_links(hub, [link])
        language = "ko" if is_target else "en"
        strategy.learn_one(
            strategy.evidence(hub, link), Visit(link.url, link.host, language, language, is_target, is_target, 1, False)
        )
    new = [
        PlainLink("http://x.com/page/1", "x.com", "소설 읽기"),
        PlainLink("http://x.com/page/2", "x.com", "next"),
        PlainLink("http://x.com/novel/3", "x.com", "next"),
    ]
    by_anchor, plain, by_path = strategy.score_links(hub, new)
    assert by_anchor < plain
    assert by_path < plain


def test_counts_of_other_workers_are_believed():
    page = Visit("http://a.com/", "a.com", "en", "en", False, False, 1, False)
    alone, informed = Adaptive(), Adaptive()
    bad = informed.judge_host_of(page, Counts(1000, 0)).offset
    assert bad > alone.judge_host_of(page, NO_COUNTS).offset
    assert informed.judge_host_of(page, Counts(5000, 4990)).offset >= bad  # its own latest pages count more


def test_parameters_are_checked_and_shown_without_the_state():
    assert repr(make_strategy("adaptive", explore="0.5")) == (
        "Adaptive(enough=20000, explore=0.5, start_from='', stop_at_yield=0.0, wait=0.02)"
    )
    with pytest.raises(ConfigurationError, match="between -2 and 2"):
        Adaptive(explore=3.0)
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        make_strategy("adaptive", stop_at_yield="7")
