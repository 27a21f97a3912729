from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.verification.site import same_site, site_of


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://WWW.Shop.Test./a?b", "shop.test"),
        ("https://shop.test:443/", "shop.test"),
        ("http://shop.test:80", "shop.test"),
        ("http://shop.test:443/", "shop.test:443"),
        ("http://www.shop.test:8080/", "shop.test:8080"),
        ("http://m.shop.test/", "m.shop.test"),
        ("http://www2.shop.test/", "www2.shop.test"),
        ("http://bücher.test/", "xn--bcher-kva.test"),
        ("http://xn--bcher-kva.test/", "xn--bcher-kva.test"),
        ("http://[::1]:8000/", "[::1]:8000"),
        ("mailto:a@shop.test", ""),
        ("/books", ""),
    ],
)
def test_site_is_the_host_in_one_form(url: str, site: str) -> None:
    assert site_of(url) == site


urls = st.builds(
    "{}://{}{}{}/{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["", "www.", "WWW.", "m."]),
    st.sampled_from(["shop.test", "Shop.Test", "shop.test.", "bücher.test", "xn--bcher-kva.test"]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.sampled_from(["", "a", "?q", "#f"]),
)


@given(first=urls, second=urls, third=urls)
def test_same_site_is_an_equivalence(first: str, second: str, third: str) -> None:
    assert same_site(first, first)
    assert same_site(first, second) == same_site(second, first)
    if same_site(first, second) and same_site(second, third):
        assert same_site(first, third)
