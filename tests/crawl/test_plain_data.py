"""Plain values survive the way to Redis and back; anything else is refused; garbage runs nothing."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from datetime import datetime
from enum import IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.own_spiders.plain_data import dump_plain, load_plain

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
HASHABLE = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(HASHABLE, inner, max_size=4) | st.sets(HASHABLE, max_size=3)
        | st.dictionaries(st.sampled_from(["$", "of", "a"]), inner) | st.tuples(inner)
    ),
    max_leaves=20,
)  # fmt: skip


@given(VALUES)
def test_plain_values_come_back_as_they_were(value: object) -> None:
    back = load_plain(dump_plain(value))
    assert back == value
    assert type(back) is type(value)


def test_infinities_lone_surrogates_and_subclasses_of_dict_come_back() -> None:
    assert load_plain(dump_plain({"a": math.inf, "b": "\ud800"})) == {"a": math.inf, "b": "\ud800"}
    assert load_plain(dump_plain(defaultdict(list, a=[1]))) == {"a": [1]}


class Text(str):
    """As parsers give them."""

    __slots__ = ()


class Number(IntEnum):
    SEVEN = 7


def test_subclasses_of_text_and_numbers_become_plain() -> None:
    back = load_plain(dump_plain([Text("a"), Number.SEVEN]))
    assert back == ["a", 7]
    assert [type(value) for value in back] == [str, int]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": {"b": [1, object()]}}, "a.b[1] is a builtins.object"),
        ({"when": datetime(2020, 1, 1)}, "when is a datetime.datetime"),  # noqa: DTZ001
        (len, "it is a builtins.builtin_function_or_method"),
    ],
)
def test_what_is_no_plain_data_is_refused_with_its_place(value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("[", r"\[").replace("]", r"\]")):
        dump_plain(value)


def test_values_nested_without_end_are_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested too deeply"):
        dump_plain(endless)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["$", "of", "a"]), inner | st.sampled_from(["dict", "tuple", "bytes", "eval"])
        )
    ),
    max_leaves=12,
)


@given(JSON.map(json.dumps) | st.text() | st.just("[" * 100_000))
def test_garbage_is_plain_data_or_a_value_error(text: str) -> None:
    try:
        value = load_plain(text)
    except ValueError:
        return
    assert load_plain(dump_plain(value)) == value or value != value  # noqa: PLR0124 - NaN
