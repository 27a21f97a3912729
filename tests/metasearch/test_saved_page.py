"""Saved pages of results, as browsers write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler_project.metasearch.provider import Hit, ProviderError
from crawler_project.metasearch.saved_page import SavedPage, named_target, outgoing_links


def targets(html: str) -> list[str]:
    return [hit.url for hit in outgoing_links(html.encode())]


def test_links_that_lead_away_are_taken_once_in_their_order() -> None:
    html = """<!-- saved from url=(0033)https://www.example.org/s?q=books --><html>
      <a href="/settings">settings</a> <a href="https://help.example.org/">help</a>
      <a href="http://b.shop.example/p">B <b>books</b></a> <a href="https://a.shop.example/">A</a>
      <a href="http://b.shop.example/p">again</a> <a href="javascript:void(0)">x</a> <a href="mailto:a@b.example">m</a>"""
    assert list(outgoing_links(html.encode())) == [
        Hit("http://b.shop.example/p", "B books"),
        Hit("https://a.shop.example/", "A"),
    ]


@pytest.mark.parametrize(
    "link",
    [
        "/url?q=https://shop.example/p%3Fid%3D1&sa=U",
        "//example.org/l/?uddg=https%3A%2F%2Fshop.example%2Fp%3Fid%3D1&rut=1",
        "/ck/a?!&&p=1&u=a1aHR0cHM6Ly9zaG9wLmV4YW1wbGUvcD9pZD0x&ntb=1",
        "https://r.example.org/_ylt=A/RV=2/RO=10/RU=https%3a%2f%2fshop.example%2fp%3fid%3d1/RK=2/RS=x-",
    ],
)
def test_links_by_way_of_the_engine_lead_to_what_they_name(link: str) -> None:
    html = f'<!-- saved from url=(0020)http://example.org/s --><a href="{link}">shop</a>'
    assert targets(html) == ["https://shop.example/p?id=1"]


def test_page_that_does_not_say_where_it_is_from_gives_its_absolute_links() -> None:
    html = '<a href="/more">more</a><a href="/url?q=http://a.example/">a</a><a href="http://b.example/">b</a>'
    assert targets(html) == ["http://a.example/", "http://b.example/"]
    canonical = '<link rel="canonical" href="http://example.org/s">'
    assert targets(canonical + html + '<a href="http://www.example.org/x">own</a>') == [
        "http://a.example/",
        "http://b.example/",
    ]


def test_odd_links_name_nothing() -> None:
    for url in ("http://s.test/", "http://s.test/?u=a1%%%", "http://s.test/?u=a1AAAA", "http://s.test/?q=books"):
        assert named_target(url) == ""


def test_page_without_links_and_page_that_is_not_there_are_said(tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    empty.write_bytes(b"\xff\xfe\x00nothing")
    with pytest.raises(ProviderError, match="has no links to other sites"):
        SavedPage(str(empty)).ask("*", 0)
    with pytest.raises(ProviderError, match="cannot be read"):
        SavedPage(str(tmp_path)).ask("*", 0)
