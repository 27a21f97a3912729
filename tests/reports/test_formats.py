import io
import math

import pandas as pd
import pytest

from crawler_project.reports.formats import count, percent, signed, size
from crawler_project.reports.printable import print_lines, printable


def test_count_separates_thousands() -> None:
    assert [count(value) for value in (0, 1234567, None, math.nan, pd.NA)] == ["0", "1,234,567", "–", "–", "–"]


def test_percent_has_the_digits_asked_for() -> None:
    assert [percent(0.61213), percent(0.61213, 2), percent(None)] == ["61.2\xa0%", "61.21\xa0%", "–"]


@pytest.mark.parametrize(
    ("value", "digits", "written"), [(1234, 0, "+1,234"), (-0.46, 1, "−0.5"), (0.04, 1, "0.0"), (0, 0, "0")]
)
def test_signed_has_a_sign_unless_it_shows_zero(value: float, digits: int, written: str) -> None:
    assert signed(value, digits) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_500, "1.0 MB"), (123_456_789, "123 MB"), (5e15, "5,000.0 TB")],
)
def test_size_takes_the_unit_that_fits(value: float, written: str) -> None:
    assert size(value) == written.replace(" ", "\xa0")


def test_printable_keeps_letters_and_spaces_and_stops_control_and_direction_characters() -> None:
    assert printable("한국어 日本語\xa0\u3000a") == "한국어 日本語\xa0\u3000a"
    assert printable("\x1b[31m\u202e\n\ud800\x9b") == "·[31m····"


def test_print_lines_replaces_what_the_terminal_cannot_show(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    print_lines(["한 a", "\x1b[2J"])
    stream.flush()
    assert stream.buffer.getvalue() == b"? a\n?[2J\n"
