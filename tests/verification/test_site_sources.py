"""Where the sites of a verification come from: a file, or the addresses themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.sites.site_plan import _sites


@pytest.mark.parametrize(
    ("source", "urls"),
    [
        ("http://a.kr/,https://b.co.kr/shop/", ["http://a.kr/", "https://b.co.kr/shop/"]),
        ("ko.react.dev,hexo.io", ["http://ko.react.dev/", "http://hexo.io/"]),
        ("a.kr:8080/shop, http://b.kr", ["http://a.kr:8080/shop", "http://b.kr/"]),
    ],
)
def test_sites_may_be_addresses_with_commas(source: str, urls: list[str]) -> None:
    assert [site.url for site in _sites(source).urls] == urls


def test_file_that_looks_like_an_address_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.md").write_text("a.kr\n", encoding="utf-8")
    assert [site.url for site in _sites("list.md").urls] == ["http://a.kr/"]


@pytest.mark.parametrize("source", ["sites.txt", "a.kr,sites.txt", "kr", "", "folder/sites.csv"])
def test_file_that_is_not_there_is_named_as_what_it_was_given_for(source: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^sites="):
        _sites(source)
