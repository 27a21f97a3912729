"""Addresses in the order of their domains, and counts of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding import sort_addresses as module
from crawler_project.seeding.count_figure import draw_counts
from crawler_project.seeding.count_table import CountTable, print_lines, write_count_table
from crawler_project.seeding.seed_table import SeedTable, read_table
from crawler_project.seeding.sort_addresses import sort_addresses

URLS = [
    "http://www.b.co.kr/2", "http://a.com/", "http://x.한국/", "http://b.co.kr/1", "http://1.2.3.4/", "http://a.com/",
    "http://c.jp/", "http://shop.a.com/",
]  # fmt: skip


def table(urls: list[str]) -> SeedTable:
    return SeedTable(["url", "n"], ([url, str(number)] for number, url in enumerate(urls)))


def test_sort_orders_by_top_level_domain_then_registered_domain_then_address() -> None:
    header, rows, counts = sort_addresses(table(URLS))
    assert header == ["url", "n", "tld", "domain"]
    assert [row[::2] for row in rows] == [
        ["http://1.2.3.4/", ""], ["http://a.com/", "com"], ["http://a.com/", "com"], ["http://shop.a.com/", "com"],
        ["http://c.jp/", "jp"], ["http://b.co.kr/1", "kr"], ["http://www.b.co.kr/2", "kr"], ["http://x.한국/", "한국"],
    ]  # fmt: skip
    assert counts.rows() == {"com": 3, "kr": 2, "(none)": 1, "jp": 1, "한국": 1}


def test_sort_gives_the_domains_that_are_kept_and_counts_all() -> None:
    _, rows, counts = sort_addresses(table(URLS), keep=["COM", ".kr"], unique=True)
    assert [row[1] for row in rows] == ["1", "7", "3", "0"]
    assert counts.total == len(URLS)


def test_sort_by_registered_domain_puts_the_hosts_of_a_domain_together() -> None:
    _, rows, counts = sort_addresses(table(URLS), by="domain")
    assert [row[3] for row in rows][1:4] == ["a.com"] * 3
    assert counts.rows()["b.co.kr"] == 2


def test_sort_is_the_same_in_memory_and_in_runs_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = [f"http://h{n % 97}.{random.Random(n).choice(['kr', 'com', 'jp'])}/{n % 41}" for n in range(1_000)]
    expected = list(sort_addresses(table(urls))[1])
    monkeypatch.setattr(module, "_RUN", 64)
    assert list(sort_addresses(table(urls))[1]) == expected
    assert sorted(row[0] for row in expected) == sorted(urls)


def test_sort_names_an_unknown_order_and_a_table_without_addresses() -> None:
    with pytest.raises(ConfigurationError, match="by='host'"):
        sort_addresses(table([]), by="host")
    with pytest.raises(ConfigurationError, match="'x' has no column 'url'"):
        read_table(["name,link\n"], "x")


def test_count_table_sums_narrows_and_groups() -> None:
    counts = CountTable("tld", "language")
    for row, column in [("kr", "ko")] * 5 + [("com", "ko")] * 2 + [("net", "en"), ("kr", "en"), ("jp", "ja")]:
        counts.add(row, column)
    assert list(counts.narrowed(1, 1).lines()) == [
        ["tld", "ko", "others", "total"], ["kr", 5, 1, 6], ["others", 2, 2, 4], ["total", 7, 3, 10],
    ]  # fmt: skip
    assert counts.grouped({"com": "com & net", "net": "com & net"}).rows() == {"kr": 6, "com & net": 3, "jp": 1}
    assert list(print_lines(counts, rows=1, columns=1))[1] == "kr       5       1      6"


@pytest.mark.parametrize("name", ["counts.png", "counts.svg", "counts.pdf"])
def test_counts_are_written_as_table_and_picture(tmp_path: Path, name: str) -> None:
    counts = CountTable("tld")
    for row in ["kr"] * 3 + ["한국", "$x$"]:
        counts.add(row)
    write_count_table(counts, tmp_path / "counts.csv")
    assert (tmp_path / "counts.csv").read_text("utf-8").splitlines()[:2] == ["tld,urls,share", "kr,3,60.00%"]
    draw_counts(counts, tmp_path / name, "한 $x$".encode("ascii", "replace").decode())
    assert (tmp_path / name).stat().st_size > 1_000


def test_picture_of_an_unknown_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"allowed: \.png"):
        draw_counts(CountTable("tld"), tmp_path / "counts.gif", "t")
