"""Samples of seeds: uniform, reproducible, few of a host."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.seeding.sample_hosts import HostReservoir, StratifiedReservoir, allotted

ROWS = [(f"h{host}", f"http://h{host}/{page}") for host in range(40) for page in range(1 + host % 5 * 4)]


def draw(rows: list[tuple[str, str]], size: int, per_host: int = 1, random_state: int = 0) -> list[str]:
    reservoir: HostReservoir[str] = HostReservoir(size, per_host, random_state)
    for host, url in rows:
        reservoir.add(host, url, url)
    return [pick.row for pick in reservoir.sample()]


def test_sample_is_the_same_for_one_random_state_whatever_the_order() -> None:
    mixed = ROWS.copy()
    random.Random(1).shuffle(mixed)
    assert draw(ROWS, 10) == draw(mixed, 10) == draw(mixed + ROWS, 10)
    assert draw(ROWS, 10) != draw(ROWS, 10, random_state=1)
    assert len(set(draw(ROWS, 10))) == 10


@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 50))
def test_sample_has_the_size_asked_for_and_no_more_of_a_host(size: int, per_host: int, state: int) -> None:
    chosen = draw(ROWS, size, per_host, state)
    by_host = Counter(url.split("/")[2] for url in chosen)
    possible = sum(min(count, per_host) for count in Counter(host for host, _ in ROWS).values())
    assert len(chosen) == len(set(chosen)) == min(size, possible)
    assert max(by_host.values()) <= per_host


def test_every_host_and_every_page_of_it_is_equally_likely() -> None:
    hosts: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for state in range(800):
        for url in draw(ROWS, 10, random_state=state):
            hosts[url.split("/")[2]] += 1
            if url.startswith("http://h4/"):
                pages[url] += 1
    expected = 800 * 10 / 40
    assert sum((hosts[f"h{n}"] - expected) ** 2 / expected for n in range(40)) < 39 + 4 * (2 * 39) ** 0.5
    expected = pages.total() / 17
    assert sum((pages[f"http://h4/{n}"] - expected) ** 2 / expected for n in range(17)) < 16 + 4 * (2 * 16) ** 0.5


def test_without_a_limit_every_row_is_equally_likely() -> None:
    shares = Counter(url.split("/")[2] for state in range(200) for url in draw(ROWS, 20, 0, state))
    assert shares["h4"] / shares.total() == pytest.approx(17 / len(ROWS), rel=0.25)
    assert len(draw(ROWS, 10_000, 0)) == len(ROWS)


def test_sample_keeps_only_what_it_needs_in_memory() -> None:
    reservoir: HostReservoir[int] = HostReservoir(10, per_host=2)
    for number in range(20_000):
        reservoir.add(f"h{number // 3}", str(number), number)
    assert len(reservoir._hosts) < 60


def test_strata_get_shares_in_proportion_and_each_at_least_one() -> None:
    reservoir: StratifiedReservoir[str] = StratifiedReservoir(10)
    for stratum, hosts in (("kr", 70), ("com", 25), ("jp", 5)):
        for number in range(hosts):
            reservoir.add(stratum, f"{number}.{stratum}", f"http://{number}.{stratum}/", stratum)
    assert Counter(pick.row for pick in reservoir.sample()) == {"kr": 7, "com": 2, "jp": 1}


def test_strata_share_the_limit_of_a_host_and_fill_up_what_others_lack() -> None:
    reservoir: StratifiedReservoir[str] = StratifiedReservoir(4)
    for topic in ("a", "b"):
        for host in ("x", "y", "z"):
            reservoir.add(topic, host, f"http://{host}/{topic}", host)
    assert sorted(pick.row for pick in reservoir.sample()) == ["x", "y", "z"]


@given(st.integers(0, 50), st.lists(st.integers(1, 1_000), max_size=20))
def test_allotted_gives_out_everything(size: int, weights: list[int]) -> None:
    shares = allotted(size, weights)
    assert sum(shares) == (size if weights else 0)
    assert all(share >= 1 for share in shares) or size <= len(weights)
