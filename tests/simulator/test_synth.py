"""The generated webs have the figures of the papers."""

from itertools import pairwise

import numpy as np
import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url, registered_domain, top_level_domain
from crawler_project.simulator.recipe import RECIPES, THAI, recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.stats import (
    UNREACHED,
    language_table,
    link_counts,
    nearest_target_distances,
    seed_distances,
    target_share_by_distance,
)
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web import first_repeat
from crawler_project.strategies import make_strategy

POINTS = 0.02
PAPER_TABLE_3 = {
    "home": (588_082, 344_679, 25_841, 182_957),
    "com": (903_792, 1_199_555, 130_767, 4_251_728),
    "net": (70_777, 158_065, 27_979, 612_909),
    "other": (143_587, 784_461, 292_502, 4_282_166),
}
PAPER_TABLE_4 = [
    {"all": 0.713, "same_domain": 0.830, "other_domain": 0.307, "same_server": 0.841, "other_server": 0.385},
    {"all": 0.031, "same_domain": 0.023, "other_domain": 0.062, "same_server": 0.030, "other_server": 0.032},
]
PAPER_TABLE_5 = [{"target_anchor": 0.811, "other_anchor": 0.660}, {"target_anchor": 0.026, "other_anchor": 0.027}]


@pytest.fixture(scope="module")
def thai():
    return synthesize(THAI, 60_000, 1)


def test_thai_web_has_table_3(thai):
    total = sum(map(sum, PAPER_TABLE_3.values()))
    for group, row in language_table(thai).items():
        for pages, paper in zip(row, PAPER_TABLE_3[group], strict=True):
            assert pages / thai.n_pages == pytest.approx(paper / total, abs=0.001)


def test_thai_web_has_tables_4_and_5(thai):
    for counts, *papers in zip(link_counts(thai), PAPER_TABLE_4, PAPER_TABLE_5, strict=True):
        for paper in papers:
            for kind, share in paper.items():
                assert getattr(counts, kind).share == pytest.approx(share, abs=POINTS), kind


def test_thai_web_has_the_paper_s_links_and_hosts_per_page(thai):
    assert thai.n_links / thai.n_pages == pytest.approx(8.85, abs=0.1)
    assert thai.n_pages / thai.n_hosts == pytest.approx(20.9, rel=0.25)


def test_host_sizes_follow_a_power_law(thai):
    sizes = np.sort(np.bincount(thai.hosts))[::-1]
    ranks = np.arange(1, len(sizes) + 1)
    top = slice(10, len(sizes) // 4)
    slope = np.polyfit(np.log(ranks[top]), np.log(sizes[top]), 1)[0]
    assert -1.8 < slope < -0.8
    assert sizes[0] > 50 * np.median(sizes)


def test_target_share_falls_with_the_distance_and_is_flat_from_seven(thai):
    shares = target_share_by_distance(thai)
    assert shares[0] == 1.0
    assert all(later <= earlier + 0.005 for earlier, later in pairwise(shares[:7]))
    assert shares[-1] == pytest.approx(0.1219, abs=0.002)
    assert all(share == pytest.approx(shares[-1], abs=0.005) for share in shares[7:])


def test_distances_between_nearest_target_pages_fall_exponentially(thai):
    shares = nearest_target_distances(thai)
    assert shares[0] > 0.9
    assert len(shares) <= 10
    assert all(0.1 < later / earlier < 0.7 for earlier, later in pairwise(shares[1:5]))


@pytest.mark.parametrize("target", RECIPES)
@pytest.mark.parametrize("n_pages", [100, 5_000])
def test_every_page_can_be_reached_and_is_named_once(target, n_pages):
    web = synthesize(recipe_for(target), n_pages, 3)
    assert web.n_pages == n_pages
    assert not (seed_distances(web) == UNREACHED).any()
    assert first_repeat(web.urls) is None
    assert web.is_target[web.seeds].all()
    assert web.targets.min() >= 0
    assert web.targets.max() < n_pages


def test_urls_have_the_host_and_domain_that_the_columns_say(thai):
    for page in range(0, thai.n_pages, 997):
        parts = canonical_url(thai.url(page))
        assert (parts.url, parts.host) == (thai.url(page), thai.host(page))
        assert top_level_domain(thai.host(page)) == thai.tld_names[thai.tlds[page]]
    domains = {registered_domain(name) for name in thai.host_names}
    assert all(domain.startswith("site") for domain in domains)


def test_hosts_of_the_target_s_web_are_nearly_full_of_it_or_nearly_empty(thai):
    pages = np.bincount(thai.hosts)
    shares = np.bincount(thai.hosts, weights=thai.is_target) / pages
    large = (pages > 100) & (shares > 0.01)
    assert np.average(shares >= 0.8, weights=pages * large) > 0.2
    assert np.average(shares <= 0.2, weights=pages * large) > 0.2
    of_targets = np.average(shares, weights=pages * shares)
    assert of_targets == pytest.approx(0.78, abs=0.08)


def test_lswc_harvests_early_and_ends_early_with_nearly_all(thai):
    crawl = Simulator(thai, make_strategy("lswc", S=1, T=1))
    for _ in crawl.run(limit=thai.n_pages // 14):
        pass
    assert crawl.relevant / crawl.downloads > 0.6
    for _ in crawl.run():
        pass
    assert crawl.downloads / thai.n_pages == pytest.approx(0.29, abs=0.05)
    assert crawl.relevant / thai.is_target.sum() > 0.93


def test_equal_arguments_give_equal_webs():
    first, second, other = (synthesize(THAI, 2_000, seed) for seed in (7, 7, 8))
    assert first.urls.equals(second.urls)
    assert np.array_equal(first.targets, second.targets)
    assert not np.array_equal(first.targets, other.targets)


@pytest.mark.parametrize(("target", "share"), [("ko", 0.6121), ("ja", 0.8746), ("zh", 0.8838)])
def test_other_recipes_have_the_share_of_target_pages_that_was_crawled(target, share):
    assert synthesize(recipe_for(target), 5_000, 1).is_target.mean() == pytest.approx(share, abs=0.002)


@pytest.mark.parametrize("pages", [0, 99, 1 << 40])
def test_synthesize_refuses_webs_too_small_or_large(pages):
    with pytest.raises(ConfigurationError, match=f"pages={pages}"):
        synthesize(THAI, pages, 1)


def test_recipe_for_lists_the_recipes():
    with pytest.raises(ConfigurationError, match="th, ko, ja, zh"):
        recipe_for("xx")


def test_focused_crawls_waste_less_and_perfect_least(thai):
    rates = {}
    for name in ("control", "experimental", "lswc", "perfect"):
        crawl = Simulator(thai, make_strategy(name))
        for _ in crawl.run():
            pass
        rates[name] = crawl.relevant / crawl.downloads
        assert crawl.queued == 0
    assert rates["control"] < rates["lswc"] < rates["perfect"]
    assert rates["control"] < rates["experimental"] < rates["perfect"]
