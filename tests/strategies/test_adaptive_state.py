"""What was learned, as a file and as a note: whole, damaged, of another version."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from math import isfinite

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import (
    ANCHOR_WORD,
    GROUPS,
    MOST_WORDS,
    N_WEIGHTS,
    OF_LINK,
    PARTICULAR,
    WAY_WORD,
    WAY_WORDS,
    WAYS,
    describe_class,
    first_weights,
)
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.lookup import Kept, pack, unpack
from crawler_project.strategies.learning.model import OnlineModel
from crawler_project.strategies.learning.new_hosts import NO_NEW_HOSTS
from crawler_project.strategies.learning.sharing import (
    VERSION,
    learn_from,
    pack_knowledge,
    told_classes,
    unpack_knowledge,
)
from crawler_project.strategies.learning.state import LARGEST, describe_state, read_state, start_from, write_state
from crawler_project.strategies.learning.ways import DOUBT, SURE_PAGES, WayCounts, Ways
from crawler_project.strategies.learning.yield_estimate import YieldEstimate


@pytest.fixture(scope="module")
def learned():
    web = synthesize(recipe_for("ko"), 3000, 2)
    strategy = Adaptive()
    list(Simulator(web, strategy).run(800))
    return strategy


def test_state_is_written_and_read_whole(learned, tmp_path):
    path = tmp_path / "model.json"
    write_state(path, describe_state(learned.learner, {"target": "ko"}))
    state = read_state(path)
    assert state["about"] == {"target": "ko"}
    assert state["examples"] == learned.learner.model.examples
    again = start_from(state).model
    host = GROUPS["host"]
    part = slice(host.start, host.start + host.size)
    assert again.weights[part] == pytest.approx(learned.learner.model.weights[part], abs=1e-4)


def test_start_from_leaves_out_what_is_true_of_one_target_only(learned, tmp_path):
    path = tmp_path / "model.json"
    write_state(path, describe_state(learned.learner))
    model = Adaptive(start_from=str(path)).learner.model
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
        (lambda state: json.dumps(state).replace("0.0,", "NaN,", 1), "it holds NaN"),
        (lambda state: json.dumps(state).replace("0.0,", "1e999,", 1), "hold what is no number"),
        (lambda state: json.dumps(state).replace("0.0,", f"{10**400},", 1), "hold what is no number"),
        (lambda state: json.dumps(state).replace("0.0,", "9" * 5000 + ",", 1), "no JSON"),
        (lambda state: json.dumps({key: value for key, value in state.items() if key != "ways"}), "ways"),
        (lambda state: json.dumps(state | {"ways": {"pages": [0.0] * 3, "finds": [0.0] * 3}}), "ways"),
        (lambda state: json.dumps(state | {"ways": state["ways"] | {"pages": [-1.0] * 180}}), "ways"),
        (lambda state: json.dumps(state | {"format": "crawler-adaptive/4"}), "this version reads 'crawler-adaptive/5'"),
        (lambda state: json.dumps(state | {"format": "x\n" * 9999}), "has format"),
        (lambda state: "", "it is empty"),
        (lambda state: "\0" * 99, "no JSON"),
        (lambda state: "\ufeff{}", "no JSON"),
        (lambda state: " " * (LARGEST + 1), "too large"),
        (lambda state: json.dumps(state | {"examples": "many"}), "examples"),
        (lambda state: json.dumps(state | {"history": [{"examples": "x"}]}), "history"),
        (lambda state: json.dumps(state | {"new_hosts": None}), "new_hosts"),
        (lambda state: json.dumps(state | {"new_hosts": {"pages": 3}}), "new_hosts"),
        (lambda state: json.dumps(state | {"new_hosts": state["new_hosts"] | {"most": "all"}}), "new_hosts"),
        (lambda state: "[" * 100_000, "no JSON"),
    ],
)
def test_damaged_or_foreign_state_is_refused_in_one_line(learned, tmp_path, change, said):
    path = tmp_path / "model.json"
    path.write_text(change(describe_state(learned.learner)))
    with pytest.raises(ConfigurationError, match=said) as raised:
        Adaptive(start_from=str(path))
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


def test_file_that_says_nothing_of_new_hosts_is_read(learned, tmp_path):
    path = tmp_path / "model.json"
    write_state(path, {name: part for name, part in describe_state(learned.learner).items() if name != "new_hosts"})
    assert Adaptive(start_from=str(path)).learner.new_hosts.as_json() == NO_NEW_HOSTS


def test_missing_state_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match=r"cannot be read: .*; give a model\.json of a crawl"):
        read_state(tmp_path / "nothing.json")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_state(tmp_path / "no" / "model.json", {})


def test_ways_are_saved_with_the_state_and_may_be_unlearned(learned, tmp_path):
    path = tmp_path / "model.json"
    learned.learner.ways.pages[3], learned.learner.ways.finds[3] = 200.0, 50.0
    learned.learner.ways.pages[4], learned.learner.ways.finds[4] = 8.0, 2.0
    write_state(path, describe_state(learned.learner))
    ways = Adaptive(start_from=str(path)).learner.ways
    assert ways.worth[3] == pytest.approx(5 / (SURE_PAGES + DOUBT))
    assert ways.worth[4] == pytest.approx(2 / (8 + DOUBT))
    assert max(ways.pages) == 0  # what it counts itself begins with nothing
    for _ in range(200):
        ways.add_page(3)
    assert ways.worth[3] < 0.025


def test_knowledge_is_small_and_comes_back(learned):
    text = pack_knowledge(learned.learner)
    known = unpack_knowledge(text)
    assert len(text) < 6000
    assert list(known.weights) == told_classes(learned.learner.model)
    assert all(abs(weight - learned.learner.model.weights[row]) < 0.001 for row, weight in known.weights.items())
    assert list(known.ways.pages) == pytest.approx(learned.learner.ways.pages)
    assert list(known.ways.finds) == pytest.approx(learned.learner.ways.finds, rel=1e-6)
    assert max(known.ways.pages) > 0


def test_largest_note_stays_below_33_kilobytes():
    """All classes and ways met, and no two values alike, so that nothing can be compressed away."""
    draw, model, ways = random.Random(1), OnlineModel(), Ways()
    model.weights = [draw.uniform(-9, 9) for _ in model.weights]
    model.gradients = [draw.uniform(2, 1e6) for _ in model.gradients]
    ways.resume(WayCounts([draw.uniform(1, 400) for _ in range(WAYS)], [draw.uniform(0, 900) for _ in range(WAYS)]))
    text = pack_knowledge(Learner(model, ways))
    assert len(text) < 33_000
    assert unpack_knowledge(text) is not None


def damaged_notes():
    good = pack_knowledge(Learner())
    packed = zlib.decompress(base64.b85decode(good))
    changed = [
        b"",
        packed[:-1],
        bytes([2]) + packed[1:],
        packed[:1] + b"\xff\xff" + packed[3:],
        packed + struct.pack("<Hff", WAYS, 1, 1),
        packed + struct.pack("<Hff", 3, float("nan"), 1),
        packed + struct.pack("<Hff", 3, 1, float("inf")),
        packed + struct.pack("<Hff", 3, -1, 1),
        struct.pack("<BHHhB", VERSION, 1, 60_000, 1, 1),
        bytes(200_000),
    ]
    texts = [base64.b85encode(zlib.compress(part)).decode() for part in changed]
    return [*texts, "", "x", "ÿ", "~" * 500, "0" * 200_000, good[:-3]]


@pytest.mark.parametrize("text", damaged_notes())
def test_damaged_knowledge_is_none(text):
    assert unpack_knowledge(text) is None


@given(st.one_of(st.text(max_size=300), st.binary(max_size=300).map(lambda raw: base64.b85encode(raw).decode())))
def test_note_of_any_text_never_raises(text):
    assert unpack_knowledge(text) is None


@given(st.binary(max_size=400))
def test_note_of_any_bytes_is_knowledge_in_bounds_or_none(raw):
    head = struct.pack("<BH", VERSION, len(raw) % 7)
    known = unpack_knowledge(base64.b85encode(zlib.compress(head + raw)).decode())
    if known is None:
        return
    assert all(row < N_WEIGHTS and isfinite(weight) for row, weight in known.weights.items())
    model, ways = OnlineModel(), Ways()
    learn_from(Learner(model, ways), [known, known])
    assert all(map(isfinite, [*model.weights, *ways.worth]))


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_state_of_any_bytes_is_refused_in_one_line(tmp_path, raw):
    path = tmp_path / "model.json"
    path.write_bytes(raw)
    with pytest.raises(ConfigurationError) as raised:
        read_state(path)
    assert "\n" not in str(raised.value)


def known(model):
    return unpack_knowledge(pack_knowledge(Learner(model)))


def test_worker_that_knows_less_is_told_and_one_that_knows_more_stays_as_it_is():
    sure, unsure = OnlineModel(), OnlineModel()
    sure.weights[5], sure.gradients[5] = 2.0, 10.0
    unsure.weights[5], unsure.gradients[5] = -1.0, 2.0
    of_sure, of_unsure = known(sure), known(unsure)
    before = list(sure.weights)
    learn_from(Learner(sure), [of_unsure])
    learn_from(Learner(unsure), [of_sure])
    assert sure.weights == before
    assert unsure.weights[5] == pytest.approx(1.7, abs=0.06)  # notes are rounded
    learn_from(Learner(sure), [])
    assert sure.weights == before


@given(st.floats(1, 1e6))
def test_note_claims_no_more_evidence_than_there_is(gradient):
    model = OnlineModel()
    model.gradients[5] = gradient
    told = known(model).gradients.get(5, 1.0)
    assert 0.93 * gradient <= told <= gradient * (1 + 1e-9)


def test_every_class_is_described_and_evidence_survives_packing():
    texts = [describe_class(row) for row in range(N_WEIGHTS)]
    assert all(text and "\n" not in text for text in texts)
    first = tuple(GROUPS[name].start for name in OF_LINK)
    last = tuple(GROUPS[name].start + GROUPS[name].size - 1 for name in OF_LINK)
    words = tuple(range(WAY_WORD - MOST_WORDS, WAY_WORD))
    way_words = tuple(range(N_WEIGHTS - 2 * WAY_WORDS, N_WEIGHTS))
    kept = [Kept(first, ()), Kept(last, words), Kept(last, words[:1], (WAY_WORD,)), Kept(last, words, way_words)]
    assert [unpack(pack(one)) for one in kept] == kept
    assert [len(pack(one).encode()) <= most for one, most in zip(kept, (28, 28, 28, 52), strict=True)] == [True] * 4


@pytest.mark.parametrize(
    "words",
    [[ANCHOR_WORD] * (MOST_WORDS + 1), [WAY_WORD] * (2 * WAY_WORDS + 1), [WAY_WORD, ANCHOR_WORD], [ANCHOR_WORD - 1], [N_WEIGHTS]],
)  # fmt: skip
def test_words_that_cannot_be_are_no_evidence(words):
    good = pack(Kept(tuple(GROUPS[name].start for name in OF_LINK), ()))
    assert unpack(good + chr(48)) is not None
    assert unpack(good + "".join(chr(48 + word - ANCHOR_WORD) for word in words)) is None


def test_words_are_told_only_when_something_was_learned_from_them():
    model = OnlineModel()
    word, place = GROUPS["words"].start, GROUPS["host"].start
    model.gradients[word] = model.gradients[place] = 1.5
    assert told_classes(model) == [place]
    model.gradients[word] = 2.5
    assert told_classes(model) == [place, word]


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
