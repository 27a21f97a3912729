"""``scrapy model show`` and ``scrapy simulate --model``."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from in_process import run_command

from crawler_project.commands import model, simulate
from crawler_project.reports.learned import learned_parts
from crawler_project.strategies.adaptive import Adaptive

EXAMPLE = Path(__file__).parent.parent / "data" / "strategies-example.json"


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    assert run_command(simulate.Command(), EXAMPLE, "-a", "strategy=adaptive", "--model", path) == 0
    return path


def test_model_show_names_groups_weights_and_calibration(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run_command(model.Command(), "show", learned) == 0
    said = capsys.readouterr().out
    assert "learned from" in said
    assert "target th" in said
    assert "calibration" in said
    assert "pages that lead on" in said
    assert "parent target, same host" in said
    assert "hosts that looked good: " in said
    assert run_command(model.Command(), "show", learned, "--json") == 0
    assert json.loads(capsys.readouterr().out)["format"] == "crawler-adaptive/5"


def test_model_show_of_a_file_that_says_nothing_of_new_hosts(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = json.loads(learned.read_text())
    del state["new_hosts"]
    learned.write_text(json.dumps(state))
    capsys.readouterr()
    assert run_command(model.Command(), "show", learned) == 0
    assert "hosts that looked good" not in capsys.readouterr().out


def test_model_show_says_in_one_line_what_is_wrong(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learned.write_text('{"format": "crawler-adaptive/0"}')
    for arguments in (["show", learned], ["show"], ["hide", learned], ["show", "nothing.json"], []):
        capsys.readouterr()
        command = model.Command()
        assert run_command(command, *arguments) == 2
        error = capsys.readouterr().err
        assert error.startswith("scrapy model: ")
        assert error.count("\n") == 1


def test_simulate_writes_no_model_of_a_strategy_that_learns_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(simulate.Command(), EXAMPLE, "-a", "strategy=lswc", "--model", tmp_path / "m.json") == 2
    assert "learns nothing" in capsys.readouterr().err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
def test_state_with_any_part_exchanged_is_shown_or_refused_in_one_line(
    learned: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    state = json.loads(learned.read_text())
    at: Any = state
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.booleans()):
            at[key] = data.draw(JSON)
            break
        at = at[key]
    changed = learned.with_name("model.changed.json")
    changed.write_text(json.dumps(state))
    capsys.readouterr()
    code = run_command(model.Command(), "show", changed, "--all")
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == ((2, 1) if error else (0, 0))
    assert len(learned_parts([("a", learned.parent)])) == (1 if error else 2)
    if not error:
        strategy = Adaptive(start_from=str(changed))
        assert all(map(isfinite, [*strategy.learner.model.weights, *strategy.learner.ways.worth]))
