"""What pages and headers declare about themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.page.declarations import (
    LinkHeader,
    Robots,
    parse_link_header,
    parse_robots,
    primary_language,
    refresh_target,
)


@pytest.mark.parametrize(
    ("value", "noindex", "nofollow"),
    [
        ("", False, False),
        ("index, follow", False, False),
        ("NOINDEX", True, False),
        ("noarchive,NoFollow", False, True),
        ("none", True, True),
        (" noindex , nofollow ", True, True),
        ("noindex nofollow", True, True),
        ("otherbot: noindex, nofollow", False, False),
        ("*: nofollow", False, True),
        ("otherbot: noindex\nnofollow", False, True),
        ("unavailable_after: 25 Jun 2027 15:00:00 PST, noindex", True, False),
        ("max-snippet: 5, nofollow", False, True),
        ("nofollows", False, False),
    ],
)
def test_parse_robots_reads_directives_for_everybody(value: str, noindex: bool, nofollow: bool) -> None:
    assert parse_robots(value) == Robots(noindex, nofollow)


def test_robots_of_two_places_are_joined_to_the_stricter() -> None:
    assert Robots(noindex=True) | Robots(nofollow=True) == Robots(True, True)


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("ko", "ko"),
        ("KO-kr", "ko"),
        ("zh-Hant", "zh"),
        ("pt_BR", "pt"),
        ("ko, en", "ko"),
        (" ja ", "ja"),
        ("kr", "kr"),
        ("x-default", ""),
        ("", ""),
        (None, ""),
        ("-", ""),
        ("\0", ""),
        ("a" * 50, "a" * 16),
    ],
)
def test_primary_language_takes_the_first_part(tag: str | None, language: str) -> None:
    assert primary_language(tag) == language


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/next", "/next"),
        ("5;URL='/next'", "/next"),
        ('0; url="/next" ; x', "/next"),
        ("0;/next", "/next"),
        ("3, url=next.html", "next.html"),
        ("0 url=next.html", "next.html"),
        ("1.5;  url  =  a b.html", "a b.html"),
        ("url=/next", "/next"),
        ("0; url='unclosed", "unclosed"),
        ("300", ""),
        ("300;", ""),
        ("", ""),
        ("0; url=", ""),
    ],
)
def test_refresh_target_reads_every_spelling(content: str, target: str) -> None:
    assert refresh_target(content) == target


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ("", []),
        ('<http://a/>; rel="canonical"', [LinkHeader("http://a/", "canonical", "")]),
        (
            '</ko>; rel=alternate; hreflang=ko, </ja>;rel=\'x\';REL="alternate"; hreflang="ja"',
            [LinkHeader("/ko", "alternate", "ko"), LinkHeader("/ja", "alternate", "ja")],
        ),
        ('<a,b;c>; title="x, <y>; z"; rel=next', [LinkHeader("a,b;c", "next", "")]),
        ("<unclosed; rel=canonical", []),
        ("no target; rel=canonical", []),
    ],
)
def test_parse_link_header_reads_targets_and_parameters(value: str, links: list[LinkHeader]) -> None:
    assert list(parse_link_header(value)) == links


@given(st.text())
def test_declarations_never_raise(value: str) -> None:
    parse_robots(value)
    assert primary_language(value) == primary_language(value).lower()
    assert refresh_target(value) == refresh_target(value).strip()
    assert all(link.target in value for link in parse_link_header(value))
