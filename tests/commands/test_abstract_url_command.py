from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Scrapy = Callable[..., subprocess.CompletedProcess[str]]
URLS = ["http://www.china-pub.com/computers/result.asp?typeid=C24-04-01", "http://shop.test/product/978?b=2&a=1"]


@pytest.mark.parametrize(("options", "second"), [([], "/product/978?a&b"), (["--generalised"], "/product/{n}?a&b")])
def test_abstract_url_prints_url_tab_and_class(scrapy: Scrapy, options: list[str], second: str) -> None:
    expected = f"{URLS[0]}\t/computers/result.asp?typeid\n{URLS[1]}\t{second}\n"
    done = scrapy("abstract-url", *options, *URLS)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    assert scrapy("abstract-url", *options, input="\n".join(URLS)).stdout == expected


def test_abstract_url_says_in_one_line_what_is_wrong(scrapy: Scrapy) -> None:
    done = scrapy("abstract-url", "--generalized", URLS[0])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("scrapy abstract-url: unknown option --generalized")
    assert done.stderr.count("\n") == 1
