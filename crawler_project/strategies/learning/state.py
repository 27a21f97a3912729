"""A learned state as plain text: saved, looked at, and the start of another crawl."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from crawler_project.core.errors import ConfigurationError
from crawler_project.strategies.learning.features import GROUPS, PARTICULAR, describe_class, first_weights
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.model import OnlineModel
from crawler_project.strategies.learning.new_hosts import NO_NEW_HOSTS
from crawler_project.strategies.learning.stored import LARGEST_NUMBER, are_numbers, are_records, is_course, is_number
from crawler_project.strategies.learning.ways import Ways, ways_of

FORMAT = "crawler-adaptive/5"
"""Groups, classes, their order, and ways; a state of another one is refused, never guessed at."""
LARGEST = 1 << 24
"""Bytes of a file that is read at all."""
_MOST_WEIGHT = 100.0
SURE = 20.0
"""Squared gradients that a start from another crawl may have: it stays free to learn otherwise."""


def describe_state(learner: Learner, about: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Give what was learned as a JSON object; ``about`` says what it was learned from."""
    model, counts = learner.model, learner.ways.known()
    return {
        "format": FORMAT,
        "about": dict(about or {}),
        "examples": model.examples,
        "weights": _by_group(model.weights),
        "gradients": _by_group(model.gradients),
        "worth": {name: round(value, 4) for name, value in model.worth().items()},
        "calibration": [
            {"pages": pages, "expected": round(expected, 2), "target_pages": targets}
            for pages, expected, targets in model.calibration
        ],
        "history": list(model.history),
        "course": list(model.course),
        "new_hosts": learner.new_hosts.as_json(),
        "ways": {name: [round(value, 3) for value in row] for name, row in counts._asdict().items()},
    }


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write a state as JSON; an older file there is replaced as a whole.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(state, indent=1), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror or error}") from error


def read_state(path: Path) -> dict[str, Any]:
    """Read a state and check all of it.

    Raises:
        ConfigurationError: no such file, no learned state, a damaged one or one of another version.
    """
    try:
        size = path.stat().st_size
        if not size or size > LARGEST:
            what = "empty" if not size else f"too large ({size:,} bytes; {LARGEST:,} at most)"
            raise ConfigurationError(f"{path} is no learned state of this project: it is {what}")
        state = json.loads(path.read_text(encoding="utf-8"), parse_constant=partial(_refuse, path))
    except OSError as error:
        why = error.strerror or error
        raise ConfigurationError(
            f"learned state {path} cannot be read: {why}; give a model.json of a crawl with strategy=adaptive"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no learned state: it is no JSON") from error
    if not isinstance(state, dict) or "format" not in state:
        raise ConfigurationError(f"{path} is no learned state; one is written by a crawl with strategy=adaptive")
    if state["format"] != FORMAT:
        found = repr(state["format"])[:60]
        raise ConfigurationError(f"{path} has format {found}; this version reads {FORMAT!r}: learn it anew")
    _check(state, path)
    return state


def start_from(state: Mapping[str, Any]) -> Learner:
    """Make what a new crawl begins with: what was learned, but not what is true of one target only.

    Top-level domains and all words (of paths and anchors, also those that say what pages lead to) start afresh; all else, ways too, may be unlearned within some dozens of pages.
    """
    weights, gradients = first_weights(), [1.0] * len(first_weights())
    for name, group in GROUPS.items():
        if name in PARTICULAR:
            continue
        part = slice(group.start, group.start + group.size)
        weights[part] = state["weights"][name]
        gradients[part] = [min(SURE, gradient) for gradient in state["gradients"][name]]
    ways, counts = Ways(), ways_of(state["ways"])
    if counts is not None:
        ways.begin_with(counts)
    return Learner(OnlineModel(weights, gradients), ways)


class LearnedClass(NamedTuple):
    """One weight of a state, to be shown."""

    group: str
    text: str
    """What it stands for, with the group's name."""
    weight: float
    first: float
    """What it was before the first page."""
    evidence: float
    """The squared errors that moved it; what was foretold well moves nothing."""


def learned_classes(state: Mapping[str, Any], evidence: float) -> list[LearnedClass]:
    """Give the classes of a state with more than so much evidence, the largest weights first."""
    begun, found = first_weights(), []
    for name, group in GROUPS.items():
        pairs = zip(state["weights"][name], state["gradients"][name], strict=True)
        for row, (weight, gradient) in enumerate(pairs, group.start):
            if gradient - 1.0 > evidence:
                found.append(LearnedClass(name, describe_class(row), weight, begun[row], gradient - 1.0))
    return sorted(found, key=lambda row: -abs(row.weight))


def _refuse(path: Path, name: str) -> float:
    raise ConfigurationError(f"{path} is damaged: it holds {name}, which is no number")


def _by_group(values: list[float]) -> dict[str, list[float]]:
    return {
        name: [round(value, 4) for value in values[group.start : group.start + group.size]]
        for name, group in GROUPS.items()
    }


def _check(state: Mapping[str, Any], path: Path) -> None:
    for kind, low, high in (("weights", -_MOST_WEIGHT, _MOST_WEIGHT), ("gradients", 1.0, LARGEST_NUMBER)):
        groups = state.get(kind)
        if not isinstance(groups, dict):
            raise ConfigurationError(f"{path} is damaged: {kind} are missing")
        for name, group in GROUPS.items():
            values = groups.get(name)
            if not isinstance(values, list) or len(values) != group.size:
                raise ConfigurationError(f"{path} is damaged: {kind} of {name!r} are not {group.size} numbers")
            if not are_numbers(values, group.size, low, high):
                raise ConfigurationError(f"{path} is damaged: {kind} of {name!r} hold what is no number, or too much")
    _check_lists(state, path)
    for name, kind_of in (("about", dict), ("worth", dict), ("calibration", list), ("history", list)):
        if not isinstance(state.get(name), kind_of):
            raise ConfigurationError(f"{path} is damaged: {name} is missing")
    if not is_number(state.get("examples")):
        raise ConfigurationError(f"{path} is damaged: examples is no number")
    if ways_of(state.get("ways")) is None:
        raise ConfigurationError(f"{path} is damaged: ways hold what is no number, or too few")


def _check_lists(state: Mapping[str, Any], path: Path) -> None:
    """Calibration and history are there to be looked at, but what is looked at must be numbers."""
    keys = {"calibration": ("pages", "expected", "target_pages"), "history": ("examples", "target_share")}
    for name, wanted in keys.items():
        if isinstance(state.get(name), list) and not are_records(state[name], wanted):
            raise ConfigurationError(f"{path} is damaged: {name} holds what is no record of numbers")
    counts = state.get("new_hosts", NO_NEW_HOSTS)  # a file of an earlier version has none
    if not isinstance(counts, dict) or not all(is_number(counts.get(name)) for name in NO_NEW_HOSTS):
        raise ConfigurationError(f"{path} is damaged: new_hosts holds what is no number")
    worth = state.get("worth")
    if isinstance(worth, dict) and not all(map(is_number, worth.values())):
        raise ConfigurationError(f"{path} is damaged: worth holds what is no number")
    course, history = state.get("course"), state.get("history")
    if not isinstance(course, list) or not isinstance(history, list) or len(course) != len(history):
        raise ConfigurationError(f"{path} is damaged: course is not as long as history")
    if not is_course(course, len(history)):
        raise ConfigurationError(f"{path} is damaged: course holds what is no weight")
