"""What pages off target lead to."""

from __future__ import annotations

import json
from math import exp

import pytest
from adaptive_web import PlainLink, small_web

from crawler_project.core.values import Visit
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import WAY_WORD, WAYS, describe_way
from crawler_project.strategies.learning.memory import url_slot
from crawler_project.strategies.learning.model import MOST_FACTOR, OnlineModel
from crawler_project.strategies.learning.ways import DOUBT, LEAST, MOST_PAGES, WayCounts, Ways, lift
from crawler_project.strategies.learning.words import anchor_words, way_words_of_anchor


def test_worth_is_finds_a_page_with_some_doubt():
    ways = Ways()
    for _ in range(15):
        ways.add_page(7)
    for _ in range(10):
        ways.add_find(7, 1.0)
    assert ways.worth[7] == pytest.approx(10 / (15 + DOUBT))
    assert ways.worth[8] == 0


def test_lift_adds_to_the_odds_and_leaves_unknown_ways_alone():
    ways = Ways()
    ways.add_page(3)
    ways.add_find(3, 1.0)
    assert exp(lift(-2.0, ways.worth[3])) == pytest.approx(exp(-2.0) + ways.worth[3])
    assert lift(-2.0, ways.worth[4]) == -2.0
    assert lift(1e9, ways.worth[3]) == pytest.approx(30, abs=0.01)


def test_old_pages_of_a_way_count_less_and_less():
    ways = Ways()
    for _ in range(2000):
        ways.add_page(0)
        ways.add_find(0, 1.0)
    for _ in range(4000):
        ways.add_page(0)
    assert ways.pages[0] <= MOST_PAGES
    assert ways.worth[0] < 20 * LEAST


def test_ways_come_back_from_json_and_damaged_ones_are_refused():
    ways = Ways()
    ways.add_page(WAYS - 1)
    ways.add_find(WAYS - 1, 0.5)
    ways.mix([WayCounts([3.0] * WAYS, [1.0] * WAYS)])
    ways.begin_with(WayCounts([90.0] * WAYS, [30.0] * WAYS))
    again = Ways.from_json(ways.to_json())
    assert (again.pages, again.finds, again.worth) == (ways.pages, ways.finds, ways.worth)
    assert again.known() == ways.known()
    for text in (
        "{}",
        "[]",
        "[[1], [2]]",
        json.dumps(json.loads(ways.to_json())[:2]),
        ways.to_json().replace("0.5", "-1"),
        ways.to_json().replace("0.5", "null"),
        "x",
    ):
        with pytest.raises(ValueError, match=r"damaged|Expecting"):
            Ways.from_json(text)


def counted(*downloads: tuple[int, float]) -> Ways:
    """``(way, target pages found through it)``, one a download."""
    ways = Ways()
    for way, found in downloads:
        ways.add_page(way)
        if found:
            ways.add_find(way, found)
    return ways


def test_two_workers_that_tell_each_other_know_what_one_that_saw_both_would():
    one = [(5, 1.0), (5, 0.0), (9, 0.0)] * 20
    other = [(5, 0.0), (9, 1.0), (11, 0.5)] * 30
    both, first, second = counted(*one, *other), counted(*one), counted(*other)
    first.mix([second.own()])
    second.mix([first.own()])
    assert first.worth == pytest.approx(both.worth)
    assert second.worth == pytest.approx(both.worth)


def test_telling_twice_counts_once_and_the_latest_holds():
    first, second = counted((5, 0.0)), counted((5, 1.0))
    for _ in range(7):
        first.mix([second.own()])
        second.mix([first.own()])
    assert first.worth[5] == second.worth[5] == pytest.approx(1 / (2 + DOUBT))
    second.add_page(5)
    first.mix([second.own()])
    assert first.worth[5] == pytest.approx(1 / (3 + DOUBT))
    first.mix([])
    assert first.worth[5] == 0


def test_many_workers_do_not_drown_what_one_sees_itself():
    told = [WayCounts([MOST_PAGES] * WAYS, [MOST_PAGES] * WAYS)] * 20
    ways = counted(*[(5, 0.0)] * 300)
    ways.mix(told)
    assert sum(ways.told.pages[:1]) == MOST_PAGES
    assert ways.worth[5] == pytest.approx(MOST_PAGES / (MOST_PAGES + 300 + DOUBT))


def test_finds_without_pages_are_believed_in_part_only():
    """As told, or begun with: they would outweigh for ever what this crawl sees itself."""
    nothing, very_many = [0.0] * WAYS, [1e6] * WAYS
    told, begun = Ways(), Ways()
    told.mix([WayCounts(nothing, very_many)])
    begun.begin_with(WayCounts(nothing, very_many))
    for ways in (told, begun):
        assert ways.worth[3] == pytest.approx(20)
        for _ in range(60):
            ways.add_page(3)
        assert ways.worth[3] < 2


def test_find_of_one_worker_is_held_against_the_pages_of_another():
    """The page off target was downloaded by one worker, what it led to by another."""
    finder, opener = Ways(), counted(*[(5, 0.0)] * 40)
    for _ in range(10):
        finder.add_find(5, 1.0)
    assert finder.worth[5] == 10 / DOUBT
    finder.mix([opener.own()])
    assert finder.worth[5] == 10 / (40 + DOUBT)


def test_every_way_has_a_name_of_its_own():
    assert len({describe_way(way) for way in range(WAYS)}) == WAYS


def test_pages_that_lead_to_target_pages_are_preferred_to_those_that_lead_nowhere():
    """Of a.th, pages linked once lead through to a target page, pages linked thrice lead nowhere; none is on target."""
    pages, links = [(f"a.th/{row}", True) for row in range(150)], [(row, row + 1) for row in range(149)]
    gates, ends, dull = [], [], []
    for row in range(150):
        gate = len(pages)
        pages += [(f"a.th/g{row}", False), (f"a.th/h{row}", True), (f"a.th/n{row}", False)]
        links += [(row, gate), (gate, gate + 1)]
        links += [((row + step) % 150, gate + 2) for step in range(3)]
        gates.append(gate)
        ends.append(gate + 1)
        dull.append(gate + 2)
    order = list(Simulator(small_web(pages, links), Adaptive()).run(520))
    fetched = set(order)
    assert len(fetched & set(gates)) > 1.5 * len(fetched & set(dull))
    assert len(fetched & set(ends)) > 100


@pytest.mark.parametrize("leading", ["people/list", "press/about"])
def test_words_say_what_pages_lead_to_on_hosts_never_seen(leading):
    """The front page of each host links to one page off target: on every second host it leads to six target pages, and has a name of its own."""
    pages, links, gates = [], [], {"people/list": [], "press/about": []}
    for row in range(80):
        name = ("people/list", "press/about")[row % 2]
        gate = len(pages) + 1
        gates[name].append(gate)
        pages += [(f"h{row}.th/", True), (f"h{row}.th/{name}", False)]
        links.append((gate - 1, gate))
        if name == leading:
            links += [(gate, gate + 1 + number) for number in range(6)]
            pages += [(f"h{row}.th/{number}", True) for number in range(6)]
    fronts = [page for page, (url, _) in enumerate(pages) if url.endswith("/")]
    order = list(Simulator(small_web(pages, links, fronts), Adaptive()).run())
    first = [page for page in order if page in gates["people/list"] + gates["press/about"]][:50]
    assert len(set(first) & set(gates[leading])) >= 39


def test_words_of_the_anchor_by_which_a_page_was_found_are_praised():
    strategy = Adaptive()
    page = Visit("http://a.th/1", "a.th", "en", "en", is_target=False, is_relevant=False, distance=1, is_seed=False)
    found = page._replace(url="http://a.th/2", language="th", is_target=True)
    link = PlainLink("http://a.th/1", "a.th", "Staff", same_host=True)
    for _ in range(20):
        evidence = strategy.evidence(page._replace(url="http://a.th/", is_target=True), link)
        strategy.learn_one(evidence, page)
        onward = strategy.evidence(page, PlainLink(found.url, "a.th", same_host=True))
        strategy.learner.memory.targets[url_slot(found.url)] = 0
        strategy.learn_one(onward, found)
    staff, other = (
        strategy.learner.model.factor(way_words_of_anchor(anchor_words(text))) for text in ("staff", "press")
    )
    assert staff > 1.2 * other


def test_factor_is_bounded():
    model = OnlineModel()
    for _ in range(200):
        model.learn_way([WAY_WORD], 50.0)
        model.learn_way([WAY_WORD + 1], -50.0)
    assert model.factor([WAY_WORD]) == exp(MOST_FACTOR)
    assert model.factor([WAY_WORD + 1]) == exp(-MOST_FACTOR)
    assert model.factor([]) == 1.0
