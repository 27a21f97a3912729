"""The strategy that learns in topic crawls over HTTP: the topic model's verdict is what it learns from."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from test_adaptive_live import WRONG, Run, damaged_states
from test_redis_topic import HOSTS, TopicCrawl, kitchens, model, scrapy, workers
from web_of_test import WebServer
from workers_of_test import Workers, redis_of_crawls

from crawler_project.strategies.learning.state import read_state

__all__ = ["model", "redis_of_crawls", "workers"]

LEARNING = ("-a", "strategy=adaptive")


@pytest.fixture
def crawl(server: WebServer, tmp_path: Path, model: Path) -> TopicCrawl:
    crawl = TopicCrawl(server, tmp_path)
    crawl.model = model
    return crawl


def target_pages(crawl: TopicCrawl, name: str = "model.json") -> tuple[int, int]:
    """Pages that were learned from, and those on target among them."""
    state = read_state(crawl.output / name)
    return int(state["examples"]), sum(cell["target_pages"] for cell in state["calibration"])


def test_topic_crawl_learns_from_the_topic_and_says_so(server: WebServer, crawl: TopicCrawl) -> None:
    urls = kitchens(server)
    crawl.run(*LEARNING, seeds=[f"http://{HOSTS[0]}/"], ROBOTSTXT_OBEY=0, CONCURRENT_REQUESTS=1)
    rows = crawl.rows()
    assert sorted(row["url"] for row in rows) == sorted(urls)
    relevant = [row for row in rows[1:] if row["is_target"] == "true"]
    assert {row["url"] for row in relevant} >= {url for url in urls if "/r" in url}
    assert target_pages(crawl) == (len(rows) - 1, len(relevant))
    assert all(row["why"].startswith("learned 0.") and "topic recipes" in row["evidence"] for row in rows[1:])
    said = scrapy("explain", rows[-1]["url"], "--crawl", crawl.output)
    assert f"↓ {rows[-1]['why']}" in said
    scrapy("report", crawl.output)
    report = (crawl.output / "report.html").read_text(encoding="utf-8")
    assert "What was learned" in report
    with (crawl.output / "report" / "why.csv").open(encoding="utf-8", newline="") as file:
        assert "learned" in {row["rule"] for row in csv.DictReader(file)}


def test_topic_crawl_starts_from_what_another_has_learned(server: WebServer, crawl: TopicCrawl) -> None:
    kitchens(server)
    crawl.run(*LEARNING, "-a", "pages=12", seeds=[f"http://{HOSTS[0]}/"], ROBOTSTXT_OBEY=0, CONCURRENT_REQUESTS=1)
    first, cold = crawl.output / "model.json", crawl.rows()[1]["why"]
    crawl.output = crawl.folder / "warm"
    crawl.run(*LEARNING, "-a", f"start_from={first}", ROBOTSTXT_OBEY=0, CONCURRENT_REQUESTS=1)
    assert crawl.rows()[1]["why"] != cold
    assert target_pages(crawl)[0] == len(server.pages) - 1
    assert str(first) in read_state(crawl.output / "model.json")["about"]["strategy"]


def test_topic_workers_on_redis_learn_together(server: WebServer, workers: Workers) -> None:
    urls = kitchens(server)
    workers.run(2, *LEARNING, seeds=[f"http://{host}/" for host in HOSTS], ROBOTSTXT_OBEY=0)
    rows = workers.export()
    assert sorted(row["url"] for row in rows) == sorted(urls)
    parts = [target_pages(workers.crawl, path.name) for path in workers.crawl.output.glob("model.*.json")]  # type: ignore[arg-type]
    found = [row for row in rows if row["why"] != "seed"]
    assert len(parts) == 2
    relevant = sum(row["is_target"] == "true" for row in found)
    pages, targets = map(sum, zip(*parts, strict=True))
    # What a worker heard of the other counts as well; how much that is depends on time.
    assert len(found) <= pages <= 2 * len(found)
    assert relevant <= targets <= 2 * relevant


@pytest.mark.parametrize(("argument", "said"), WRONG)
def test_wrong_argument_costs_a_topic_crawl_one_line(
    scrapy: Run, crawl: TopicCrawl, tmp_path: Path, argument: str, said: str
) -> None:
    damaged_states(tmp_path)
    crawl.seeds.write_text("http://a.example.org/\n", encoding="utf-8")
    done = scrapy("crawl", "topic_focused", "-a", f"model={crawl.model}", "-a", f"seeds={crawl.seeds}", *LEARNING, "-a", argument, cwd=tmp_path)  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
