"""The strategy that learns in real crawls: its order on Redis, odd webs, killed workers, wrong arguments."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import aiohttp.web
import pytest
from test_live_and_simulated_orders import serve, with_anchor_texts
from test_sigkill import linked_web
from web_of_test import ENGLISH, KOREAN, MANY, Crawl, WebServer, html
from workers_of_test import Workers, redis_of_crawls, workers

from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.file import read_memory
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.state import describe_state, read_state

__all__ = ["redis_of_crawls", "workers"]

Run = Callable[..., subprocess.CompletedProcess[str]]
LEARNING = ("-a", "strategy=adaptive")


def test_worker_on_redis_keeps_the_simulated_order_while_it_puts_urls_back(server: WebServer, workers: Workers) -> None:
    web = synthesize(recipe_for("th"), 400, 5)
    simulator = Simulator(with_anchor_texts(web), Adaptive())
    simulated = [web.url(page) for page in simulator.run(150)]
    assert simulator.postponed > 100
    serve(server, web)
    judge = ("-a", "target=th", "-a", "judge=title_judge.TitleJudge", "-a", "pages=150")
    workers.run(1, *LEARNING, *judge, seeds=[web.url(page) for page in web.seeds.tolist()], CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0, FOCUS_USE_HREFLANG=0)  # fmt: skip
    assert [row["url"] for row in workers.export()] == simulated
    (counts,) = workers.crawl.output.glob("crawl.*.json")
    stats = json.loads(counts.read_text(encoding="utf-8"))["stats"]
    assert stats["frontier/postponed_count"] == simulator.postponed


def test_page_that_has_a_better_link_and_the_best_is_an_earlier_one_keeps_the_simulated_order(
    server: WebServer, crawl: Crawl
) -> None:
    web = synthesize(recipe_for("th"), 600, 4)
    simulated = [web.url(page) for page in Simulator(with_anchor_texts(web), Adaptive()).run(300)]
    serve(server, web)
    judge = ("-a", "target=th", "-a", "judge=title_judge.TitleJudge", "-a", "pages=300")
    crawl.run(*LEARNING, *judge, seeds=[web.url(page) for page in web.seeds.tolist()], CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0, FOCUS_USE_HREFLANG=0)  # fmt: skip
    assert [row["url"] for row in crawl.rows()] == simulated


def test_nothing_is_remembered_of_links_that_will_not_be_downloaded(server: WebServer, crawl: Crawl) -> None:
    site = "http://ko.example.org"
    moved, closed = (
        [f"{site}/moved/{number}" for number in range(5)],
        [f"{site}/closed/{number}" for number in range(5)],
    )
    traps = [f"{site}/{'again/' * 9}{number}" for number in range(5)]
    links = [(url, "더 보기") for url in (*moved, *closed, *traps)]
    server.pages["ko.example.org", "/"] = html("first", KOREAN, *links)
    server.pages["ko.example.org", "/new"] = html("new", KOREAN, *links)  # known again, and not again to be remembered
    server.pages["ko.example.org", "/robots.txt"] = "User-agent: *\nDisallow: /closed\n"

    async def away(request: aiohttp.web.Request) -> aiohttp.web.Response:
        return aiohttp.web.Response(status=301, headers={"Location": "/new"})

    server.pages |= {("ko.example.org", f"/moved/{number}"): away for number in range(5)}
    crawl.run(*LEARNING, seeds=[f"{site}/"])
    stats = crawl.stats()
    assert stats["fetch/redirect_count"] == 5
    assert stats["fetch/refused_count/robots.txt"] == 5
    assert stats["focus/trap_count/repeated segments"] == 10
    strategy = Adaptive()
    strategy.restore(read_memory(crawl.output / "memory.zip"))
    assert len(strategy.waiting) == 0


def test_crawl_outlives_one_of_three_workers(server: WebServer, workers: Workers) -> None:
    total = linked_web(server, hosts=12, pages=6)
    workers.crawl.seeds.write_text("\n".join(f"http://h{host}.example.org/0" for host in range(12)), encoding="utf-8")
    server.held_after = total // 2
    workers.start(3, *LEARNING, ROBOTSTXT_OBEY=0, FRONTIER_LEASE=2)
    workers.until(lambda: len(server.requests) >= server.held_after)
    victim = workers.processes.pop(0)
    victim.kill()
    victim.communicate()
    server.held_after = MANY
    workers.finish()
    urls = [row["url"] for row in workers.export()]
    assert len(urls) == len(set(urls)) == total
    files = [path.name for path in workers.crawl.output.glob("model*")]
    assert len(files) == 2
    states = [read_state(workers.crawl.output / name) for name in files]
    assert all(state["about"]["target"] == "ko" for state in states)
    assert 0 < sum(state["examples"] for state in states) <= 2 * total  # with what each heard of the other


def good_and_bad(server: WebServer) -> list[str]:
    """A Korean host of thirty pages and an English one of as many, all linked from one page; that page."""
    links = [(f"/{number}", "더 보기") for number in range(30)]
    others = [(f"http://bad.com/{number}", "read more") for number in range(30)]
    server.pages["a.kr", "/"] = html("seed", KOREAN, *links, *others)
    for path, _ in links:
        server.pages["a.kr", path] = html("good", KOREAN)
        server.pages["bad.com", path] = html("bad", ENGLISH)
    return ["http://a.kr/"]


POLITE = {"ROBOTSTXT_OBEY": 0, "FRONTIER_DELAY": 0.2, "CONCURRENT_REQUESTS": 4}


def wait_count(folder: Path) -> int:
    stats = [json.loads(path.read_text(encoding="utf-8")).get("stats", {}) for path in folder.glob("crawl*.json")]
    return sum(counts.get("frontier/wait_count", 0) for counts in stats)


def test_free_slots_wait_for_a_better_host(server: WebServer, crawl: Crawl) -> None:
    seeds, bad = good_and_bad(server), []
    for wait in ("0", "0.5"):
        crawl.output = crawl.folder / wait
        crawl.run(*LEARNING, "-a", "pages=20", "-a", f"wait={wait}", seeds=seeds, **POLITE)
        bad.append(sum(row["host"] == "bad.com" for row in crawl.rows()))
        assert (wait_count(crawl.output) > 0) == (wait != "0")
    assert bad[1] < 6 <= bad[0]


def test_free_slots_of_a_worker_on_redis_wait_for_a_better_host(server: WebServer, workers: Workers) -> None:
    seeds = good_and_bad(server)
    workers.run(1, *LEARNING, "-a", "pages=20", "-a", "wait=0.5", seeds=seeds, **POLITE)
    assert sum(row["host"] == "bad.com" for row in workers.export()) < 6
    assert wait_count(workers.crawl.output) > 0


def test_crawl_that_waits_ends_with_every_page(server: WebServer, workers: Workers) -> None:
    workers.run(2, *LEARNING, "-a", "wait=1", seeds=good_and_bad(server), **{**POLITE, "FRONTIER_DELAY": 0.05})
    assert len(workers.export()) == 61


def pages_of(server: WebServer, texts: dict[tuple[str, str], str]) -> list[str]:
    """Pages with these texts, each linked from the next, and all from the first; their addresses."""
    urls = [f"http://{host}{path}" for host, path in texts]
    for number, (place, text) in enumerate(texts.items()):
        links = urls[1:] if number == 0 else [urls[number - 1]]
        anchor = "더 보기" if text == KOREAN else "read more"
        server.pages[place] = html(f"page {number}", text, *((url, anchor) for url in links))
    return urls


@pytest.mark.parametrize(
    ("text", "hosts"), [(KOREAN, 4), (ENGLISH, 4), (KOREAN, 1), (ENGLISH, 1)], ids=["all on", "all off", "one host", "one host off"]
)  # fmt: skip
def test_web_without_anything_to_tell_apart_is_crawled_whole(
    server: WebServer, crawl: Crawl, text: str, hosts: int
) -> None:
    urls = pages_of(server, {(f"h{number % hosts}.example.org", f"/{number}"): text for number in range(24)})
    crawl.run(*LEARNING, seeds=urls[:1], ROBOTSTXT_OBEY=0)
    rows = crawl.rows()
    assert sorted(row["url"] for row in rows) == sorted(urls)
    assert {row["is_target"] for row in rows} == {str(text == KOREAN).lower()}
    state = read_state(crawl.output / "model.json")
    assert (state["examples"], sum(cell["target_pages"] for cell in state["calibration"])) == (23, 23 * (text == KOREAN))  # fmt: skip


def test_target_without_any_page_in_reach_ends_by_itself(server: WebServer, crawl: Crawl) -> None:
    crawl.run(*LEARNING, "-a", "stop_at_yield=0.05", seeds=["http://nowhere.example.org/"], ROBOTSTXT_OBEY=0)
    assert crawl.rows() == []
    assert read_state(crawl.output / "model.json")["examples"] == 0


def damaged_states(folder: Path) -> None:
    state = json.loads(json.dumps(describe_state(Learner())))
    files = {"cut.json": json.dumps(state)[:1000], "old.json": json.dumps(state | {"format": "langcrawl-adaptive/0"}), "half.json": json.dumps(state | {"weights": {}})}  # fmt: skip
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


WRONG = [
    ("explore=9", "explore"),
    ("page=5", "did you mean -a pages=5?"),
    ("stop_at_yield=2", "stop_at_yield"),
    ("start_from=none.json", "none.json cannot be read"),
    ("start_from=cut.json", "cut.json is no learned state"),
    ("start_from=old.json", "learn it anew"),
    ("start_from=half.json", "half.json is damaged"),
]


@pytest.mark.parametrize(("argument", "said"), WRONG)
def test_wrong_argument_costs_a_language_crawl_one_line(scrapy: Run, tmp_path: Path, argument: str, said: str) -> None:
    damaged_states(tmp_path)
    done = scrapy("crawl", "lang_focused", "-a", "target=ko", *LEARNING, "-a", argument, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not list(tmp_path.rglob("*.csv"))


def test_host_without_pages_is_turned_away_from(server: WebServer, crawl: Crawl) -> None:
    dead = [(f"http://dead.example.kr/{number}", "관련 한국어 문서") for number in range(40)]
    good = [(f"http://g{number}.example.net/", "관련 한국어 문서") for number in range(30)]
    server.pages["start.example.kr", "/"] = html("시작", KOREAN, *dead, *good)
    server.pages |= {(f"g{number}.example.net", "/"): html("문서", KOREAN) for number in range(30)}
    crawl.run(*LEARNING, seeds=["http://start.example.kr/"], CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0)
    asked = [served.host for served in server.requests]
    last = max(place for place, host in enumerate(asked) if host.startswith("g"))
    assert asked.count("dead.example.kr") == 40
    assert asked[:last].count("dead.example.kr") <= 5
