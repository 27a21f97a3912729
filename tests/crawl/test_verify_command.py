"""``scrapy verify`` and ``scrapy rules test URL`` over real HTTP."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from shops_of_test import SITES, add_six_sites
from web_of_test import WebServer

Scrapy = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def settings(server: WebServer) -> list[str]:
    add_six_sites(server)
    given = {"VIRTUAL_WEB": f"127.0.0.1:{server.port}", "FRONTIER_DELAY": 0, "FRONTIER_RETRY_DELAY": 0.01}
    return [part for name, value in given.items() for part in ("-s", f"{name}={value}")]


def test_verify_shows_the_steps_and_the_verdict(scrapy: Scrapy, settings: list[str]) -> None:
    done = scrapy("verify", "--rules", "bookshop-ko", *settings, "b.shop.example")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0].split()[:4] == ["b.shop.example", "1", "0.10", "http://b.shop.example/"]
    good = [line for line in lines if " + 1.00  http://b.shop.example/product/" in line]
    assert len(good) == 5
    assert any(line.startswith("b.shop.example  → yes: enough pages (5 good of ") for line in lines)
    assert any("5 expanded" in line and line.endswith("/product/{n}") for line in lines)


def test_verify_takes_parameters_and_says_no_with_its_exit_code(scrapy: Scrapy, settings: list[str]) -> None:
    arguments = ["-a", "classes=literal", "-a", "num_exp_pages=3", *settings, SITES[3], SITES[5]]
    done = scrapy("verify", "-r", "bookshop-ko", *arguments)
    assert done.returncode == 1
    assert "calendar.example  → no: limit (0 good of 3 pages)" in done.stdout
    assert "its first page is at another site now: http://elsewhere.example/" in done.stdout


def test_rules_test_fetches_an_address(scrapy: Scrapy, settings: list[str]) -> None:
    done = scrapy("rules", "test", "bookshop-ko", *settings, "http://b.shop.example/product/9788968481000", SITES[4])
    assert "http://b.shop.example/product/9788968481000  F = 1.000" in done.stdout
    assert (done.returncode, done.stderr) == (1, "scrapy rules: 'http://broken.example/': status 500\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name at least one site"),
        (["shop.example"], "name the rules (--rules bookshop-ko)"),
        (["--rules", "x", "shop.example"], "rules='x' cannot be read"),
        (["--rules", "bookshop-ko", "shop"], "'shop' is no site: a host needs a dot"),
        (["--rules", "bookshop-ko", "-a", "order", "shop.example"], "-a 'order' must be NAME=VALUE"),
        (["--rules", "bookshop-ko", "-a", "order=worst", "shop.example"], "order='worst' is not known"),
        (["--bogus"], "unknown option --bogus"),
    ],
)
def test_verify_says_in_one_line_what_is_wrong(scrapy: Scrapy, arguments: list[str], said: str) -> None:
    done = scrapy("verify", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"scrapy verify: {said}")
    assert done.stderr.count("\n") == 1
