"""What a crawl learns goes with its frontier, to its other workers, and beside its rows."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_live_and_simulated_orders import serve, with_anchor_texts
from test_sigkill import linked_web
from web_of_test import ENGLISH, KOREAN, Crawl, WebServer, html
from workers_of_test import Workers, redis_of_crawls, workers

from crawler_project.core.values import Counts
from crawler_project.crawling.allowance import Allowance
from crawler_project.extensions import shared_learning
from crawler_project.extensions.shared_learning import (
    BYTES_A_SECOND,
    MOST_NOTES,
    TURN,
    TURNS_A_SAVE,
    SharedLearning,
    exchange,
)
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.spiders.focused import LESSONS_A_SECOND, LESSONS_AT_ONCE, FocusedSpider
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import GROUPS, OF_LINK
from crawler_project.strategies.learning.file import read_memory
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.lessons import Lesson, pack_lesson, unpack_lesson
from crawler_project.strategies.learning.lookup import Kept, pack
from crawler_project.strategies.learning.memory import InLinks
from crawler_project.strategies.learning.model import OnlineModel
from crawler_project.strategies.learning.state import describe_state, read_state

__all__ = ["redis_of_crawls", "workers"]


def learned_of(seed: int) -> Adaptive:
    strategy = Adaptive()
    list(Simulator(synthesize(recipe_for("th"), 2000, seed), strategy).run(500))
    return strategy


def test_workers_that_exchange_come_nearer_each_time() -> None:
    frontier = EmbeddedFrontier(None, identity={})
    workers = {"a": learned_of(1), "b": learned_of(2)}
    apart = [distance(*(strategy.learner.model for strategy in workers.values()))]
    assert workers["a"].learner.ways.worth != workers["b"].learner.ways.worth
    for _ in range(6):
        for worker, strategy in workers.items():
            exchange(frontier, worker, strategy)
        apart.append(distance(*(strategy.learner.model for strategy in workers.values())))
    assert apart == sorted(apart, reverse=True)
    assert apart[-1] < apart[0] / 3
    assert workers["a"].learner.ways.worth == pytest.approx(workers["b"].learner.ways.worth, rel=1e-5)
    frontier.close()


def test_note_that_is_older_than_what_was_learned_since_undoes_nothing() -> None:
    frontier, strategy = EmbeddedFrontier(None, identity={}), Adaptive()
    simulator = Simulator(synthesize(recipe_for("th"), 2000, 1), strategy)
    list(simulator.run(200))
    exchange(frontier, "a", strategy)
    list(simulator.run(400))
    weights = list(strategy.learner.model.weights)
    exchange(frontier, "b", strategy)
    assert strategy.learner.model.weights == pytest.approx(weights, abs=1e-3)
    frontier.close()


def test_exchange_alone_changes_nothing_and_survives_damaged_notes() -> None:
    frontier = EmbeddedFrontier(None, identity={})
    strategy = learned_of(1)
    weights, worth = list(strategy.learner.model.weights), list(strategy.learner.ways.worth)
    frontier.set_note("learned b", "no knowledge")
    for _ in range(3):
        exchange(frontier, "a", strategy)
    assert strategy.learner.model.weights == weights
    assert strategy.learner.ways.worth == worth
    frontier.close()


def test_worker_that_joins_begins_with_what_the_others_know() -> None:
    frontier = EmbeddedFrontier(None, identity={})
    old, new = learned_of(1), Adaptive()
    exchange(frontier, "a", old)
    exchange(frontier, "b", new, is_first=True)
    assert distance(old.learner.model, new.learner.model) < 0.1
    assert new.learner.ways.worth == pytest.approx(old.learner.ways.worth, rel=1e-5)
    assert list(frontier.notes("learned ")) == ["learned a"]
    frontier.close()


def distance(one: OnlineModel, other: OnlineModel) -> float:
    both = [row for row in range(len(one.weights)) if one.gradients[row] > 1.5 and other.gradients[row] > 1.5]
    return sum(abs(one.weights[row] - other.weights[row]) for row in both)


def test_live_crawl_writes_what_it_learned_and_why(server: WebServer, crawl: Crawl) -> None:
    good = [(f"/good{number}", "더 보기") for number in range(6)]
    bad = [(f"http://bad.com/{number}", "read more") for number in range(6)]
    server.pages["a.kr", "/"] = html("seed", KOREAN, *good, *bad)
    for path, _ in good:
        server.pages["a.kr", path] = html("good", KOREAN, ("/", "처음으로"))
    for url, _ in bad:
        server.pages["bad.com", url.removeprefix("http://bad.com")] = html("bad", ENGLISH)
    crawl.run(
        "-a", "strategy=adaptive", "-s", f"JOBDIR={crawl.folder / 'job'}", seeds=["http://a.kr/"], ROBOTSTXT_OBEY=0,
        CONCURRENT_REQUESTS=1,
    )  # fmt: skip
    rows = crawl.rows()
    assert len(rows) == 13
    assert all(row["why"].startswith("learned 0.") for row in rows[1:])
    assert [row["host"] for row in rows[:7]] == ["a.kr"] * 7
    state = read_state(crawl.output / "model.json")
    assert state["examples"] == 12
    assert state["about"]["target"] == "ko"
    assert crawl.stats()["focus/kept_count/learned"] >= 12
    crawl.run("-a", "strategy=adaptive", "-s", f"JOBDIR={crawl.folder / 'job'}", ROBOTSTXT_OBEY=0)
    again = read_state(crawl.output / "model.json")
    assert again["weights"] != read_of_nothing()["weights"]


def test_crawl_that_was_stopped_goes_on_as_if_it_had_not(server: WebServer, crawl: Crawl, tmp_path: Path) -> None:
    web = synthesize(recipe_for("th"), 300, 5)
    urls = web.urls.to_pylist()
    serve(server, web)
    found = []
    for name, stops in (("whole", (80,)), ("in parts", (30, 80))):
        crawl.output = tmp_path / name
        for pages in stops:
            crawl.run(
                "-a", "target=th", "-a", "judge=title_judge.TitleJudge", "-a", "strategy=adaptive", "-a", f"pages={pages}",
                "-s", f"JOBDIR={tmp_path / name}.job", seeds=[urls[seed] for seed in web.seeds],
                CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0, FOCUS_USE_HREFLANG=0,
            )  # fmt: skip
        order = [row["url"] for row in crawl.rows()]
        found.append((order, read_state(crawl.output / "model.json"), read_memory(crawl.output / "memory.zip")))
    assert found[0][0] == [urls[page] for page in Simulator(with_anchor_texts(web), Adaptive()).run(80)]
    assert found[0] == found[1]


def extension(frontier: EmbeddedFrontier, output: Path, strategy: Adaptive, worker: str = "") -> SharedLearning:
    """The extension of a crawl that is open, without a reactor."""
    made = SharedLearning(SimpleNamespace())  # type: ignore[arg-type]
    plan = SimpleNamespace(output=output, target="th", strategy=strategy)
    shared = SimpleNamespace(pages=lambda: Counts(5000, 2000))
    made._spider = SimpleNamespace(frontier=frontier, shared=shared if worker else None, worker=worker, plan=plan)  # type: ignore[assignment]
    made._strategy = strategy
    return made


def test_workers_move_less_than_a_kilobyte_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = EmbeddedFrontier(None, identity={})
    moved: list[int] = []
    monkeypatch.setattr(
        shared_learning, "exchange", lambda *given, **named: moved.append(exchange(*given, **named)) or moved[-1]
    )
    running = [extension(frontier, tmp_path, learned_of(number), f"w{number}") for number in range(4)]
    for _ in range(120):
        for worker in running:
            worker._take_turn()
    assert 20 < len(moved) < 4 * 120
    assert sum(moved) / (120 * TURN * len(running)) < 1.1 * BYTES_A_SECOND
    assert BYTES_A_SECOND + LESSONS_A_SECOND < 1024
    frontier.close()


def test_notes_are_told_at_once_and_again_when_they_are_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frontier = EmbeddedFrontier(None, identity={})
    running = extension(frontier, tmp_path, Adaptive())
    moved: list[int] = []

    def of_ten_turns(*given: Any, **named: Any) -> float:
        moved.append(running._turns)
        return 10 * TURN * BYTES_A_SECOND

    monkeypatch.setattr(shared_learning, "exchange", of_ten_turns)
    for _ in range(35):
        running._take_turn()
    assert moved == [1, 11, 21, 31]
    frontier.close()


def test_worker_that_told_and_heard_too_much_takes_no_part_for_a_while() -> None:
    strategy = SimpleNamespace(lesson=lambda: "x" * 80, hear=lambda lesson: None)
    spider: Any = SimpleNamespace(
        _tells=True,
        _lessons=Allowance(LESSONS_AT_ONCE, 0, time.monotonic()),
        plan=SimpleNamespace(strategy=strategy),
    )
    told = 0
    while told < LESSONS_AT_ONCE and FocusedSpider._lesson(spider):
        FocusedSpider.hear(spider, ["y" * 80] * 8)
        told += 1
    assert told == -(-LESSONS_AT_ONCE // (9 * 80))
    assert FocusedSpider._lesson(spider) is None


def test_crawl_that_was_killed_goes_on_with_what_was_written_last(tmp_path: Path) -> None:
    frontier, strategy = EmbeddedFrontier(None, identity={}), Adaptive()
    simulator = Simulator(synthesize(recipe_for("th"), 2000, 1), strategy)
    running = extension(frontier, tmp_path, strategy)
    assert not running._remember(strategy)  # nothing is there
    running._note_memory("unfinished")
    list(simulator.run(400))
    for _ in range(TURNS_A_SAVE):
        running._take_turn()
    written = strategy.state()
    list(simulator.run(500))
    running._exchange()  # and then it is killed
    again = Adaptive()
    resumed = extension(frontier, tmp_path, again)
    assert not resumed._remember(again)
    assert again.state() == written
    resumed._exchange(is_first=True)
    assert again.learner.ways.pages == pytest.approx(strategy.learner.ways.pages)
    assert distance(again.learner.model, strategy.learner.model) < distance(
        restored(written).learner.model, strategy.learner.model
    )
    frontier.close()


def test_saves_get_rarer_when_they_take_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = EmbeddedFrontier(None, identity={})
    running = extension(frontier, tmp_path, Adaptive())
    clock, saved = [0.0], []

    def save(strategy: Adaptive) -> str:
        saved.append(running._turns)
        clock[0] += 20.0
        return ""

    monkeypatch.setattr(running, "_save", save)
    monkeypatch.setattr(shared_learning, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    for _ in range(10 * TURNS_A_SAVE):
        running._take_turn()
    assert saved == [TURNS_A_SAVE, TURNS_A_SAVE + 200, TURNS_A_SAVE + 400]  # 20 s of every 1,000
    frontier.close()


def restored(state: dict[str, bytes]) -> Adaptive:
    strategy = Adaptive()
    strategy.restore(state)
    return strategy


def test_memory_that_is_damaged_or_missing_costs_a_warning_and_the_counts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    frontier, strategy = EmbeddedFrontier(None, identity={}), learned_of(1)
    ended = extension(frontier, tmp_path, strategy)
    ended._note_memory(ended._save(strategy))
    assert extension(frontier, tmp_path, again := Adaptive())._remember(again)
    assert again.state() == strategy.state()
    (tmp_path / "memory.zip").write_bytes(b"damaged")
    assert not extension(frontier, tmp_path, again := Adaptive())._remember(again)
    assert again.learner.model.examples == 0
    assert "memory.zip is damaged" in caplog.text
    caplog.clear()
    (tmp_path / "memory.zip").unlink()
    assert not extension(frontier, tmp_path, again)._remember(again)
    assert caplog.text == ""
    frontier.close()


def test_notes_of_workers_that_are_gone_do_not_get_more_and_more() -> None:
    frontier = EmbeddedFrontier(None, identity={})
    for number in range(MOST_NOTES + 10):
        exchange(frontier, f"w{number}", Adaptive() if number % 7 == 3 else learned_of(1))
    exchange(frontier, "late", learned_of(1))
    left = {name for name, text in frontier.notes("learned ").items() if text}
    assert len(left) <= MOST_NOTES
    assert not left & {f"learned w{number}" for number in range(3, MOST_NOTES, 7)}  # which had learned nothing
    assert "learned late" in left
    frontier.close()


def test_worker_that_joins_knows_what_the_crawl_has_downloaded(tmp_path: Path) -> None:
    """Also what nobody tells any more: a host may have a twentieth of all downloads, whoever made them."""
    frontier, strategy = EmbeddedFrontier(None, identity={}), learned_of(1)
    own = strategy.own_pages
    assert own > 0
    extension(frontier, tmp_path, strategy, "w1")._exchange(is_first=True)
    assert strategy.elsewhere == 5000 - own
    extension(frontier, tmp_path, strategy)._exchange()
    assert strategy.elsewhere == 5000 - own
    frontier.close()


def test_worker_of_a_shared_crawl_writes_files_of_its_own_and_remembers_none(tmp_path: Path) -> None:
    frontier, strategy = EmbeddedFrontier(None, identity={}), learned_of(1)
    worker = extension(frontier, tmp_path, strategy, "w1")
    worker._note_memory(worker._save(strategy))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory.w1.zip", "model.w1.json"]
    assert frontier.notes("") == {}
    assert not worker._remember(Adaptive())
    frontier.close()


def test_folder_that_cannot_be_written_is_named_and_the_crawl_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    frontier, strategy = EmbeddedFrontier(None, identity={}), learned_of(1)
    assert extension(frontier, tmp_path / "nowhere", strategy)._save(strategy) == ""
    assert "model.json cannot be written" in caplog.text
    frontier.close()


def read_of_nothing() -> dict[str, object]:
    return json.loads(json.dumps(describe_state(Learner())))


def test_workers_on_redis_learn_together(server: WebServer, workers: Workers) -> None:
    total = linked_web(server, hosts=12, pages=5)
    seeds = [f"http://h{host}.example.org/0" for host in range(12)]
    workers.run(3, "-a", "strategy=adaptive", seeds=seeds, ROBOTSTXT_OBEY=0, FRONTIER_DELAY=0.05)
    assert len({row["url"] for row in workers.export()}) == total
    states = [read_state(path) for path in workers.crawl.output.glob("model.*.json")]
    assert len(states) == 3
    own = total - len(seeds)
    assert own <= sum(state["examples"] for state in states) <= 3 * own


def test_worker_on_redis_tells_every_download_and_hears_of_those_of_others(server: WebServer, workers: Workers) -> None:
    linked_web(server, hosts=4, pages=3)
    del server.pages["h0.example.org", "/1"]
    stream = f"{{lang_focused:{workers.name}:0}}:e"
    evidence = pack(Kept(tuple(GROUPS[name].start for name in OF_LINK), ()))
    heard = pack_lesson(Lesson("http://x.kr/1", "x.kr", True, evidence, InLinks(1)))
    with workers.redis.client() as client:
        for lesson in ("damaged", heard):
            client.xadd(stream, {"another": lesson})
        workers.run(1, "-a", "strategy=adaptive", seeds=["http://h0.example.org/0"], ROBOTSTXT_OBEY=0, FRONTIER_DELAY=0)
        told = [fields for _, fields in client.xrange(stream)][2:]
    lessons = [unpack_lesson(text.decode()) for fields in told for text in fields.values()]
    told_urls = [lesson.url for lesson in lessons if lesson]
    assert sorted(told_urls) == sorted(f"http://{served.host}{served.path}" for served in server.requests)
    assert "http://h0.example.org/1" in told_urls  # what gave no page is told as well
    (state,) = [read_state(path) for path in workers.crawl.output.glob("model.*.json")]
    assert (
        state["examples"] == len(told_urls) - 2 + 1
    )  # without the seed and what gave no page, with the one that was heard
