"""``scrapy model show`` and ``scrapy simulate --model``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import run_command

from crawler_project.commands import model, simulate

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
    assert "parent target, same host" in said
    assert run_command(model.Command(), "show", learned, "--json") == 0
    assert json.loads(capsys.readouterr().out)["format"] == "crawler-adaptive/2"


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
