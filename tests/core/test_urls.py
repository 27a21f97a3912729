"""Canonical URLs and their parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.urls import canonical_url, directory_of, registered_domain, top_level_domain, url_hash


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("HTTP://User:pw@EXAMPLE.com:80/a/../b?x=1#f", None, "http://example.com/b?x=1"),
        ("?", "http://a.b/c?d", "http://a.b/c"),
        ("?q=2", "http://a.b/c?d", "http://a.b/c?q=2"),
        ("../z", "https://a/b/c/d", "https://a/b/z"),
        ("/x", "http://a.b", "http://a.b/x"),
        ("//x.y/z", "https://a/", "https://x.y/z"),
        ("\\\\x.y\\z", "https://a/", "https://x.y/z"),
        ("  /x\n", "http://a.b/c", "http://a.b/x"),
        ("#top", "https://a/b?c", "https://a/b?c"),
        ("http://a.b.:80/", None, "http://a.b/"),
        ("http://한국.한국/글?q=가", None, "http://xn--3e0b707e.xn--3e0b707e/%EA%B8%80?q=%EA%B0%80"),
        ("http://127.1/", None, "http://127.0.0.1/"),
        ("http://u@a.b.:8080/@x?#", None, "http://a.b:8080/@x"),
        ("HTTP:/x", "http://a.b/", "http://x/"),
    ],
)
def test_canonical_url_has_one_form(url: str, base: str | None, expected: str) -> None:
    parts = canonical_url(url, base)
    assert parts is not None
    assert parts.url == expected
    assert parts.url.split("/", 3)[2] == parts.host


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "mailto:a@b",
        "data:text/html,x",
        "http://",
        "http://exa mple.com/",
        "\ud800",
        "ftp://a/",
        "http://a/" + "x" * 2000,
    ],
)
def test_canonical_url_is_none_when_there_is_nothing_to_fetch(url: str) -> None:
    assert canonical_url(url) is None


@given(st.text(max_size=60), st.sampled_from([None, "http://a.b/c/d?e", "https://한국.한국/"]))
def test_canonical_url_never_raises_and_is_idempotent(url: str, base: str | None) -> None:
    parts = canonical_url(url, base)
    if parts is not None:
        assert canonical_url(parts.url) == parts


def test_url_hash_is_a_signed_64_bit_integer() -> None:
    hashes = {url_hash(f"http://a.b/{number}") for number in range(1000)}
    assert len(hashes) == 1000
    assert all(-(1 << 63) <= value < 1 << 63 for value in hashes)
    assert min(hashes) < 0 < max(hashes)


@pytest.mark.parametrize(
    ("host", "tld", "domain"),
    [
        ("www.example.co.kr", "kr", "example.co.kr"),
        ("www.example.co.kr:8080", "kr", "example.co.kr"),
        ("xn--3e0b707e.xn--3e0b707e", "한국", "xn--3e0b707e.xn--3e0b707e"),
        ("someone.github.io", "io", "someone.github.io"),
        ("127.0.0.1:80", "", "127.0.0.1"),
        ("[::1]:8080", "", "[::1]"),
        ("localhost", "localhost", "localhost"),
    ],
)
def test_host_parts(host: str, tld: str, domain: str) -> None:
    assert top_level_domain(host) == tld
    assert registered_domain(host) == domain


@pytest.mark.parametrize(
    ("url", "directory"),
    [
        ("http://a.b/", "a.b/"),
        ("http://a.b/c", "a.b/"),
        ("http://a.b/c/d?x=/e/", "a.b/c/"),
        ("http://a.b:81/c/", "a.b:81/c/"),
    ],
)
def test_directory_is_the_path_up_to_its_last_slash(url: str, directory: str) -> None:
    assert directory_of(url, url.split("/")[2]) == directory
