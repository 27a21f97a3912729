"""robots.txt in front of every fetch, on a real frontier."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, HostRules, Lease
from crawler_project.crawling import robots
from crawler_project.crawling.robots_gate import ADMITTED, ROBOTS, RobotsGate
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier

AGENT = "crawler_project/0 (+mail@example.org)"


def entry(url: str, why: str = "seed") -> Entry:
    parts = canonical_url(url)
    assert parts is not None
    return Entry(url=parts.url, host=parts.host, why=why)


@pytest.fixture
def frontier() -> Iterator[EmbeddedFrontier]:
    made = EmbeddedFrontier(None, identity={}, delay=1.0)
    yield made
    made.close()


@pytest.fixture
def gate(frontier: EmbeddedFrontier) -> RobotsGate:
    return RobotsGate(frontier, AGENT)


def lease_of(frontier: EmbeddedFrontier, url: str, now: float = 0.0) -> Lease:
    frontier.add([entry(url)])
    (lease,) = frontier.lease(1, now)
    return lease


def test_gate_asks_for_robots_first(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "https://a.example:8443/x?y")
    assert gate.check(lease, 0.0).robots_url == "https://a.example:8443/robots.txt"


def test_gate_obeys_what_robots_says_about_our_agent(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/private/x")
    gate.answered(lease, 200, "", b"User-agent: crawler_project\nDisallow: /private\nCrawl-delay: 7\n", 0.0)
    assert gate.check(lease, 1.0).refusal == "robots.txt"
    rules = frontier.host_rules("a.example")
    assert rules is not None
    assert rules.delay == 7.0
    frontier.release(lease, 1.0)
    assert gate.check(Lease(entry("http://a.example/public"), 0), 1.0) == ADMITTED


def test_gate_does_not_go_faster_than_the_crawl_because_robots_allows_it(frontier: EmbeddedFrontier) -> None:
    lease = lease_of(frontier, "http://a.example/")
    RobotsGate(frontier, AGENT, least_delay=2.0).answered(lease, 200, "", b"User-agent: *\nCrawl-delay: 0.1\n", 0.0)
    rules = frontier.host_rules("a.example")
    assert rules is not None
    assert rules.delay == 2.0


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (410, True), (403, True), (500, False), (204, True)])
def test_gate_reads_statuses_as_the_standard_says(
    frontier: EmbeddedFrontier, gate: RobotsGate, status: int, allowed: bool
) -> None:
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, status, "", b"", 0.0)
    assert (gate.check(lease, 1.0) == ADMITTED) is allowed


def test_gate_asks_again_when_the_rules_have_expired(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, 404, "", b"", 0.0)
    assert gate.check(lease, robots.LIFETIME - 1) == ADMITTED
    assert gate.check(lease, robots.LIFETIME).robots_url == "http://a.example/robots.txt"


def test_gate_closes_a_host_when_robots_cannot_be_had(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/")
    assert gate.failed(lease, "timeout", last_attempt=False, now=0.0).kind == "failed"
    assert frontier.host_rules("a.example") is None
    gate.failed(lease, "timeout", last_attempt=True, now=0.0)
    assert gate.check(lease, 1.0).refusal == "timeout"


def test_gate_follows_a_redirect_on_the_same_host(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, 301, "https://a.example/robots.txt", b"", 0.0)
    assert gate.check(lease, 1.0).robots_url == "https://a.example/robots.txt"
    gate.answered(lease, 200, "", b"User-agent: *\nDisallow: /", 1.0)
    assert gate.check(lease, 2.0).refusal == "robots.txt"


def test_gate_takes_the_rules_of_the_host_that_robots_redirects_to(
    frontier: EmbeddedFrontier, gate: RobotsGate
) -> None:
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, 301, "https://www.a.example/robots.txt", b"", 0.0)
    assert gate.check(lease, 1.0).wait
    (other,) = frontier.lease(1, 1.0)
    assert (other.entry.host, other.entry.why) == ("www.a.example", ROBOTS)
    assert gate.check(other, 1.0).robots_url == "https://www.a.example/robots.txt"
    gate.answered(other, 200, "", b"User-agent: *\nDisallow: /x", 1.0)
    assert gate.check(other, 2.0).refusal == "robots.txt is known"
    assert gate.check(lease, 2.0).wait
    assert gate.check(lease, 2.0) == ADMITTED
    assert gate.check(Lease(entry("http://a.example/x"), 0), 2.0).refusal == "robots.txt"


def test_gate_keeps_redirected_rules_when_they_are_old(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    frontier.set_host_rules("www.a.example", HostRules("User-agent: *\nDisallow: /x", expires=1.0))
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, 301, "https://www.a.example/robots.txt", b"", 5.0)
    assert gate.check(lease, 5.0).wait
    assert gate.check(lease, 6.0) == ADMITTED


def test_gate_gives_up_on_redirects_that_go_round(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/")
    for _ in range(6):
        gate.answered(lease, 302, "/robots.txt?again", b"", 0.0)
    assert gate.check(lease, 1.0) == ADMITTED


def test_gate_gives_up_waiting_for_a_host_that_does_not_answer(frontier: EmbeddedFrontier, gate: RobotsGate) -> None:
    lease = lease_of(frontier, "http://a.example/")
    gate.answered(lease, 301, "https://www.a.example/robots.txt", b"", 0.0)
    answers = [gate.check(lease, 1.0) for _ in range(100)]
    assert any("does not answer" in answer.refusal for answer in answers)


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00garbage", b"<html>not robots</html>", b"Disallow", b"User-agent: *\n" * 100_000]
)
def test_robots_of_any_bytes_is_read(body: bytes) -> None:
    rules = robots.rules_from_answer(200, body, AGENT, 0.0)
    assert isinstance(rules, HostRules)
    robots.is_allowed(rules, "http://a.example/", AGENT)
