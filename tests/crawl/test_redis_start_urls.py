"""Start URLs pushed to Redis while a crawl runs, as users of scrapy-redis do."""

from __future__ import annotations

import json

from web_of_test import KOREAN, Crawl, WebServer, html
from workers_of_test import Workers, redis_of_crawls, workers

__all__ = ["redis_of_crawls", "workers"]


def test_pushed_urls_are_crawled_from_list_set_and_sorted_set(
    server: WebServer, workers: Workers, crawl: Crawl
) -> None:
    hosts = ["a.example.kr", "b.example.kr", "c.example.kr", "d.example.kr"]
    server.pages = {(host, "/"): html("문서", KOREAN) for host in hosts}
    crawl.seeds.write_text("http://a.example.kr/\n")
    key = f"{workers.name}:start_urls"
    with workers.redis.client() as client:
        client.rpush(key, "http://b.example.kr/", "no URL at all", json.dumps({"url": 3}), b"\xff{")
        workers.start(
            2, FRONTIER_STAY_IDLE=1, MAX_IDLE_TIME_BEFORE_CLOSE=3, REDIS_START_URLS_KEY="%(crawl)s:start_urls"
        )
        workers.until(lambda: "b.example.kr/" in server.paths() and not client.exists(key))
        client.sadd(key, json.dumps({"url": "http://c.example.kr/", "meta": {"job": "1"}}))
        workers.until(lambda: "c.example.kr/" in server.paths() and not client.exists(key))
        client.zadd(key, {"http://d.example.kr/": 5})
        printed = workers.finish()
        assert not client.exists(key)
    assert {row["host"] for row in workers.export()} == set(hosts)
    assert sum(text.count("is no URL and is skipped") for text in printed) >= 3


def test_start_urls_of_another_type_are_complained_about_once(
    server: WebServer, workers: Workers, crawl: Crawl
) -> None:
    server.pages["a.example.kr", "/"] = html("문서", KOREAN)
    with workers.redis.client() as client:
        client.hset("lang_focused:start_urls", "a", "b")
        printed = workers.run(1, seeds=["http://a.example.kr/"], FRONTIER_STAY_IDLE=1, MAX_IDLE_TIME_BEFORE_CLOSE=3)
        client.delete("lang_focused:start_urls")
    assert printed[0].count("start URLs are a list, set or sorted set") == 1
