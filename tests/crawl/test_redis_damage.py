"""Damage in Redis while workers are at work: a line that says so and exit code 1, or no harm; and again at the next start."""

from __future__ import annotations

import os
import random

import pytest
from test_redis_trouble import SETTINGS, some_pages, troubled
from web_of_test import WebServer
from workers_of_test import Workers

__all__ = ["troubled"]

KINDS = ("m", "r:*", "h:*", "q:*", "ready", "rest", "l", "s:*")[: None if os.environ.get("CRAWL_ALL_DAMAGE") else 3]
"""``CRAWL_ALL_DAMAGE=1`` takes all of them."""
GARBAGE = (b"", b"garbage", b"nan", b"1e999", b"\xff\x00\xfe", b"__import__('os').abort()", b"cposix\nabort\n(tR.")


def spoil_all(workers: Workers, kind: str) -> None:
    """Put garbage into all values of all keys of one kind."""
    rng = random.Random(kind)
    with workers.redis.client() as client:
        for key in client.keys(f"*troubled*:{kind}"):
            match client.type(key):
                case b"hash":
                    client.hset(key, mapping={field: rng.choice(GARBAGE) for field in client.hkeys(key)})
                case b"list":
                    client.eval(
                        "for i = 1, redis.call('LLEN', KEYS[1]) do redis.call('LSET', KEYS[1], i - 1, ARGV[1]) end",
                        1,
                        key,
                        rng.choice(GARBAGE),
                    )
                case b"zset":
                    client.zadd(key, dict.fromkeys(GARBAGE, 0.0))
                case b"set":
                    client.sadd(key, *GARBAGE)


@pytest.mark.parametrize("kind", KINDS)
def test_worker_says_what_is_damaged_and_fails_or_is_not_harmed(
    server: WebServer, troubled: Workers, kind: str
) -> None:
    settings = {**SETTINGS, "FRONTIER_LEASE": 2}
    troubled.start(1, **settings)
    troubled.until(lambda: some_pages(server))
    spoil_all(troubled, kind)
    for is_again in (False, True):  # it would be started again
        process = troubled.processes.pop()
        printed, _ = process.communicate(timeout=60)
        assert "Traceback" not in printed, printed
        if process.returncode == 0:
            assert "Crawl ended (finished)" in printed
            return
        said = [line for line in printed.splitlines() if "damaged" in line]
        assert len(said) in (1, 2, 3), printed
        assert process.returncode in (1, 2)
        if not is_again:
            troubled.start(1, **settings)
