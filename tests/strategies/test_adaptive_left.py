"""The best links that were left, as a file."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Entry
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import ANCHOR_WORD, GROUPS, OF_LINK
from crawler_project.strategies.learning.left import LARGEST, LeftBehind, read_left, weigh_left, write_left
from crawler_project.strategies.learning.lookup import Kept, pack

EVIDENCE = pack(Kept(tuple(GROUPS[name].start for name in OF_LINK), (ANCHOR_WORD + 5,)))


def test_links_are_weighed_and_seeds_left_out():
    entries = [
        Entry("http://a.com/x", "a.com", evidence=EVIDENCE, referrer="http://b.com/"),
        Entry("http://seed.com/", "seed.com", why="seed"),
    ]
    (link,) = weigh_left(entries, Adaptive())
    assert (link.url, link.referrer, link.leads_on) == ("http://a.com/x", "http://b.com/", 0.0)
    assert 0 < link.chance < 1
    assert link.why.count("; ") == 2
    assert link.why.startswith("parent target, other site +0.3")


def test_links_are_in_the_order_of_the_priorities_that_they_show():
    entries = [Entry(f"http://a.com/{place}", "a.com", place, evidence=EVIDENCE) for place in (14.0, 12.5, 13.0)]
    assert [link.priority for link in weigh_left(entries, Adaptive())] == [12.5, 13.0, 14.0]


def test_links_of_a_file_of_an_earlier_version_have_no_priority(tmp_path):
    link = {"url": "http://a.kr/", "referrer": "", "why": "", "chance": 0.5, "leads_on": 0}
    (tmp_path / "left.json").write_text(json.dumps({"format": "crawler-left/1", "links": [link]}), encoding="utf-8")
    assert [link.priority for link in read_left(tmp_path / "left.json")] == [None]


LINKS = st.lists(
    st.builds(
        LeftBehind,
        st.text(max_size=30),
        st.text(max_size=30),
        st.floats(0, 1),
        st.floats(0, 1e6),
        st.text(max_size=30),
        st.none() | st.floats(-1e6, 1e6),
    ),
    max_size=5,
)


@given(links=LINKS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
def test_links_come_back(tmp_path, links):
    write_left(tmp_path / "left.json", links)
    assert read_left(tmp_path / "left.json") == links


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "crawler-left/1"}', '{"format": "crawler-left/1", "links": [{}]}', '{"format": "x"}',
     '{"format": "crawler-left/1", "links": [{"url": 1, "referrer": "", "why": "", "chance": 0, "leads_on": 0}]}',
     '{"format": "crawler-left/1", "links": [{"url": "", "referrer": "", "why": "", "chance": NaN, "leads_on": 0}]}',
     '{"format": "crawler-left/1", "links": [{"url": "", "referrer": "", "why": "", "chance": 0, "leads_on": 0, "priority": "1"}]}',
     "[" * 100_000, " " * (LARGEST + 1), json.dumps("x" * 100)],
)  # fmt: skip
def test_damaged_file_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "left.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        read_left(path)
    assert "\n" not in str(raised.value)
    with pytest.raises(ConfigurationError):
        read_left(tmp_path / "nothing.json")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_left(tmp_path / "no" / "left.json", [])
