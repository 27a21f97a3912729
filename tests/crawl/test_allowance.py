"""Bytes at once, and bytes a second."""

from __future__ import annotations

from crawler_project.crawling.allowance import Allowance


def test_allowance_bounds_the_long_run_and_lets_the_first_bytes_through():
    allowance = Allowance(at_once=1000, a_second=10, now=0.0)
    moved = []
    for second in range(1, 1001):
        if allowance.is_left(float(second)):
            allowance.take(75)
            moved.append(second)
    assert moved[:10] == list(range(1, 11))
    assert 1000 + 10 * 1000 - 75 <= 75 * len(moved) <= 1000 + 10 * 1000 + 75


def test_allowance_saves_up_no_more_than_it_began_with_and_survives_a_clock_put_back():
    allowance = Allowance(at_once=100, a_second=10, now=0.0)
    assert allowance.is_left(1e9)
    allowance.take(100)
    assert not allowance.is_left(1e9)
    assert not allowance.is_left(5.0)
    assert allowance.is_left(6.0)
