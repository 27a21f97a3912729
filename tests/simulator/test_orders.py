"""Random webs, every strategy: the simulator's order is the naive reference's."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive_crawl import naive_crawl

from crawler_project.simulator.golden import golden_strategy, read_golden
from crawler_project.simulator.simulator import Simulator

HOSTS = ["a.th", "www.b.com", "c.com:8080", "d.org", "e.co.th", "f.net", "g.net"]
PATHS = ["/", "/x", "/x/", "/x/y", "/q?a=/b/", "/x/z?c"]
PARAMS = [
    *[{"strategy": name} for name in ("bfs", "perfect", "tld_anchor")],
    *[{"strategy": name, "inherit": inherit} for name in ("hard", "soft") for inherit in (True, False)],
    *[
        {"strategy": "lswc", "S": S, "T": T, "inherit": inherit}
        for S, T in ((1, 1), (1, 2), (2, 2), (2, 5), (3, 5))
        for inherit in (True, False)
    ],
    *[
        {"strategy": "filter", "unit": unit, "m": m, "theta": theta, "new_rule": rule, "recheck": recheck}
        for unit in ("host", "dir")
        for m, theta in ((1, 0.5), (2, 0.5), (2, 0.34), (0, 1.0))
        for rule in ("any", "target_parent", "tld")
        for recheck in (True, False)
    ],
    {"strategy": "filter", "m": 1, "theta": 0.6, "inherit": False},
]


def random_web(seed):
    """A small dense web; drawn from a seed, because lists that Hypothesis draws are too short to be webs."""
    rng = Random(seed)
    n = rng.randint(1, 30)
    pages = []
    for page_id in range(n):
        host, path = rng.choice(HOSTS), rng.choice(PATHS)
        url = f"http://{host}{path}{'&' if '?' in path else '' if path.endswith('/') else '-'}{page_id}"
        tld = host.partition(":")[0].rpartition(".")[2]
        lang = rng.choice(["th", "th", "english", "english", "other", "unknown", "unknown"])
        pages.append({"page_id": page_id, "url": url, "host": host, "tld": tld, "lang": lang})
    links = [(rng.randrange(n), rng.randrange(n), rng.choice(["th", "other"])) for _ in range(rng.randint(0, 4 * n))]
    links.sort(key=lambda link: link[0])
    seeds = [rng.randrange(n) for _ in range(rng.randint(1, 4))]
    return {
        "format": "langcrawl-golden/1",
        "target_lang": "th",
        "target_tlds": ["th"],
        "pages": pages,
        "links": [{"src": src, "dst": dst, "anchor_lang": lang} for src, dst, lang in links],
        "seeds": [pages[seed]["url"] for seed in seeds],
        "seed_ids": list(dict.fromkeys(seeds)),
    }


WEBS = st.integers(0, 2**32).map(random_web)


def simulate(web, params, path, gap=0):
    path.write_text(json.dumps(web))
    return list(Simulator(read_golden(path)[0], golden_strategy(params), gap).run(params.get("limit")))


SLOW_FOLDERS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW_FOLDERS)
@given(web=WEBS, rank=st.integers(0, 10**6))
def test_simulator_agrees_with_the_naive_reference(tmp_path, web, rank):
    for params in PARAMS[rank % 7 :: 7]:
        assert simulate(web, params, tmp_path / "web.json") == naive_crawl(web, params), params


LSWC_PARAMS = st.fixed_dictionaries(
    {"strategy": st.just("lswc"), "S": st.integers(1, 4), "T": st.integers(1, 6), "inherit": st.booleans()},
    optional={"limit": st.integers(1, 20)},
)


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW_FOLDERS)
@given(web=WEBS, params=LSWC_PARAMS)
def test_lswc_agrees_with_the_naive_reference(tmp_path, web, params):
    assert simulate(web, params, tmp_path / "web.json") == naive_crawl(web, params)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW_FOLDERS)
@given(web=WEBS, limit=st.integers(1, 10), rank=st.integers(0, len(PARAMS) - 1))
def test_limit_cuts_the_order_and_changes_nothing_else(tmp_path, web, limit, rank):
    whole = simulate(web, PARAMS[rank], tmp_path / "web.json")
    assert simulate(web, PARAMS[rank] | {"limit": limit}, tmp_path / "web.json") == whole[:limit]


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW_FOLDERS)
@given(web=WEBS, gap=st.integers(1, 4))
def test_host_rests_for_the_gap_whenever_others_have_work(tmp_path, web, gap):
    order = simulate(web, {"strategy": "bfs"}, tmp_path / "web.json", gap)
    assert Counter(order) == Counter(simulate(web, {"strategy": "bfs"}, tmp_path / "web.json"))
    assert order == polite_breadth_first(web, gap)


def polite_breadth_first(web, gap):
    """Breadth first among the hosts that rested ``gap`` turns since their latest download."""
    queue, order, ready_at, turn, seen = list(web["seed_ids"]), [], {}, 0, set(web["seed_ids"])
    while queue:
        page = next((p for p in queue if ready_at.get(web["pages"][p]["host"], 0) <= turn), None)
        turn += 1
        if page is None:
            continue
        queue.remove(page)
        order.append(page)
        ready_at[web["pages"][page]["host"]] = turn + gap
        for link in web["links"]:
            if link["src"] == page and link["dst"] not in seen:
                seen.add(link["dst"])
                queue.append(link["dst"])
    return order


@pytest.mark.parametrize("name", ["control", "lswc"])
def test_run_goes_on_where_it_was_left(tmp_path, name):
    web = {
        "format": "langcrawl-golden/1", "target_lang": "th", "target_tlds": ["th"],
        "pages": [{"page_id": i, "url": f"http://a.th/{i}", "host": "a.th", "tld": "th", "lang": "th"} for i in range(6)],
        "links": [{"src": i, "dst": i + 1, "anchor_lang": "th"} for i in range(5)],
        "seeds": ["http://a.th/0"],
    }  # fmt: skip
    (tmp_path / "web.json").write_text(json.dumps(web))
    simulator = Simulator(read_golden(tmp_path / "web.json")[0], golden_strategy({"strategy": name}))
    assert [*simulator.run(2), *simulator.run(4), *simulator.run()] == [0, 1, 2, 3, 4, 5]
    assert (simulator.downloads, simulator.relevant, simulator.queued) == (6, 6, 0)
