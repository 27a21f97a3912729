"""URLs that are traps by themselves, and those that are too many of a kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.page import TrapGuard, trap_reason
from crawler_project.page.traps import FIRST_YEAR, MAX_DEPTH, MAX_PARAMETERS, MAX_SAME_PARAMETER

HOST = "www.example.kr"
ROOT = f"http://{HOST}"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/" + "/".join("abcdefghijklmnopqrstu"), "path depth"),
        ("/" + "/".join("abcdefghijklmnopqrst"), None),
        ("/news/view/news/view/news/view/news/view/", "repeated segments"),
        ("/img/img/img/img/a.html", "repeated segments"),
        ("/1/2/1/2/1/2/1/2", "repeated segments"),
        ("/img/img/img/a.html", None),
        ("/tiles/0/0/0/0.png", None),
        ("/2024/03/03/03/3.html", None),
        ("/?" + "&".join(f"p{number}=1" for number in range(17)), "query"),
        ("/?" + "&".join(f"p{number}=1" for number in range(16)), None),
        ("/?filter=a&filter=b&filter=c&filter=d", "query"),
        ("/?filter=a&filter=b&filter=c", None),
        ("/zboard.php?id=a&page=3&sn1=&divpage=1&sn=off&ss=on&sc=on&select_arrange=headnum&desc=asc&no=12", None),
        ("/calendar/1969/12/", "calendar"),
        ("/calendar/1970/01/", None),
        ("/events/2031-05", "calendar"),
        ("/events/2027-05", None),
        ("/calendar/9999/1/1", "calendar"),
        ("/1945/08/15/", None),
        ("/1899/12/", "calendar"),
        ("/2099/12/31/", "calendar"),
        ("/11419/1346/3/", None),
        ("/bitstream/11419/6217/3/a.pdf", None),
        ("/cal.php?year=1901&month=2", "calendar"),
        ("/cal.php?month=2050-01", "calendar"),
        ("/cal.php?date=20500131", "calendar"),
        ("/cal.php?date=20260131", None),
        ("/list?date=1718000000", None),
        ("/list?update=1500&id=9999", None),
        ("/movies/1984", None),
        ("/", None),
    ],
)
def test_trap_reason_of_a_url(path: str, reason: str | None) -> None:
    assert trap_reason(ROOT + path, latest_year=2028) == reason


@given(st.text())
def test_trap_reason_never_raises(url: str) -> None:
    assert trap_reason(url) in {None, "path depth", "repeated segments", "query", "calendar"}
    assert TrapGuard().admit(url, HOST) in {None, "path depth", "repeated segments", "query", "calendar"}


def refusals(guard: TrapGuard, urls: list[str]) -> list[str | None]:
    return [guard.admit(ROOT + url, HOST) for url in urls]


def test_guard_refuses_queries_beyond_the_limit() -> None:
    guard = TrapGuard(max_queries=3)
    assert refusals(guard, [f"/view?id={number}" for number in range(5)]) == [None] * 3 + ["query explosion"] * 2


def test_guard_counts_a_url_once() -> None:
    guard = TrapGuard(max_queries=2)
    assert refusals(guard, ["/view?id=1", "/view?id=2"] * 20) == [None] * 40


def test_guard_counts_templates_apart() -> None:
    guard = TrapGuard(max_queries=1)
    assert refusals(guard, ["/a?id=1", "/b?id=1", "/a?no=1", "/a?id=1&no=2", "/a/1?x=1"]) == [None] * 5
    assert guard.admit("http://other.example/a?id=2", "other.example") is None


def test_guard_takes_numbers_and_session_ids_in_paths_for_one_place() -> None:
    guard = TrapGuard(max_queries=2)
    urls = ["/shop/1;jsessionid=a?x=1", "/shop/22;jsessionid=b?x=1", "/shop/333;jsessionid=c?x=1"]
    assert refusals(guard, urls) == [None, None, "query explosion"]


def test_guard_takes_the_order_of_parameters_for_no_difference() -> None:
    guard = TrapGuard(max_shapes=1)
    assert refusals(guard, ["/a?x=1&y=2", "/a?y=3&x=4", "/a?z=1"]) == [None, None, "query explosion"]


def test_guard_refuses_ever_new_sets_of_filters() -> None:
    guard = TrapGuard(max_shapes=10)
    urls = [f"/shop?{'&'.join(f'f{bit}=1' for bit in range(8) if number >> bit & 1)}" for number in range(1, 100)]
    found = refusals(guard, urls)
    assert found[:10] == [None] * 10
    assert set(found[10:]) == {"query explosion"}


@pytest.mark.parametrize("pattern", ["/archive/20{:02}/{:02}/", "/cal?date=20{:02}-{:02}", "/20{:02}-{:02}/"])
def test_guard_refuses_dates_beyond_the_limit(pattern: str) -> None:
    guard = TrapGuard(max_dates=30, latest_year=2099)
    found = refusals(guard, [pattern.format(year, month) for year in range(10, 14) for month in range(1, 13)])
    assert found == [None] * 30 + ["calendar"] * 18


def test_guard_does_not_count_articles_by_date() -> None:
    guard = TrapGuard(max_dates=2)
    assert refusals(guard, [f"/2024/03/{day:02}/story-{'abcdefgh'[day % 8]}.html" for day in range(1, 9)]) == [None] * 8


def test_guard_refuses_what_is_a_trap_by_itself() -> None:
    guard = TrapGuard(latest_year=2027)
    assert refusals(guard, ["/x" * 21, "/calendar/2028/01/"]) == ["path depth", "calendar"]


def test_guard_leaves_paths_without_numbers_and_queries_alone() -> None:
    guard = TrapGuard(max_queries=0, max_shapes=0, max_dates=0)
    assert refusals(guard, [f"/page-{number}.html" for number in range(50)]) == [None] * 50


def test_guard_forgets_templates_that_were_not_asked_about() -> None:
    guard = TrapGuard(max_queries=1, max_templates=4)
    assert guard.admit(ROOT + "/a?x=1", HOST) is None
    assert guard.admit(ROOT + "/a?x=2", HOST) == "query explosion"
    refusals(guard, [f"/{letter}?x=1" for letter in "bcdefg"])
    assert guard.admit(ROOT + "/a?x=3", HOST) is None


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 50))))
def test_guard_keeps_to_its_bounds(asked: list[tuple[str, int]]) -> None:
    guard = TrapGuard(max_queries=5, max_templates=6, max_urls=12)
    for path, number in asked:
        guard.admit(f"{ROOT}/{path}?id={number}", HOST)
        kept = [members for members in guard._members.values() if members]
        assert len(guard._members) <= 6
        assert sum(map(len, kept)) == guard._size <= 12


def test_docs_have_every_limit() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
    guard = TrapGuard()
    limits = (
        MAX_DEPTH,
        MAX_PARAMETERS,
        MAX_SAME_PARAMETER,
        FIRST_YEAR,
        guard.max_dates,
        guard.max_queries,
        guard.max_shapes,
    )
    assert [limit for limit in limits if f"{limit:,}" not in page and str(limit) not in page] == []
