"""Checks of numbers that were read from a file."""

from __future__ import annotations

from collections.abc import Iterable

from crawler_project.strategies.learning.features import N_WEIGHTS

LARGEST_NUMBER = 1e18
LARGEST_COUNT = 1 << 60


def is_number(value: object, least: float = -LARGEST_NUMBER, most: float = LARGEST_NUMBER) -> bool:
    """Whether it is a number, between both ends; NaN, what is infinite and truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def is_count(value: object, most: int = LARGEST_COUNT) -> bool:
    """Whether it is a whole number, 0 to ``most``."""
    return type(value) is int and 0 <= value <= most


def are_numbers(values: object, length: int, least: float = -LARGEST_NUMBER, most: float = LARGEST_NUMBER) -> bool:
    """Whether it is a list of so many numbers between both ends."""
    return isinstance(values, list) and len(values) == length and all(is_number(value, least, most) for value in values)


def are_records(rows: object, wanted: Iterable[str] = ()) -> bool:
    """Whether it is a list of objects that hold numbers only, and what is wanted among them."""
    names = tuple(wanted)
    return isinstance(rows, list) and all(
        isinstance(row, dict) and all(map(is_number, [*row.values(), *map(row.get, names)])) for row in rows
    )


def is_course(rows: object, length: int) -> bool:
    """Whether it is a list of so many records of weights by their number."""
    return are_records(rows) and len(rows) == length and all(_is_place(key) for row in rows for key in row)  # type: ignore[arg-type, attr-defined]


def _is_place(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 6 and int(key) < N_WEIGHTS and key == str(int(key))
