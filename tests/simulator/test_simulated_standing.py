"""Where a page of a saved simulation is, and what it is worth."""

from __future__ import annotations

import numpy as np
import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.saved_simulation import save_simulation
from crawler_project.simulator.simulated_standing import find_standing, open_simulation
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies import make_strategy
from crawler_project.strategies.learning.model import chance_of


@pytest.fixture(scope="module")
def web():
    return synthesize(recipe_for("th"), 1500, 4)


@pytest.fixture(params=["adaptive", "lswc"])
def saved(request, web, tmp_path):
    simulator = Simulator(web, make_strategy(request.param))
    order = list(simulator.run(300))
    save_simulation(simulator, 0, tmp_path / "state.npz")
    return simulator, order, tmp_path / "state.npz"


def test_page_is_found_wherever_it_is(web, saved):
    before, order, path = saved
    simulator = open_simulation(web, path)
    states = {before.place(page).state: page for page in range(web.n_pages)}
    assert set(states) == {"unknown", "queued", "downloaded"}
    for state, page in states.items():
        standing = find_standing(simulator, web.url(page))
        assert standing.state == state
        assert bool(standing.chain) == (state != "unknown")
    assert find_standing(simulator, web.url(order[-1]).removeprefix("http://")).state == "downloaded"
    assert find_standing(simulator, "http://nowhere.example/").state == "nowhere"
    assert find_standing(simulator, "\ud800 no address").state == "nowhere"


def test_chain_leads_from_a_seed_over_downloaded_pages(web, saved):
    _, order, path = saved
    chain = find_standing(open_simulation(web, path), web.url(order[-1])).chain
    urls = [web.url(page) for page in order]
    assert chain[0].url in {web.url(seed) for seed in web.seeds}
    places = [urls.index(stop.url) for stop in chain]
    assert places == sorted(places)
    assert chain[-1].url == urls[-1]


def test_queued_page_is_weighed_as_the_strategy_would(web, saved):
    before, _, path = saved
    page = next(page for page in range(web.n_pages) if before.place(page).state == "queued")
    standing = find_standing(open_simulation(web, path), web.url(page))
    place = before.place(page)
    assert (standing.priority, standing.offset) == (place.priority, place.offset)
    if before.strategy.name == "lswc":
        assert standing.weighing is None
        return
    assert standing.weighing == before.strategy.weigh(web.url(page), web.host(page), place.evidence)
    assert standing.weighing.chance == pytest.approx(chance_of(sum(value for _, value in standing.weighing.parts)))


def test_file_that_is_no_simulation_of_this_web_is_refused_in_one_line(web, saved, tmp_path):
    _, _, path = saved
    (tmp_path / "bad.npz").write_bytes(b"PK nothing")
    np.savez(tmp_path / "other.npz", described=np.array('{"strategy": "Unheard", "parameters": {}, "gap": 0}'))
    np.savez(tmp_path / "empty.npz", x=np.zeros(1))
    for name, said in (("bad", "no saved"), ("other", "'Unheard'"), ("empty", "no saved"), ("none", "no saved")):
        with pytest.raises(ConfigurationError, match=said) as raised:
            open_simulation(web, tmp_path / f"{name}.npz")
        assert "\n" not in str(raised.value)
    with pytest.raises(ConfigurationError, match="another simulation"):
        open_simulation(synthesize(recipe_for("th"), 1500, 5), path)


DAMAGE = {
    "state": [lambda own: own[:10], lambda own: own + 7, lambda own: own.astype(np.int64)],
    "priorities": [lambda own: own[:10], lambda own: own * np.nan],
    "parents": [lambda own: own[:10]],
    "page_of": [lambda own: own + 100_000, lambda own: own - 100_000],
    "evidence": [lambda own: np.frombuffer(b"[1]", np.uint8)],
    "strategy waiting": [lambda own: np.frombuffer(b'{"near": [[1e999, []]]}', np.uint8)],
    "offsets": [lambda own: own[:, :1]],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, made in DAMAGE.items() for number in range(len(made))]
)
def test_saved_simulation_that_is_damaged_costs_one_line(web, saved, name, number):
    path = saved[2]
    with np.load(path, allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    if name not in arrays:
        assert saved[0].strategy.name == "lswc"  # which learns nothing
        return
    arrays[name] = DAMAGE[name][number](arrays[name])
    np.savez(path, allow_pickle=False, **arrays)
    with pytest.raises(ConfigurationError, match="damaged"):
        open_simulation(web, path)
