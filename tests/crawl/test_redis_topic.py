"""A topic from example pages to a report, by the commands a user types: one worker killed, two on one Redis, resumed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_topic_focused import FOODS, TOPICS, page, prose, recipe
from web_of_test import MANY, ROOT, Crawl, WebServer
from workers_of_test import RedisServer, Workers, redis_of_crawls

__all__ = ["redis_of_crawls"]

HOSTS = [f"h{number}.example.org" for number in range(6)]


def scrapy(*arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Learned by ``scrapy topic train`` from a folder with ten saved pages, and lines of other texts."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "good").mkdir()
    for food in FOODS:
        (folder / "good" / f"{food}.html").write_text(page(food, f"<p>{recipe(food)}</p>"), encoding="utf-8")
    others = folder / "others.jsonl"
    others.write_text(
        "".join(json.dumps({"text": prose(topic, number)}) + "\n" for topic in TOPICS for number in range(8)), "utf-8"
    )
    out = folder / "recipes.json"
    said = scrapy("topic", "train", "--positive", folder / "good", "--unlabelled", others, "--out", out)
    assert "positive texts      10" in said
    return out


class TopicCrawl(Crawl):
    """The same command for the other spider."""

    model = Path()

    def command(self, *arguments: str, virtual: bool = True, **settings: Any) -> list[str]:
        command = super().command(*arguments, virtual=virtual, **settings)
        command[command.index("lang_focused")] = "topic_focused"
        command[command.index("target=ko")] = f"model={self.model}"
        return command


@pytest.fixture
def workers(
    server: WebServer, tmp_path: Path, model: Path, redis_of_crawls: RedisServer, request: pytest.FixtureRequest
) -> Iterator[Workers]:
    crawl = TopicCrawl(server, tmp_path)
    crawl.model = model
    made = Workers(crawl, redis_of_crawls, request.node.name.replace("[", "-").replace("]", ""))
    yield made
    made.stop()


def kitchens(server: WebServer) -> list[str]:
    """Six sites with three recipes and two articles each, all linked from their front pages, these in a ring."""
    for number, host in enumerate(HOSTS):
        recipes = "".join(f"<li><a href=/r{n}>{FOODS[n]} soup</a> boil and serve the dish</li>" for n in range(3))
        articles = "".join(f"<li><a href=/n{n}>about the {TOPICS[n]}</a></li>" for n in range(2))
        following = f"<p><a href=http://{HOSTS[(number + 1) % len(HOSTS)]}/>another kitchen</a></p>"
        server.pages[host, "/"] = page("Kitchen", f"<ul>{recipes}</ul><ul>{articles}</ul>{following}")
        for n in range(3):
            server.pages[host, f"/r{n}"] = page(FOODS[n], f"<p>{recipe(FOODS[n])}</p>")
        for n in range(2):
            server.pages[host, f"/n{n}"] = page(TOPICS[n], f"<p>{prose(TOPICS[n], n)}</p>")
    return [f"http://{host}{path}" for host, path in server.pages]


def test_two_workers_share_a_topic_crawl_killed_and_resumed(server: WebServer, workers: Workers) -> None:
    urls = kitchens(server)
    workers.crawl.seeds.write_text(f"http://{HOSTS[0]}/\n")
    arguments = ("-a", "strategy=topic_learned")
    settings = {"FRONTIER_DELAY": 0.05, "FRONTIER_LEASE": 2, "ROBOTSTXT_OBEY": 0}
    server.held_after = 11
    workers.start(2, *arguments, **settings)
    workers.until(lambda: len(server.requests) > 10 and workers.have_begun())
    workers.processes[0].send_signal(signal.SIGKILL)
    workers.processes.pop(0).communicate(timeout=10)
    workers.processes[0].terminate()
    server.held_after = MANY
    workers.finish()
    assert len(server.requests) < len(urls)
    workers.run(2, *arguments, **settings)
    rows = workers.export()
    assert sorted(row["url"] for row in rows) == sorted(urls)
    assert {row["url"] for row in rows if row["is_target"] == "true"} >= {url for url in urls if "/r" in url}
    assert all("topic recipes " in row["evidence"] for row in rows)
    assert {row["why"].split()[0] for row in rows} >= {"seed", "block"}
    scrapy("report", workers.crawl.output)
    report = (workers.crawl.output / "report.html").read_text(encoding="utf-8")
    assert f">{len(urls)}<" in report
    assert "recipes" in report
