"""What a step writes, whole or not at all, and continued after it was killed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.step_output import write_step

HEADER = ["url", "n"]


def rows(skip: int, stop: int = 10, fail: int = 99) -> Iterator[list[str]]:
    for number in range(skip, stop):
        if number == fail:
            raise KeyboardInterrupt
        yield [f"http://{number}.kr/", str(number)]


def whole() -> str:
    return "url,n\n" + "".join(f"http://{n}.kr/,{n}\n" for n in range(10))


def test_step_writes_to_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", out := io.StringIO())
    assert write_step("-", lambda skip: (HEADER, rows(skip))) == 10
    assert out.getvalue() == whole()


def test_step_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    output, skips, seen = tmp_path / "out.csv", [], []

    def produce(fail: int, skip: int) -> tuple[list[str], Iterator[list[str]]]:
        skips.append(skip)
        return HEADER, rows(skip, fail=fail)

    for fail in (4, 7, 99):
        seen.clear()
        if fail < 99:
            with pytest.raises(KeyboardInterrupt):
                write_step(str(output), lambda skip, fail=fail: produce(fail, skip), {"a": 1})
            assert not output.exists()
        else:
            assert write_step(str(output), lambda skip: produce(99, skip), {"a": 1}, seen.append) == 10
    assert output.read_text() == whole()
    assert skips == [0, 3, 6]  # the last row might have been half written
    assert [row[1] for row in seen] == [str(number) for number in range(10)]
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_step_begins_anew_when_anything_else_was_asked_for(tmp_path: Path) -> None:
    output = str(tmp_path / "out.csv")
    with pytest.raises(KeyboardInterrupt):
        write_step(output, lambda skip: (HEADER, rows(skip, fail=5)), {"a": 1})
    assert write_step(output, lambda skip: (HEADER, rows(skip, stop=2)), {"a": 2}) == 2


def test_step_survives_a_part_that_is_cut_within_a_row(tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        write_step(str(output), lambda skip: (HEADER, rows(skip, fail=5)), {"a": 1})
    part = tmp_path / "out.csv.part"
    for size in range(len(part.read_bytes())):
        part.write_bytes(whole().encode()[:size])
        (tmp_path / "out.csv.part.json").write_text('{"a": 1}')
        assert write_step(str(output), lambda skip: (HEADER, rows(skip)), {"a": 1}) == 10
        assert output.read_text() == whole()


def test_step_names_a_file_that_cannot_be_written() -> None:
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_step("/proc/none/out.csv", lambda skip: (HEADER, rows(skip)))
