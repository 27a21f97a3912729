"""AbstractURL (V1 to V4) and the generalised one, by example and by property."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.urls import canonical_url
from crawler_project.verification.abstract_url import CLASSES, generalised_class, literal_class


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.china-pub.com/computers/result.asp?typeid=C24-04-01", "/computers/result.asp?typeid"),
        ("http://shop.test/s?tag=a&tag=b&page=2", "/s?page&tag"),
        ("http://shop.test/item;jsessionid=A1?id=3", "/item?id"),
    ],
)
def test_literal_class_is_that_of_the_papers_example_and_of_the_rules(url: str, expected: str) -> None:
    assert literal_class(url) == expected


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ""),
        ("?", ""),
        ("?&&", ""),
        ("?=5", ""),
        ("?b=1&a", "?a&b"),
        ("?a=1;b=2", "?a"),
        ("?a+b=1&a%20b=2", "?a%20b"),
        ("?%5B%5d=1&[]=2", "?%5B%5D"),
        ("?%61=1&a=2", "?a"),
        ("?책=1&%EC%B1%85=2", "?%EC%B1%85"),
        ("?%B0=1", "?%B0"),
        ("?b&A&a&B", "?A&B&a&b"),
        ("?a=b=c&d=?", "?a&d"),
        ("?PHPSESSID=1&id=2&sid=3&SessionId=4", "?id"),
        ("?sid=1", ""),
        ("?side=1", "?side"),
    ],
)
def test_names_of_attributes_are_unique_sorted_and_of_one_encoding(query: str, names: str) -> None:
    assert literal_class(f"http://shop.test/p{query}") == f"/p{names}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "/"),
        ("/", "/"),
        ("/books", "/books"),
        ("/books/", "/books/"),
        ("//books", "//books"),
        ("/a//b", "/a//b"),
        ("/Books/View.ASP", "/Books/View.ASP"),
        ("/%7euser/%e4%2F", "/~user/%E4%2F"),
        ("/a/./b/../c", "/a/c"),
        ("/a/..", "/"),
        ("/a/.", "/a/"),
        ("/../../a", "/a"),
        ("/a/%2e%2E/b", "/b"),
        ("/책/a b", "/%EC%B1%85/a%20b"),
        ("/100%", "/100%25"),
        ("/map;lat=1;long=2/x;v", "/map;lat;long/x;v"),
        ("/a;JSESSIONID=7;b=2;;", "/a;b"),
    ],
)
def test_path_is_normalised_and_keeps_what_tells_pages_apart(path: str, expected: str) -> None:
    assert literal_class(f"https://user:pw@Shop.test:8080{path}#part") == expected


@pytest.mark.parametrize(
    ("segment", "expected"),
    [
        ("9780778328704", "{n}"),
        ("080442957X", "{n}"),
        ("2026-03-01", "{n}"),
        ("p3182808.html", "p{n}.html"),
        ("page-2", "page-{n}"),
        ("B0756B4GVG", "{s}"),
        ("the-old-man-and-the-sea", "{s}"),
        ("google-nest-mini-hands-free", "{s}"),
        ("floor-lamp-8024038.html", "{s}.html"),
        (quote("해리포터와-마법사의-돌"), "{s}"),
        (quote("소설"), quote("소설")),
        ("fiction", "fiction"),
        ("view.php", "view.php"),
        ("about-us", "about-us"),
        ("", ""),
    ],
)
def test_generalised_class_replaces_numbers_and_slugs(segment: str, expected: str) -> None:
    assert generalised_class(f"http://shop.test/x/{segment}?id=3") == f"/x/{expected}?id"


def test_generalised_class_differs_from_the_literal_one_in_the_path_only() -> None:
    url = "http://shop.test/item/123456;lat=9;jsessionid=4?id12345=1"
    assert literal_class(url) == "/item/123456;lat?id12345"
    assert generalised_class(url) == "/item/{n};lat?id12345"


names = st.text("abcXYZ[]é책+ ", min_size=1, max_size=5).map(lambda name: quote(name, safe=""))
values = st.text(st.characters(exclude_characters="&#", exclude_categories=["Cs", "Cc"]), max_size=8)
paths = st.text("abc/.%;=1-é책", max_size=20).map(lambda text: "/" + text)


@pytest.mark.parametrize("method", CLASSES)
@given(path=paths, queries=st.lists(st.tuples(names, values, values), max_size=4))
def test_class_does_not_change_with_the_values_of_the_query(
    method: str, path: str, queries: list[tuple[str, str, str]]
) -> None:
    first = "&".join(f"{name}={value}" for name, value, _ in queries)
    second = "&".join(f"{name}={value}" for name, _, value in reversed(queries))
    classify = CLASSES[method]
    assert classify(f"http://shop.test{path}?{first}") == classify(f"https://www.other.test{path}?{second}#top")


@pytest.mark.parametrize("method", CLASSES)
@given(path=paths, query=st.text("ab=&%;", max_size=10))
def test_class_of_a_url_is_that_of_its_canonical_form(method: str, path: str, query: str) -> None:
    url = f"http://shop.test{path}?{query}"
    canonical = canonical_url(url)
    assert canonical is not None
    assert CLASSES[method](url) == CLASSES[method](canonical.url)


@pytest.mark.parametrize("method", CLASSES)
@given(url=st.text(st.characters(), max_size=60))
def test_class_of_any_text_is_a_path(method: str, url: str) -> None:
    assert CLASSES[method](url).startswith("/")
    assert CLASSES[method]("http://shop.test/" + url).startswith("/")


@given(path=paths)
def test_literal_class_of_a_class_is_itself(path: str) -> None:
    once = literal_class(f"http://shop.test{path}")
    assert literal_class(f"http://shop.test{once}") == once
