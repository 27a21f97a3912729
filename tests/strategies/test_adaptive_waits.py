"""A URL that is hardly worth its download waits for hosts that rest."""

from __future__ import annotations

from collections import Counter

import pytest
from adaptive_web import small_web

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import SOON
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.timed_simulator import Pace, TimedSimulator
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive

GOOD, BAD = 40, 200


def two_hosts():
    """A seed that links to forty target pages of its host and to two hundred others of another one."""
    pages = [("a.th/", True), *((f"a.th/{row}", True) for row in range(GOOD)), *((f"b.com/{row}", False) for row in range(BAD))]  # fmt: skip
    return small_web(pages, [(0, row) for row in range(1, len(pages))])


def hosts_of(web, crawl, limit):
    return Counter(web.host(page) for page in crawl.run(limit))


def timed(web, wait, pace=Pace(workers=4)):  # noqa: B008 - a tuple
    return TimedSimulator(web, Adaptive(wait=wait), pace)


def test_free_slots_wait_while_a_better_host_rests():
    web = two_hosts()
    hasty, patient = (hosts_of(web, timed(web, wait), GOOD) for wait in (0.0, 0.5))
    assert hasty["b.com"] > 15
    assert patient["b.com"] < 6


def test_nothing_waits_longer_than_soon_for_a_host():
    web = two_hosts()
    rests = Pace(workers=4, delay=SOON + 1)
    assert hosts_of(web, timed(web, 0.5, rests), GOOD)["b.com"] > 15 / 4


def test_everything_is_downloaded_when_nothing_better_is_left():
    web = two_hosts()
    assert sorted(timed(web, 1.0).run()) == list(range(web.n_pages))


def test_one_worker_without_delay_never_waits():
    web = two_hosts()
    assert list(timed(web, 1.0, Pace(delay=0.0)).run()) == list(Simulator(web, Adaptive(wait=0.0)).run())


def test_seeds_and_what_is_worth_its_download_wait_for_nothing():
    web = two_hosts()
    simulator = Simulator(web, Adaptive(wait=0.5))
    list(simulator.run(30))
    evidence = {web.url(page): kept for page, kept in simulator._evidence.items()}
    strategy = simulator.strategy
    good, bad = f"http://a.th/{GOOD - 1}", f"http://b.com/{BAD - 1}"
    list(simulator.run(60))
    assert strategy.awaited(bad, "b.com", evidence[bad]) is not None
    assert strategy.awaited(good, "a.th", evidence[good]) is None
    assert strategy.awaited(bad, "b.com", "") is None
    strategy.wait = 0.0
    assert strategy.awaited(bad, "b.com", evidence[bad]) is None
    assert make_strategy("lswc").awaited(bad, "b.com", "") is None


@pytest.mark.parametrize("wait", ["-0.1", "1.1", "often"])
def test_wait_is_a_part(wait):
    with pytest.raises(ConfigurationError, match="wait"):
        make_strategy("adaptive", wait=wait)
