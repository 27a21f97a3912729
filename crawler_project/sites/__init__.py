"""Between Scrapy and site verification: finding sites, verifying many at once, evidence, files."""
