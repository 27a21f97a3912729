"""Between a Scrapy crawl and its frontier: the plan, the state, leases, politeness, what becomes of a fetch."""
