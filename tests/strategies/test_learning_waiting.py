"""Links that wait: who is looked at, who is forgotten, what is stored."""

from __future__ import annotations

import json

import pytest

from crawler_project.strategies.learning import waiting as room
from crawler_project.strategies.learning.features import ANCHOR_WORD, GROUPS, OF_LINK
from crawler_project.strategies.learning.lookup import Kept, Place
from crawler_project.strategies.learning.waiting import IN_TURN, LET_GO, LONGEST, NEAR, Waiting, WaitingLink

KEPT = Kept(tuple(GROUPS[name].start for name in OF_LINK), (ANCHOR_WORD + 1,))


def place_of(url, host):
    """Directories of ten pages; slots below a hundred are hosts."""
    number = int(url)
    return Place((GROUPS["tld"].start,), 10_000 + number, int(host), 0, 100 + number // 10)


def filled(count, hosts=2):
    waiting = Waiting()
    for number in range(count):
        url, host = str(number), str(number % hosts)
        assert waiting.add(url, WaitingLink(KEPT, place_of(url, host), host, 16.0))
    return waiting


def urls_of(links):
    return [int(url) for url, _ in links]


def test_neighbours_come_first_then_all_in_turn():
    waiting = filled(100)
    assert urls_of(waiting.due(103, 1)) == [*range(30, 40), *range(1, 2 * NEAR, 2), *range(IN_TURN)]
    assert urls_of(waiting.due(103, 1))[10:] == [*range(1 + 2 * NEAR, 1 + 4 * NEAR, 2), *range(IN_TURN, 2 * IN_TURN)]
    assert urls_of(waiting.due(999, 999)) == [*range(2 * IN_TURN, 3 * IN_TURN)]


def test_downloaded_links_are_not_looked_at():
    waiting = filled(100)
    for number in range(30, 39):
        waiting.drop(str(number))
    assert urls_of(waiting.due(103, 999))[0] == 39
    assert len(waiting) == 91
    for _ in range(40):
        assert not set(urls_of(waiting.due(103, 1))) & set(range(30, 39))


def test_names_of_what_is_gone_do_not_pile_up():
    waiting = Waiting()
    for number in range(20_000):
        url = str(number)
        waiting.add(url, WaitingLink(KEPT, place_of(url, "1"), "1", 16.0))
        waiting.drop(url)
    assert sum(map(len, waiting._near.values())) < 3000


def test_longest_urls_are_not_remembered():
    waiting = filled(3)
    link = WaitingLink(KEPT, place_of("4", "0"), "0", 16.0)
    assert not waiting.add("x" * (LONGEST + 1), link)
    assert waiting.add("x" * LONGEST, link)
    assert len(waiting) == 4
    assert not waiting.is_outgrown


def test_outgrown_is_for_good_and_lets_all_go(monkeypatch):
    monkeypatch.setattr(room, "MOST_WAITING", 50)
    waiting = filled(50)
    assert not waiting.is_outgrown
    assert not waiting.add("50", WaitingLink(KEPT, place_of("50", "0"), "0", 16.0))
    assert waiting.is_outgrown
    assert urls_of(waiting.let_go()) == list(range(LET_GO))
    assert urls_of(waiting.let_go()) == list(range(LET_GO, 50))
    assert urls_of(waiting.let_go()) == []
    assert not waiting.add("1", WaitingLink(KEPT, place_of("1", "0"), "0", 16.0))
    assert Waiting.from_json(waiting.to_json(), place_of).is_outgrown


def test_stored_row_goes_on_as_it_was():
    waiting = filled(60)
    for slot in (102, 103, 104):
        list(waiting.due(slot, 1))
    for number in (1, 22, 45):
        waiting.drop(str(number))
    again = Waiting.from_json(waiting.to_json(), place_of)
    for slot in (102, 104, 105, 100, 101):
        assert list(again.due(slot, 0)) == list(waiting.due(slot, 0))


@pytest.mark.parametrize(
    "change",
    [
        lambda stored: "{",
        lambda stored: "[]",
        lambda stored: json.dumps(stored | {"links": [["1", "1", "x", 1.0, 1.0]]}),
        lambda stored: json.dumps(stored | {"links": [[1, "1", stored["links"][0][2], 1.0, 1.0]]}),
        lambda stored: json.dumps(stored | {"links": [[*stored["links"][0][:3], float("nan"), 1.0]]}),
        lambda stored: json.dumps(stored | {"near": [[1, [999]]]}),
        lambda stored: json.dumps(stored | {"near": [["x", [0]]]}),
        lambda stored: json.dumps({"links": []}),
        lambda stored: "[" * 100_000,
    ],
)
def test_damaged_row_is_refused(change):
    stored = json.loads(filled(3).to_json())
    with pytest.raises(ValueError, match="the links that wait are damaged"):
        Waiting.from_json(change(stored), place_of)
