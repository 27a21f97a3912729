"""Which server a host is on."""

from __future__ import annotations

import asyncio

import pytest
from scrapy.settings import Settings

from crawler_project.core.errors import ConfigurationError
from crawler_project.crawling.shared_servers import SharedServers, limit_of


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("www.example.co.kr:8080", "example.co.kr"),
        ("a.blogspot.com", "blogspot.com"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("kr", "kr"),
    ],
)
def test_server_by_domain_is_the_one_of_who_hosts(host: str, server: str) -> None:
    assert SharedServers("domain", "", lambda: None).of(host) == server


def test_server_by_address_is_known_after_a_look_up_and_looked_up_again_when_that_is_old() -> None:
    now = 0.0

    async def ask() -> list[str | None]:
        nonlocal now
        known = asyncio.Event()
        servers = SharedServers("ip", "", known.set, clock=lambda: now)
        answers = [servers.of("127.0.0.1:8080"), servers.of("127.0.0.1:8080")]
        await asyncio.wait_for(known.wait(), 10)
        answers.append(servers.of("127.0.0.1:8080"))
        now = 3600.0
        answers.append(servers.of("127.0.0.1:8080"))
        servers.close()
        return answers

    assert asyncio.run(ask()) == [None, None, "127.0.0.1", None]


@pytest.mark.parametrize("host", ["no-such-name.invalid", "a" * 70 + ".kr", "[::1"])
def test_host_without_an_address_is_a_server_of_its_own(host: str) -> None:
    async def ask() -> str | None:
        known = asyncio.Event()
        servers = SharedServers("ip", "", known.set)
        servers.of(host)
        await asyncio.wait_for(known.wait(), 30)
        return servers.of(host)

    assert asyncio.run(ask()) == host


def test_every_name_is_on_the_one_address_of_a_virtual_web() -> None:
    assert SharedServers("ip", "127.0.0.1", lambda: None).of("a.kr") == "127.0.0.1"


def test_unknown_limit_is_refused_with_what_there_is() -> None:
    with pytest.raises(ConfigurationError, match="choose domain or ip"):
        limit_of(Settings({"FRONTIER_LIMIT_BY": "server"}))
