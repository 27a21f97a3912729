"""What is said of a link that was left."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from crawler_project.reports.left_link import LeftLink
from crawler_project.strategies.learning.features import GROUPS
from crawler_project.strategies.learning.weighing import Weighing

PARTS = ((GROUPS["host"].start + 1, -1.25), (GROUPS["anchor"].start, 0.5), (GROUPS["tld"].start, 0.0))
WAITING = LeftLink(
    "queued",
    "",
    18.5,
    0.75,
    "http://a.kr/",
    "learned 0.2",
    "more",
    "http://b.kr/",
    12.0,
    Weighing(0.32, 0.1, 0.75, -1.27, PARTS),
)


def test_waiting_link_says_where_it_stands_and_who_is_next():
    assert WAITING.state_line() == (
        "it waits in the queue, at priority 19.25 (18.50 of its own, +0.75 of its host); "
        "next in line is http://b.kr/ at 12.00, lower is sooner"
    )
    assert LeftLink("queued", priority=3.0).state_line() == "it waits in the queue, at priority 3.00"
    assert LeftLink("dead", "status 500").state_line() == "it failed too often: status 500"


def test_weighing_has_a_line_for_each_part_that_adds_something():
    assert list(WAITING.weighing_lines()) == [
        "as of the end of the crawl: on target with a chance of 32.0%, in log-odds -0.75, by",
        "   -1.25  host none of 1",
        "   +0.50  anchor other, other page, other site",
        "   and 1 that add nothing",
        "it is worth -1.27: that, and",
        "   +0.19  it leads on to 0.10 target pages a download if it is not on target",
        "   -0.71  75% of such requests give a page",
    ]
    assert list(LeftLink("done").weighing_lines()) == []
    assert list(LeftLink("queued", note="it is too large").weighing_lines()) == ["… it is too large"]


def test_figures_of_a_weighing_add_up_as_they_are_shown():
    shown = [float(line.split()[0]) for line in WAITING.weighing_lines() if line.startswith("   ") and "." in line]
    assert sum(shown) == pytest.approx(-1.27, abs=0.02)
    many = replace(WAITING, weighing=Weighing(0.5, 0.0, 1.0, 0.016, ((GROUPS["tld"].start, 0.004),) * 4))
    assert list(many.weighing_lines())[1:] == ["   and 4 that add +0.02 together"]


def test_everything_is_in_the_json():
    written = json.loads(json.dumps(WAITING.as_json()))
    assert (written["state"], written["priority"], written["offset"]) == ("queued", 18.5, 0.75)
    assert written["weighing"]["chance"] == 0.32
    assert written["weighing"]["parts"][0] == {"class": "host none of 1", "log_odds": -1.25}
    assert len(written["weighing"]["parts"]) == 3
    assert (written["weighing"]["of_page"], written["weighing"]["of_leading_on"]) == (-0.75, 0.192)
    assert written["weighing"]["of_answers"] == pytest.approx(-0.712, abs=1e-3)
    assert json.loads(json.dumps(LeftLink("unknown").as_json()))["weighing"] is None
