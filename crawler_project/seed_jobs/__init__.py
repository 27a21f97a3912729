"""The steps of ``scrapy seeds`` put together: files, pipes, the crawl of the seeds, the whole chain."""
