"""Simulated time: the order under politeness, and how long a crawl takes."""

from pathlib import Path

import pytest

from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.recipe import THAI
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.timed_simulator import Pace, TimedSimulator
from crawler_project.strategies import make_strategy

EXAMPLE = Path(__file__).parent.parent / "data" / "strategies-example.json"
WEB, RUNS = read_golden(EXAMPLE)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_one_worker_without_delay_has_the_order_of_the_rules(run):
    assert list(TimedSimulator(WEB, run.strategy(), Pace(1, 0.5, 0.0)).run()) == list(run.order)


def test_one_worker_needs_the_latency_for_each_page():
    crawl = TimedSimulator(WEB, make_strategy("control"), Pace(1, 0.25, 0.0))
    assert crawl.seconds == 0.0
    assert len(list(crawl.run())) == 21
    assert crawl.seconds == pytest.approx(21 * 0.25)


def test_more_workers_are_faster_and_download_the_same():
    web = synthesize(THAI, 3000, 2)
    crawls = [TimedSimulator(web, make_strategy("control"), Pace(workers, 0.5, 1.0)) for workers in (1, 8)]
    orders = [sorted(crawl.run()) for crawl in crawls]
    assert orders[0] == orders[1] == list(range(3000))
    assert crawls[1].seconds < crawls[0].seconds / 2


def test_host_is_never_fetched_from_before_its_delay_has_passed():
    web = synthesize(THAI, 2000, 2)
    crawl = TimedSimulator(web, make_strategy("lswc"), Pace(4, 0.5, 2.0))
    ends = {}
    for page in crawl.run():
        host = int(web.hosts[page])
        if host in ends:
            assert crawl.seconds - 0.5 >= ends[host] + 2.0 - 1e-9
        ends[host] = crawl.seconds


def test_limit_ends_a_timed_crawl():
    crawl = TimedSimulator(WEB, make_strategy("control"), Pace(3, 0.5, 1.0))
    assert len(list(crawl.run(5))) == crawl.downloads == 5


def test_perfect_and_gap_free_simulator_agree_on_pages():
    pages = sorted(TimedSimulator(WEB, make_strategy("perfect"), Pace(5, 0.1, 0.3)).run())
    assert pages == sorted(Simulator(WEB, make_strategy("perfect")).run())
