"""What was learned, as a file and as a note: whole, damaged, of another version."""

from __future__ import annotations

import json

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.adaptive_features import (
    GROUPS,
    N_WEIGHTS,
    OF_LINK,
    PARTICULAR,
    describe_class,
    first_weights,
    pack,
    unpack,
)
from crawler_project.strategies.adaptive_model import OnlineModel
from crawler_project.strategies.adaptive_sharing import pack_knowledge, unpack_knowledge
from crawler_project.strategies.adaptive_state import describe_state, read_state, start_from, write_state
from crawler_project.strategies.adaptive_yield import YieldEstimate


@pytest.fixture(scope="module")
def learned():
    web = synthesize(recipe_for("ko"), 3000, 2)
    strategy = Adaptive()
    list(Simulator(web, strategy).run(800))
    return strategy.model


def test_state_is_written_and_read_whole(learned, tmp_path):
    path = tmp_path / "model.json"
    write_state(path, describe_state(learned, {"target": "ko"}))
    state = read_state(path)
    assert state["about"] == {"target": "ko"}
    assert state["examples"] == learned.examples
    again = start_from(state)
    host = GROUPS["host"]
    part = slice(host.start, host.start + host.size)
    assert again.weights[part] == pytest.approx(learned.weights[part], abs=1e-4)


def test_start_from_leaves_out_what_is_true_of_one_target_only(learned, tmp_path):
    path = tmp_path / "model.json"
    write_state(path, describe_state(learned))
    model = Adaptive(start_from=str(path)).model
    for name in PARTICULAR:
        group = GROUPS[name]
        part = slice(group.start, group.start + group.size)
        assert model.weights[part] == first_weights()[part]
    assert max(model.gradients) <= 20.0
    assert model.weights != first_weights()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda state: "{", "no JSON"),
        (lambda state: "[1]", "no learned state"),
        (lambda state: json.dumps({"a": 1}), "no learned state"),
        (lambda state: json.dumps(state | {"format": "crawler-adaptive/99"}), "format 'crawler-adaptive/99'"),
        (lambda state: json.dumps(state | {"weights": {}}), "weights of 'parent'"),
        (lambda state: json.dumps(state | {"gradients": None}), "gradients are missing"),
        (lambda state: json.dumps(state | {"weights": state["weights"] | {"host": ["x"] * 49}}), "weights of 'host'"),
        (lambda state: json.dumps(state).replace("0.0,", "NaN,", 1), "hold what is no number"),
        (lambda state: json.dumps(state | {"examples": "many"}), "examples"),
        (lambda state: json.dumps(state | {"history": [{"examples": "x"}]}), "history"),
        (lambda state: "[" * 100_000, "no JSON"),
    ],
)
def test_damaged_or_foreign_state_is_refused_in_one_line(learned, tmp_path, change, said):
    path = tmp_path / "model.json"
    path.write_text(change(describe_state(learned)))
    with pytest.raises(ConfigurationError, match=said) as raised:
        Adaptive(start_from=str(path))
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


def test_missing_state_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_state(tmp_path / "nothing.json")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_state(tmp_path / "no" / "model.json", {})


def test_knowledge_is_small_and_comes_back(learned):
    text = pack_knowledge(learned)
    known = unpack_knowledge(text)
    assert len(text) < 4096
    assert set(known.weights) == {row for row, gradient in enumerate(learned.gradients) if gradient > 1.0}
    assert all(abs(weight - learned.weights[row]) < 0.001 for row, weight in known.weights.items())


@pytest.mark.parametrize("text", ["", "x", "ÿ", "~" * 500, "0" * 200_000, pack_knowledge(OnlineModel())[:-3]])
def test_damaged_knowledge_is_none(text):
    assert unpack_knowledge(text) is None


def test_workers_meet_where_the_evidence_is():
    sure, unsure = OnlineModel(), OnlineModel()
    sure.weights[5], sure.gradients[5] = 2.0, 10.0
    unsure.weights[5], unsure.gradients[5] = -1.0, 2.0
    known = [unpack_knowledge(pack_knowledge(model)) for model in (sure, unsure)]
    sure.mix([known[1]])
    unsure.mix([known[0]])
    assert sure.weights[5] == pytest.approx(1.7, abs=0.05)
    assert unsure.weights[5] == pytest.approx(1.7, abs=0.05)
    before = list(sure.weights)
    sure.mix([])
    assert sure.weights == before


def test_every_class_is_described_and_evidence_survives_packing():
    texts = [describe_class(row) for row in range(N_WEIGHTS)]
    assert all(text and "\n" not in text for text in texts)
    first = [GROUPS[name].start for name in OF_LINK]
    last = [GROUPS[name].start + GROUPS[name].size - 1 for name in OF_LINK]
    assert [unpack(pack(rows)) for rows in (first, last)] == [tuple(first), tuple(last)]
    assert len(pack(last).encode()) <= 12


def test_explanation_names_the_chance_and_what_decided():
    web = synthesize(recipe_for("th"), 1000, 1)
    strategy = Adaptive()
    simulator = Simulator(web, strategy)
    said = []
    plain = strategy.evidence
    strategy.evidence = lambda visit, link: (said.append(strategy.explain(visit, link, 0.0)), plain(visit, link))[1]
    list(simulator.run(50))
    assert all(text.startswith(("learned 0.", "learned 1.00")) for text in said)
    assert any("parent target" in text for text in said)


def test_estimate_follows_what_comes_and_waits_for_a_thousand_downloads():
    estimate = YieldEstimate()
    for _ in range(999):
        estimate.add(0.001, False)
    assert not estimate.is_below(0.05)
    estimate.add(0.001, False)
    assert estimate.is_below(0.05)
    again = YieldEstimate.from_json(estimate.to_json())
    assert again.value == estimate.value
    for _ in range(500):
        estimate.add(0.9, True)
    assert estimate.value > 0.5
