"""robots.txt in front of every fetch, through the frontier's leases.

robots.txt is fetched under the lease of the URL that needs it, so that it counts as the host's
one request and starts its delay; the URL is then given back and served when the delay is over.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import NamedTuple

from crawler_project.core.seams import Frontier
from crawler_project.core.urls import canonical_url
from crawler_project.core.values import Entry, Lease, Outcome
from crawler_project.crawling import robots

MAX_REDIRECTS = 5
"""RFC 9309 2.3.1.2."""
MAX_WAITS = 60
"""How often a URL is given back while another host's robots.txt, to which its own redirects, is not there yet."""
ROBOTS = "robots.txt"
"""``why`` of an entry that is in the frontier only so that its host's robots.txt is fetched."""
_FIRST = -1e9


class Admission(NamedTuple):
    """What is to be done with a leased URL: fetch it, fetch ``robots_url`` first, or neither."""

    robots_url: str = ""
    refusal: str = ""
    wait: bool = False
    """Give the URL back; another host's robots.txt has to come first."""


ADMITTED = Admission()


class _Redirected(NamedTuple):
    url: str
    host: str
    hops: int = 0
    waits: int = 0


class RobotsGate:
    """Decide by robots.txt whether leased URLs may be fetched.

    Args:
        least_delay: the crawl's own delay in seconds; a shorter Crawl-delay does not take its place.
    """

    def __init__(self, frontier: Frontier, user_agent: str, least_delay: float = 0.0) -> None:
        self._frontier = frontier
        self._user_agent = user_agent
        self._least_delay = least_delay

    def check(self, lease: Lease, now: float) -> Admission:
        """What to do with ``lease``; ``now`` in seconds (Unix time)."""
        host, url = lease.entry.host, lease.entry.url
        rules = self._frontier.host_rules(host)
        if rules is None or rules.expires <= now:
            return self._missing(host, url, now)
        if lease.entry.why == ROBOTS:
            return Admission(refusal="robots.txt is known")
        if robots.is_allowed(rules, url, self._user_agent):
            return ADMITTED
        return Admission(refusal=robots.refusal_reason(rules))

    def answered(self, lease: Lease, status: int, location: str, body: bytes, now: float) -> None:
        """Take the answer to the request for robots.txt. The URL itself is to be released.

        A redirect is followed on its own host with the host's next request; one to another host's
        robots.txt through that host's queue; one to anything else counts as "no robots.txt"
        (RFC 9309 2.3.1.2 would follow it).
        """
        host = lease.entry.host
        if status in (301, 302, 303, 307, 308) and self._follow(host, location, lease):
            return
        self._forget(host)
        status = 404 if 300 <= status < 400 else status
        rules = robots.rules_from_answer(status, body, self._user_agent, now, self._least_delay)
        self._frontier.set_host_rules(host, rules)

    def failed(self, lease: Lease, reason: str, last_attempt: bool, now: float) -> Outcome:
        """The request for robots.txt failed: the URL counts an attempt; with the last one the host is closed for a day."""
        if last_attempt:
            self._frontier.set_host_rules(lease.entry.host, robots.unreachable(reason, now))
        return Outcome(kind="failed", reason=f"robots.txt: {reason}")

    def close_host(self, host: str, reason: str, now: float) -> None:
        """Refuse everything on a host for a day (its address is not public, for one)."""
        self._frontier.set_host_rules(host, robots.unreachable(reason, now))

    def _missing(self, host: str, url: str, now: float) -> Admission:
        redirected = self._recall(host)
        if redirected is None:
            return Admission(robots_url=robots.robots_url(url))
        if redirected.host == host:
            return Admission(robots_url=redirected.url)
        rules = self._frontier.host_rules(redirected.host)
        if rules is None and redirected.waits < MAX_WAITS:
            self._remember(host, redirected._replace(waits=redirected.waits + 1))
            return Admission(wait=True)
        self._forget(host)
        if rules is None:
            return Admission(refusal="robots.txt redirects to a host that does not answer")
        # a robots.txt that went through a queue is fetched once; its rules hold on until the crawl ends
        self._frontier.set_host_rules(host, replace(rules, expires=max(rules.expires, now + robots.LIFETIME)))
        return Admission(wait=True)

    def _follow(self, host: str, location: str, lease: Lease) -> bool:
        before = self._recall(host)
        source = before.url if before else robots.robots_url(lease.entry.url)
        target = canonical_url(location, source)
        hops = before.hops + 1 if before else 1
        if target is None or hops > MAX_REDIRECTS:
            return False
        if target.host != host:
            if target.url != robots.robots_url(target.url):
                return False
            self._frontier.add([Entry(url=target.url, host=target.host, priority=_FIRST, why=ROBOTS)])
        self._remember(host, _Redirected(target.url, target.host, hops))
        return True

    def _recall(self, host: str) -> _Redirected | None:
        """Where a host's robots.txt has gone; kept with the crawl, so that all workers know it."""
        stored = self._frontier.note(f"{ROBOTS}/{host}")
        try:
            return _Redirected(*json.loads(stored)) if stored else None
        except (ValueError, TypeError):  # it is asked for anew
            return None

    def _remember(self, host: str, redirected: _Redirected) -> None:
        self._frontier.set_note(f"{ROBOTS}/{host}", json.dumps(redirected))

    def _forget(self, host: str) -> None:
        if self._recall(host) is not None:
            self._frontier.set_note(f"{ROBOTS}/{host}", "")
