"""A topic crawl over HTTP: train on ten pages, crawl, read the files; killed and resumed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from web_of_test import ROOT, TOPIC_STRATEGIES, Crawl, WebServer

from crawler_project.core.target import Target
from crawler_project.relevance.language.judges import make_anchor_judge, make_language_judge
from crawler_project.relevance.topic import TopicModel
from crawler_project.relevance.topic.link_scores import TopicLinkScorer
from crawler_project.relevance.topic.training import TrainingSettings, train_topic
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.text_recorder import TextRecorder
from crawler_project.simulator.topic_web import topic_web, view_topic
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_recorder import Recording, WebRecorder
from crawler_project.simulator.web_texts import read_web_texts
from crawler_project.strategies import make_strategy

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
    assert "on topic recipes  11 (harvest rate" in printed
    assert "Crawling for pages on topic recipes with" in printed


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


def korean(subject: str, kind: str) -> str:
    if kind == "recipe":
        return (
            f"{subject} 만드는 법: 냄비에 물을 끓이고 마늘과 간장을 넣어 {subject} 재료를 볶은 뒤 그릇에 담아 드세요. "
            * 3
        )
    return f"{subject}에 관한 글: {subject}는 오랜 세월 동안 많은 사람들이 연구하고 기록해 온 중요한 주제이다. " * 3


def test_korean_cooking_pages_are_those_in_korean_and_on_the_topic(server: WebServer, topic_crawl: TopicCrawl) -> None:
    dishes, subjects = ("김치찌개", "된장국", "비빔밥", "잡채", "불고기", "떡볶이"), ("바둑", "별자리", "주식", "기차")
    others = [korean(subject, "article") + str(n) for subject in subjects for n in range(6)]
    others += [prose(topic, n) for topic in TOPICS for n in range(2)]
    cooking = train_topic(
        [korean(dish, "recipe") for dish in dishes] + [recipe(food) for food in FOODS[:6]],
        others,
        TrainingSettings("cooking", "ko"),
    )
    topic_crawl.model = topic_crawl.folder / "cooking.json"
    cooking.save(topic_crawl.model)
    pages = {
        "/kr": korean("파전", "recipe"),
        "/ka": korean("바둑", "article"),
        "/er": recipe("carrot"),
        "/ea": prose("x", 1),
    }
    links = "".join(f"<p><a href={path}>{text[:20]}</a></p>" for path, text in pages.items())
    server.pages = {("a.example.org", path): page("t", f"<p>{text}</p>") for path, text in pages.items()}
    server.pages["a.example.org", "/"] = page("t", links)
    printed = topic_crawl.run("-a", "target=ko", seeds=["http://a.example.org/"])
    assert "in ko and on topic cooking  " in printed
    rows = {row["url"].rpartition("/")[2]: row for row in topic_crawl.rows()}
    assert {path: rows[path]["is_target"] for path in ("kr", "ka", "er", "ea")} == {
        "kr": "true", "ka": "false", "er": "false", "ea": "false",
    }  # fmt: skip
    assert (rows["kr"]["language"], rows["ka"]["language"], rows["er"]["language"]) == ("ko", "ko", "en")
    assert all("topic cooking " in row["evidence"] for row in rows.values())


def test_topic_crawl_is_reported_like_any_other(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.run(seeds=["http://a.example.org/"])
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "report", str(topic_crawl.output), "--out", str(topic_crawl.folder / "report.html")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "pages downloaded are on topic recipes, a harvest rate of " in done.stdout
    assert "Table 4" not in (topic_crawl.folder / "report.html").read_text(encoding="utf-8")


def test_topic_crawl_killed_and_started_again_has_every_page_once(server: WebServer, topic_crawl: TopicCrawl) -> None:
    web(server)
    topic_crawl.seeds.write_text("http://a.example.org/\n")
    job = topic_crawl.folder / "job"
    arguments = ("-a", "strategy=topic_learned")
    process = topic_crawl.start(*arguments, JOBDIR=job, FRONTIER_DELAY=0.2, CHECKPOINT_INTERVAL=0.05)
    server.kill_after(6, process)
    topic_crawl.run(*arguments, JOBDIR=job)
    urls = [row["url"] for row in topic_crawl.rows()]
    assert len(urls) == len(set(urls)) == 14


@pytest.mark.parametrize("name", [*TOPIC_STRATEGIES, "adaptive", "experimental"])
def test_live_topic_order_is_the_simulated_order(
    server: WebServer, topic_crawl: TopicCrawl, tmp_path: Path, name: str
) -> None:
    web(server)
    recorded = recorded_web(server, tmp_path / "web", topic_crawl.model)
    simulated = [recorded.url(number) for number in Simulator(recorded, make_strategy(name)).run()]
    topic_crawl.run("-a", f"strategy={name}", seeds=["http://a.example.org/"], CONCURRENT_REQUESTS=1)
    assert [row["url"] for row in topic_crawl.rows()] == simulated


def recorded_web(server: WebServer, folder: Path, model: Path) -> Web:
    """The same pages for the simulator, scored by the model."""
    target = Target(frozenset({"en"}), frozenset())
    texts = TextRecorder(folder)
    recorder = WebRecorder(target, make_language_judge("combined", target), make_anchor_judge(target), texts)
    for (host, path), html in server.pages.items():
        recorder.add(Recording(f"http://{host}{path}", str(html).encode(), "text/html; charset=utf-8"))
    plain = recorder.build([(1, "http://a.example.org/")])
    view = view_topic(read_web_texts(folder, plain), TopicLinkScorer(TopicModel.load(model)))
    return topic_web(plain, view, "recipes")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no model"),
        (("-a", "model=nowhere.model", "-a", "seeds=S"), "nowhere.model"),
        (("-a", "model=EMPTY", "-a", "seeds=S"), "is empty"),
        (("-a", "model=NEWER", "-a", "seeds=S"), "has version 99, this program reads 1; update"),
        (("-a", "model=BINARY", "-a", "seeds=S"), "no topic model"),
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
    from crawler_project.topics.topic_plan import TopicPlan

    given = dict(part.split("=", 1) for part in arguments[1::2])
    contents = {
        "EMPTY": b"",
        "NEWER": b'{"format": "crawler_project topic model", "version": 99}',
        "BINARY": b"\x89PNG\r\n\x1a\n\x00",
        "MODEL": model.read_bytes(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    given = {key: str(tmp_path / value) if value in contents else value for key, value in given.items()}
    given["output"] = str(tmp_path / "out")
    ours = Settings({name: value for name, value in vars(settings).items() if name.isupper()})
    with pytest.raises(CrawlerProjectError, match=said) as error:
        TopicPlan.from_arguments(ours, given)
    assert "\n" not in str(error.value)
