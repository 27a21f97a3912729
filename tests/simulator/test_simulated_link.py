from pathlib import Path

import pytest

from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.simulated_link import LazyLinks
from crawler_project.simulator.simulator import Simulator
from crawler_project.strategies import Strategy

WEB, _ = read_golden(Path(__file__).parent.parent / "data" / "strategies-example.json")


class Curious(Strategy):
    """Looks at everything that a link and a page have, in every way that a sequence allows."""

    name = "curious"
    unit = "directory"

    def __init__(self):
        self.seen = []

    def score_links(self, visit, links):
        assert links[-1] == list(links)[-1] == links[len(links) - 1]
        assert list(links[:1]) == [links[0]]
        self.seen.append((visit, list(links)))
        return [0.0] * len(links)


@pytest.fixture(scope="module")
def seen():
    strategy = Curious()
    list(Simulator(WEB, strategy).run())
    return strategy.seen


def test_links_say_what_the_dataset_says(seen):
    visit, links = seen[0]
    assert (visit.url, visit.host, visit.language, visit.is_seed, visit.distance) == (
        "http://www.a.co.th/",
        "www.a.co.th",
        "th",
        True,
        1,
    )
    assert [link.url for link in links] == [
        "http://www.a.co.th/1",
        "http://www.a.co.th/2",
        "http://www.c.com/",
        "http://ads.d.net/",
    ]
    assert [link.host for link in links] == ["www.a.co.th", "www.a.co.th", "www.c.com", "ads.d.net"]
    assert [link.same_host for link in links] == [True, True, False, False]
    assert [link.tld_is_target for link in links] == [True, True, False, False]
    assert [link.anchor_is_target for link in links] == [True, False, False, True]
    assert [link.tld_evidence for link in links] == ["tld th", "tld th", "tld com", "tld net"]
    assert [link.anchor_evidence for link in links] == ["anchor th", "anchor other", "anchor other", "anchor th"]
    assert [link.counts.pages for link in links] == [1, 1, 0, 0]
    assert not any(link.leads_to_target for link in links)


def test_visits_have_codes_for_languages(seen):
    languages = {visit.url: (visit.language, visit.effective_language) for visit, _ in seen}
    assert languages["http://www.a.co.th/2"] == ("en", "en")
    assert languages["http://www.b.com/x/1"] == ("und", "th")


def test_lazy_links_are_made_once_and_only_when_looked_at():
    made = []
    links = LazyLinks(2, lambda: made.append(1) or ["first", "second"])
    assert (len(links), made) == (2, [])
    assert (links[1], list(links), "first" in links, made) == ("second", ["first", "second"], True, [1])
