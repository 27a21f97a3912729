"""The model again, while the embedded frontier clears up behind discarded hosts a row at a time."""

from __future__ import annotations

from hypothesis.stateful import run_state_machine_as_test
from test_frontier_model import MANY, FrontierMachine

from crawler_project.frontier import dropped_lanes


def test_frontier_agrees_with_the_model_while_rows_of_discarded_hosts_are_still_there(new_frontier, monkeypatch):
    monkeypatch.setattr(dropped_lanes, "_COLLECTED", 1)
    machine = type("Machine", (FrontierMachine,), {"make": new_frontier})
    run_state_machine_as_test(machine, settings=MANY)
