"""Settings of this project, each with its reason. Scrapy's own keep their meaning.

Every setting of ours is described in docs/settings.md; a test compares the two.
"""

import os

BOT_NAME = "crawler_project"
SPIDER_MODULES = ["crawler_project.spiders"]
NEWSPIDER_MODULE = "crawler_project.spiders"
COMMANDS_MODULE = "crawler_project.commands"

# --- who we are -----------------------------------------------------------------------------
# Address or mail of whoever is responsible for a crawl; site owners need somebody to write to.
# Empty: the crawl starts all the same, at half the speed a host, and says so.
CRAWLER_CONTACT = ""
# Empty: "crawler_project/VERSION (+CRAWLER_CONTACT)".
USER_AGENT = ""

# --- what is followed -----------------------------------------------------------------------
FOCUS_STRATEGY = "experimental"
# {"ko": ["kr", "한국"]}: replaces a language's row of core/target.py.
FOCUS_TLDS: dict[str, list[str]] = {}
# Robots meta tags say "nofollow" of a whole page; rel=nofollow mostly marks comments and adverts.
FOCUS_OBEY_ROBOTS_META = True
FOCUS_FOLLOW_REL_NOFOLLOW = True
# A link's declared language is evidence where its anchor says nothing; False: the paper's rule alone.
FOCUS_USE_HREFLANG = True
# fastText and CLD2 combined agree with people best of all that was measured (docs/languages.md).
LANGUAGE_JUDGE = "combined"
# Path of another fastText model; empty: the shipped lid.176.ftz.
LANGUAGE_MODEL = ""

# --- politeness -----------------------------------------------------------------------------
ROBOTSTXT_OBEY = True
# Seconds between the end of a fetch and the next on the same host, unless robots.txt says more.
FRONTIER_DELAY = 1.0
# robots.txt files ask for hours now and then; a minute keeps such hosts alive without starving them.
FRONTIER_MAX_DELAY = 60.0
# Tries of a URL before it is given up.
FRONTIER_MAX_ATTEMPTS = 3
# Seconds that a host rests after a failure; doubled with each further one of the same URL.
FRONTIER_RETRY_DELAY = 10.0
# URLs fetched from one host; an endless site must not eat a crawl.
FRONTIER_MAX_PAGES_PER_HOST = 100_000
CONCURRENT_REQUESTS = 32
# Scrapy would read the sources of our callbacks to warn of a mistake that they do not have.
WARN_ON_GENERATOR_RETURN_VALUE = False
# Scrapy makes so many tasks for each answer; ours has one item, and 100 tasks cost 1 ms.
CONCURRENT_ITEMS = 1
# The frontier leases one URL a host and counts its delay; Scrapy's own slots must not add to it.
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False
COOKIES_ENABLED = False

# --- many workers ---------------------------------------------------------------------------
# embedded (SQLite, one process) or redis (docs/workers.md); empty: Redis where REDIS_URL is set.
FRONTIER = ""
# From the environment, because a password on a command line is there for everybody to see.
REDIS_URL = os.environ.get("REDIS_URL", "")
# Name of the crawl in Redis; empty: target and strategy, "ko-experimental".
FRONTIER_CRAWL = ""
# Seconds without a heartbeat after which the URLs of a worker go to others.
FRONTIER_LEASE = 120.0
# domain or ip: hosts of one registered domain or one address share one delay, one request at a time; empty: only hosts count.
FRONTIER_LIMIT_BY = ""
# Parts of a crawl in Redis, by host: more than one for a Redis Cluster, or for more pages/s than one Redis can do.
FRONTIER_SHARDS = 1
# False: a finished crawl ends. True: it waits for more start URLs (MAX_IDLE_TIME_BEFORE_CLOSE seconds, 0: for ever).
FRONTIER_STAY_IDLE = False

# --- metasearch -----------------------------------------------------------------------------
# Where `scrapy sites find` looks without --provider: the instance that docker-compose.yml starts.
METASEARCH_PROVIDERS = ["searxng=http://127.0.0.1:8080"]
# Seconds between an answer of a provider and the next question to it: what free plans allow (1 request a second).
METASEARCH_DELAY = 1.1
# Seconds for a whole answer of a provider; a metasearch engine waits for others itself.
METASEARCH_TIMEOUT = 20

# --- safety ---------------------------------------------------------------------------------
# "127.0.0.1:PORT" sends every name of a crawl there (`scrapy serve`); the only way to loopback.
VIRTUAL_WEB = ""
# Bytes, compressed and decompressed: 99.9 % of HTML pages are smaller.
DOWNLOAD_MAXSIZE = 8 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
# Seconds for a whole answer: slow drips end.
DOWNLOAD_TIMEOUT = 60
REDIRECT_MAX_TIMES = 8
TELNETCONSOLE_ENABLED = False

# --- output ---------------------------------------------------------------------------------
# A leading "=", "+", "-", "@" in a cell gets a "'" before it, because spreadsheets would run it
# as a formula; False leaves the text as it was on the page.
CSV_DEFUSE_FORMULAS = True
# Seconds between checkpoints: what a killed crawl fetches again.
CHECKPOINT_INTERVAL = 1.0
# Seconds between log lines where there is no terminal.
PROGRESS_INTERVAL = 60.0

# --- how Scrapy is put together ----------------------------------------------------------------
SCHEDULER = "crawler_project.scheduler.LeaseScheduler"
ASYNCIO_EVENT_LOOP = "uvloop.Loop"
DOWNLOAD_HANDLERS = {
    "http": "crawler_project.crawling.download_handler.GuardedDownloadHandler",
    "https": "crawler_project.crawling.download_handler.GuardedDownloadHandler",
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
}
# Redirects, retries, robots.txt and refused addresses are the frontier's and the handler's business:
# they must wait for a host's turn. What is left is decompression, with its limits.
DOWNLOADER_MIDDLEWARES_BASE = {"scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590}
# Links never become requests, so nothing is left for the spider middlewares to do.
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
EXTENSIONS = {
    "scrapy.extensions.logstats.LogStats": None,
    "crawler_project.extensions.shared_learning.SharedLearning": 50,  # before the one that closes the frontier
    "crawler_project.extensions.crawl_output.CrawlOutput": 100,
    "crawler_project.extensions.content_types.ContentTypes": 200,
    "crawler_project.extensions.progress.Progress": 300,
    "crawler_project.extensions.start_urls.StartUrls": 400,
}
STATS_DUMP = False
LOG_LEVEL = "INFO"
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {"parquet": "crawler_project.exporters.parquet.ParquetItemExporter"}
