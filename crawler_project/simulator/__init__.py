"""Crawls of recorded or generated webs, offline: driver 1 of the strategies. No Scrapy, no Redis."""
