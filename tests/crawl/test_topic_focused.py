"""A topic crawl over HTTP: train on ten pages, crawl, read the files; killed and resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from web_of_test import ROOT, Crawl, WebServer

from crawler_project.relevance.topic import TopicModel
from crawler_project.relevance.topic.training import TrainingSettings, train_topic

FOODS = ("rice", "noodle", "cabbage", "mushroom", "chicken", "tofu", "pepper", "potato", "onion", "squid")
TOPICS = ("engine of a train", "history of a castle", "rules of chess", "stars and planets", "price of shares")


def recipe(food: str) -> str:
    return (
        f"Recipe: {food} soup. Boil the {food} with garlic and salt, stir the sauce, simmer and serve the dish hot. "
        * 3
    )


def prose(topic: str, number: int) -> str:
    return (
        f"Article {number} about the {topic}: what people know of the {topic} and how it was studied over many years. "
        * 3
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Learned from ten recipes, and from pages of any kind."""
    unlabelled = [prose(topic, number) for topic in TOPICS for number in range(8)] + [
        recipe(food) for food in FOODS[:3]
    ]
    path = tmp_path_factory.mktemp("model") / "recipes.model"
    train_topic(map(recipe, FOODS), unlabelled, TrainingSettings("recipes")).save(path)
    assert TopicModel.load(path).score_text(recipe("carrot")) > 0
    return path


def page(title: str, body: str) -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"


def web(server: WebServer) -> None:
    """A page of news that has recipes in one block, an anchor and a context that say so, and links that say nothing."""
    links = "".join(
        f'<li><a href="/r{number}">{food} soup</a> boil, simmer and serve</li>' for number, food in enumerate(FOODS)
    )
    server.pages = {
        ("a.example.org", "/"): page(
            "News",
            f"<p>{prose(TOPICS[0], 1)}</p><ul><li><a href='/n1'>read on</a></li></ul>"
            f"<ul>{links}</ul><ul><li>{prose(TOPICS[3], 3)} <a href='/anchor'>garlic sauce recipe</a></li></ul>"
            f"<ul><li><a href='/n2'>stars</a></li></ul>",
        ),
        ("a.example.org", "/anchor"): page("Sauce", f"<p>{recipe('garlic')}</p>"),
        ("a.example.org", "/n1"): page("Castle", f"<p>{prose(TOPICS[1], 5)}</p>"),
        ("a.example.org", "/n2"): page("Stars", f"<p>{prose(TOPICS[3], 6)}</p>"),
        **{("a.example.org", f"/r{n}"): page(food, f"<p>{recipe(food)}</p>") for n, food in enumerate(FOODS)},
    }


class TopicCrawl(Crawl):
    """The same command for the other spider."""

    model = Path()

    def command(self, *arguments: str, virtual: bool = True, **settings: object) -> list[str]:
        command = super().command(*arguments, virtual=virtual, **settings)
        command[command.index("lang_focused")] = "topic_focused"
        at = command.index("target=ko")
        command[at] = f"model={self.model}"
        return command


@pytest.fixture
def topic_crawl(server: WebServer, tmp_path: Path, model: Path) -> TopicCrawl:
    crawl = TopicCrawl(server, tmp_path)
    crawl.model = model
    return crawl


def test_topic_crawl_follows_relevant_texts_first_and_says_which(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    printed = topic_crawl.run(seeds=["http://a.example.org/"], CONCURRENT_REQUESTS=1)
    rows = topic_crawl.rows()
    assert len(rows) == 14
    rules = {row["url"].rpartition("/")[2]: row["why"].split()[0] for row in rows}
    assert rules["r0"] == "block"
    assert rules["anchor"] == "anchor"
    assert (rules["n1"], rules["n2"]) == ("refused", "refused")
    assert {row["url"].rpartition("/")[2] for row in rows[-2:]} == {"n1", "n2"}
    assert all("topic recipes " in row["evidence"] for row in rows)
    assert {row["is_target"] for row in rows[1:12]} == {"true"}
    stats = topic_crawl.stats()
    assert (stats["focus/kept_count/block"], stats["focus/kept_count/anchor"], stats["focus/kept_count/refused"]) == (
        10,
        1,
        2,
    )
    assert "in recipes" in printed


def test_topic_crawl_with_hard_refusal_fetches_admitted_links_only(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.run("-a", "refused=hard", "-a", "strategy=anchor_text", seeds=["http://a.example.org/"])
    assert {row["why"].split()[0] for row in topic_crawl.rows()} == {"seed", "anchor"}


def test_topic_crawl_can_ask_for_a_language_too(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.run("-a", "target=ko", seeds=["http://a.example.org/"])
    rows = topic_crawl.rows()
    assert {row["is_target"] for row in rows} == {"false"}
    assert all("topic recipes " in row["evidence"] for row in rows)
    assert topic_crawl.summary()["target"] == ["ko"]


def test_topic_crawl_is_reported_like_any_other(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.run(seeds=["http://a.example.org/"])
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "report", str(topic_crawl.output), "--out", str(topic_crawl.folder / "report.html")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_topic_crawl_killed_and_started_again_has_every_page_once(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.seeds.write_text("http://a.example.org/\n")
    job = topic_crawl.folder / "job"
    arguments = ("-a", "strategy=cbp_slc")
    process = topic_crawl.start(*arguments, JOBDIR=job, FRONTIER_DELAY=0.2, CHECKPOINT_INTERVAL=0.05)
    while len(server.requests) < 6:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    topic_crawl.run(*arguments, JOBDIR=job)
    urls = [row["url"] for row in topic_crawl.rows()]
    assert len(urls) == len(set(urls)) == 14


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no model"),
        (("-a", "model=nowhere.model", "-a", "seeds=S"), "nowhere.model"),
        (("-a", "model=MODEL"), "no seeds"),
        (("-a", "model=MODEL", "-a", "seeds=S", "-a", "strategy=perfect"), "simulate"),
        (("-a", "model=MODEL", "-a", "seeds=S", "-a", "refused=maybe"), "soft, hard"),
        (("-a", "model=MODEL", "-a", "seeds=S", "-a", "tags=div"), "paper, html5"),
    ],
)
def test_topic_crawl_says_in_one_line_what_is_wrong(
    tmp_path: Path, model: Path, arguments: tuple[str, ...], said: str
) -> None:
    from scrapy.settings import Settings

    from crawler_project import settings
    from crawler_project.core.errors import CrawlerProjectError
    from crawler_project.topic_plan import TopicPlan

    given = dict(part.split("=", 1) for part in arguments[1::2])
    given = {key: str(model) if value == "MODEL" else value for key, value in given.items()}
    given["output"] = str(tmp_path / "out")
    ours = Settings({name: value for name, value in vars(settings).items() if name.isupper()})
    with pytest.raises(CrawlerProjectError, match=said) as error:
        TopicPlan.from_arguments(ours, given)
    assert "\n" not in str(error.value)
