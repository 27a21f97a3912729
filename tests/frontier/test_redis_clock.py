"""How far the clock of the server is ahead: the fastest of several answers counts."""

from __future__ import annotations

import pytest

from crawler_project.frontier import redis_crawl
from crawler_project.frontier.redis_crawl import RedisCrawl


class SlowServer:
    """Its clock is 7 s ahead; an answer takes its whole time on the way back, which no client can know."""

    def __init__(self, trips: list[float]) -> None:
        self.now = 1000.0
        self._trips = iter(trips)

    def time(self) -> tuple[int, int]:
        microseconds = round((self.now + 7) * 1e6)
        self.now += next(self._trips)
        return divmod(microseconds, 1_000_000)


def test_fastest_answer_says_how_far_the_clock_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SlowServer([0.5, 0.02, 0.3, 0.001, 0.04, 0.9, 0.1, 0.2, 0.7])
    monkeypatch.setattr(redis_crawl.time, "time", lambda: server.now)
    crawl = RedisCrawl(server, "ko", "{p}:", None)  # type: ignore[arg-type]
    assert crawl.clock_offset() == pytest.approx(7.0, abs=0.0006)
