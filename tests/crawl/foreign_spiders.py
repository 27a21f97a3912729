"""Spiders as users of scrapy-redis have them: they know nothing of this project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import scrapy
from scrapy_redis.spiders import RedisSpider

ROWS = Path(os.environ.get("ROWS_OF_TEST", "rows"))


class ForeignSpider(scrapy.Spider):
    """Follow all links; write a line for each page, with what the request brought along."""

    name = "foreign"

    def __init__(self, seeds: str = "", **arguments: object) -> None:
        super().__init__(**arguments)
        self.start_urls = [url for url in seeds.split(",") if url]

    def parse(self, response):
        yield from self.page(response, note="start")

    def page(self, response, note, **others):
        with ROWS.open("a", encoding="utf-8") as file:
            row = {
                "url": response.url,
                "note": note,
                "meta": response.meta.get("mine"),
                "method": response.request.method,
            }
            file.write(json.dumps(row) + "\n")
        for link in response.css("a::attr(href)").getall():
            yield scrapy.Request(
                response.urljoin(link),
                callback=self.page,
                errback=self.broken if link.endswith("broken") else None,
                meta={"mine": [1, link]},
                cb_kwargs={"note": "link"},
                priority=len(link),
            )

    def broken(self, failure):
        with ROWS.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"url": failure.request.url, "note": "errback"}) + "\n")


class OddSpider(ForeignSpider):
    """Requests of every kind to one address, some that cannot be stored, and a callback that raises."""

    name = "odd"

    def parse(self, response):
        def local(response):
            raise AssertionError("never called")

        url = response.urljoin("/same")
        yield scrapy.Request(url, self.page, cb_kwargs={"note": "get"})
        yield scrapy.Request(url, self.page, cb_kwargs={"note": "get again"})
        yield scrapy.Request(url, self.page, cb_kwargs={"note": "not filtered"}, dont_filter=True)
        yield scrapy.Request(url, self.page, method="POST", body=b"a=1", cb_kwargs={"note": "post 1"})
        yield scrapy.FormRequest(url, self.page, formdata={"a": "2"}, cb_kwargs={"note": "post 2"})
        yield scrapy.http.JsonRequest(url, self.page, data={"a": (1, 2)} and {"a": 1}, cb_kwargs={"note": "json"})
        yield scrapy.Request(response.urljoin("/local"), local)
        yield scrapy.Request(response.urljoin("/object"), self.page, meta={"object": self})
        yield scrapy.Request(response.urljoin("/raises"), self.raises)
        yield scrapy.Request(response.urljoin("/moved"), self.page, cb_kwargs={"note": "moved"})

    def raises(self, response):
        raise RuntimeError("a mistake in a callback")


class ForeignRedisSpider(RedisSpider, ForeignSpider):
    """Start URLs from Redis."""

    name = "foreign_redis"
