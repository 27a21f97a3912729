"""Between Scrapy and topics: learning a model on the command line, the plan of a topic crawl, what it learns."""
