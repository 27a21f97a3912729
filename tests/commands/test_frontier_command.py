"""``scrapy frontier`` on a real redis-server, and on the frontier of a JOBDIR."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "frontier"))

from frontier_steps import entry, shorts
from in_process import run_command
from redis_fixture import RedisServer, redis_server

from crawler_project.commands.frontier import Command
from crawler_project.core.values import HostRules, Lease, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.frontier.redis_frontier import RedisFrontier

__all__ = ["redis_server"]

Run = Callable[..., str]


@pytest.fixture
def frontier(redis_server: RedisServer) -> Iterator[RedisFrontier]:
    with redis_server.client() as client:
        client.flushall()
    frontier = open_frontier(redis_server)
    yield frontier
    frontier.close()


def open_frontier(server: RedisServer, crawl: str = "ko", worker: str = "w1") -> RedisFrontier:
    identity = {"target": "ko", "strategy": "control"}
    return RedisFrontier(
        server.client(), crawl, identity=identity, worker=worker, delay=0.0, max_attempts=1, retry_delay=0.0
    )


@pytest.fixture
def run(redis_server: RedisServer, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_one(*arguments: object, code: int = 0, crawl: str = "ko") -> str:
        exit_code = run_command(Command(), *arguments, "--crawl", crawl, "--redis", redis_server.url, "--seconds", 0)
        printed = capsys.readouterr()
        assert exit_code == code
        assert len(printed.err.splitlines()) == (1 if code else 0)
        return printed.err if code else printed.out

    return run_one


def one(frontier: RedisFrontier) -> Lease:
    (lease,) = frontier.lease(1, 0.0)
    return lease


def fail(frontier: RedisFrontier, count: int = 1) -> None:
    for _ in range(count):
        frontier.commit(one(frontier), Outcome("failed", reason="timeout"), 0.0)


def test_status_is_one_screen(frontier, run):
    frontier.add([entry(f"{host}.kr/{number}") for host in "abc" for number in range(5)])
    frontier.commit(one(frontier), Outcome("page", is_target=True, back_off=3000.0), 0.0)
    frontier.commit(one(frontier), Outcome("page"), 0.0)
    one(frontier)
    lines = run("status").splitlines()
    assert len(lines) <= 12
    assert lines[0] == "crawl    ko: strategy control, target ko"
    assert lines[1:3] == ["queued   12", "seen     15"]
    assert lines[3].startswith("leased   1 (w1 1; the oldest for ")
    assert "pages    2, on target 1 (50.0%)" in lines
    assert lines[-1].startswith("memory   ")


def test_status_measures_pages_a_second(frontier, redis_server, capsys):
    arguments = ("status", "--crawl", "ko", "--redis", redis_server.url, "--seconds", 0.01)
    assert run_command(Command(), *arguments) == 0
    assert "speed    0.0 pages/s\n" in capsys.readouterr().out


def test_paused_crawl_gives_no_worker_anything_until_it_goes_on(frontier, run, redis_server):
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    held = one(frontier)
    assert "paused" in run("pause")
    assert "already" in run("pause")
    other = open_frontier(redis_server, worker="w2")
    assert frontier.lease(5, 0.0) == other.lease(5, 1.0) == []
    assert other.next_ready(0.0) >= 1.0
    assert not other.is_finished()
    assert frontier.commit(held, Outcome("page", entries=[entry("c.kr/1")]), 0.0).added == 1
    assert "(PAUSED)" in run("status")
    assert run("resume") == "goes on\n"
    assert shorts(other.lease(5, 0.0)) == ["b.kr/1", "c.kr/1"]
    other.close()


def test_peek_shows_the_next_urls_in_their_order_and_leases_none(frontier, run):
    frontier.add([entry("a.kr/1", 2.0), entry("b.kr/1", 1.0, why="tld kr"), entry("c.kr/1", 3.0), entry("a.kr/2", 0.5)])
    lines = run("peek").splitlines()
    assert [line.split("\t")[0] for line in lines] == ["https://a.kr/2", "https://b.kr/1", "https://c.kr/1"]
    assert lines[1].endswith("priority 1\tdepth 0\ttld kr")
    assert len(run("peek", 2).splitlines()) == 2
    assert shorts(frontier.lease(3, 0.0)) == ["a.kr/2", "b.kr/1", "c.kr/1"]


def test_peek_says_when_resting_hosts_are_ready(frontier, run):
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    frontier.commit(one(frontier), Outcome("page", back_off=50.0), frontier._crawl.client.time()[0])
    assert "\tin 5" in run("peek") or "\tin 4" in run("peek")


def test_dead_urls_are_listed_and_sent_back(frontier, run):
    frontier.add([entry("a.kr/1"), entry("b.kr/1"), entry("c.kr/1")])
    fail(frontier, 3)
    assert run("dead").splitlines()[0] == "https://a.kr/1\ttimeout"
    assert run("requeue", "https://b.kr/1") == "1 URLs queued again\n"
    assert shorts(frontier.lease(5, 0.0)) == ["b.kr/1"]
    assert "say --yes" in run("requeue", code=2)
    assert run("requeue", "--yes") == "2 URLs queued again\n"
    assert run("dead") == ""


def test_host_is_dropped_only_with_yes_and_stays_so(frontier, run):
    frontier.add([entry(f"a.kr/{number}") for number in range(5)] + [entry("b.kr/1")])
    assert "cannot be undone" in run("drop-host", "a.kr", code=2)
    assert run("drop-host", "a.kr", "--yes") == "5 URLs of a.kr dropped\n"
    assert "dropped before" in run("drop-host", "a.kr", "--yes", code=2)
    assert frontier.add([entry("a.kr/new")]).added == 0
    assert shorts(frontier.lease(5, 0.0)) == ["b.kr/1"]


def test_export_and_import_make_the_same_crawl_under_another_name(frontier, run, redis_server, tmp_path):
    frontier.add([entry(f"{host}.kr/{number}", number / 3, evidence="e") for host in "abc" for number in range(40)])
    fail(frontier)
    frontier.set_note("site a.kr", "accepted")
    frontier.set_host_rules("a.kr", HostRules("User-agent: *", 9.0, 2.0))
    run("export", tmp_path / "ko.frontier")
    assert "another name" in run("import", tmp_path / "ko.frontier", code=2)
    assert "has been made" in run("import", tmp_path / "ko.frontier", crawl="copy")
    copy = open_frontier(redis_server, "copy")
    assert copy.status(0.0) == frontier.status(0.0)
    assert copy.notes("") == {"site a.kr": "accepted"}
    assert copy.host_rules("a.kr") == HostRules("User-agent: *", 9.0, 2.0)
    while leases := frontier.lease(3, 1e9):
        others = copy.lease(3, 1e9)
        assert [lease.entry for lease in others] == [lease.entry for lease in leases]
        for ours, theirs in zip(leases, others, strict=True):
            frontier.commit(ours, Outcome("gone", fetched=False), 1e9)
            copy.commit(theirs, Outcome("gone", fetched=False), 1e9)
    assert copy.is_finished()
    copy.close()


def test_export_of_a_crawl_at_work_is_refused(frontier, run, tmp_path):
    frontier.add([entry("a.kr/1")])
    one(frontier)
    assert "pause first" in run("export", tmp_path / "x", code=2)
    run("pause")
    assert "keys: " in run("export", tmp_path / "x")


@pytest.mark.parametrize("spoil", ["cut", "flip", "text", "newer"])
def test_damaged_export_is_refused_and_leaves_nothing(frontier, run, redis_server, tmp_path, spoil):
    frontier.add([entry(f"a.kr/{number}") for number in range(50)])
    path = tmp_path / "ko.frontier"
    run("export", path)
    data = gzip.decompress(path.read_bytes())
    if spoil == "cut":
        data = data[:-100]
    elif spoil == "flip":
        data = data[:-50] + bytes([data[-50] ^ 255]) + data[-49:]
    elif spoil == "newer":
        data = data.replace(b'"layout": ', b'"layout": 9', 1)
    path.write_bytes(b"no gzip at all" if spoil == "text" else gzip.compress(data))
    run("import", path, crawl="copy", code=2)
    with redis_server.client() as client:
        assert client.keys("*copy*") == []


def test_deleted_crawl_is_gone_and_others_stay(frontier, run, redis_server):
    frontier.add([entry(f"a.kr/{number}") for number in range(500)])
    other = open_frontier(redis_server, "ko2")
    other.add([entry("a.kr/1")])
    assert "cannot be undone" in run("delete", code=2)
    assert "keys removed" in run("delete", "--yes")
    with redis_server.client() as client:
        assert client.keys("{lang_focused:ko:*") == []
    assert "there is no crawl 'ko'" in run("status", code=2)
    assert shorts(other.lease(1, 0.0)) == ["a.kr/1"]
    other.close()


@pytest.mark.parametrize(
    "arguments", [(), ("stat",), ("status", "x"), ("peek", "x"), ("peek", "1", "2"), ("drop-host",), ("export",)]
)
def test_wrong_argument_is_one_line(run, arguments):
    run(*arguments, code=2)


def test_server_that_is_not_there_is_one_line(capsys):
    assert run_command(Command(), "status", "--crawl", "ko", "--redis", "redis://127.0.0.1:1/0") == 2
    assert "REDIS_URL" in capsys.readouterr().err


def test_crawl_must_be_named(capsys):
    assert run_command(Command(), "status") == 2
    assert "--crawl NAME" in capsys.readouterr().err


@pytest.fixture
def job(tmp_path: Path) -> Path:
    frontier = EmbeddedFrontier(tmp_path / "frontier.sqlite3", identity={"target": "ko"}, delay=0.0, max_attempts=1)
    frontier.add([entry("a.kr/1"), entry("b.kr/1", 1.0), entry("c.kr/1", 2.0)])
    (lease,) = frontier.lease(1, 0.0)
    frontier.commit(lease, Outcome("failed", reason="timeout"), 0.0)
    frontier.checkpoint({"crawled-ko.csv": 7})
    frontier.close()
    return tmp_path


def test_frontier_of_a_jobdir_is_looked_into_and_its_dead_urls_are_sent_back(job, capsys):
    for action, expected in (
        ("status", "queued   2\n"), ("peek", "https://b.kr/1\tready\tpriority 1"), ("dead", "https://a.kr/1\ttimeout\n"),
    ):  # fmt: skip
        assert run_command(Command(), action, "--jobdir", job) == 0
        assert expected in capsys.readouterr().out
    assert run_command(Command(), "requeue", "--yes", "--jobdir", job) == 0
    frontier = EmbeddedFrontier(job / "frontier.sqlite3", identity={"target": "ko"}, delay=0.0)
    assert frontier.outputs() == {"crawled-ko.csv": 7}
    assert shorts(frontier.lease(3, 1.0)) == ["a.kr/1", "b.kr/1", "c.kr/1"]
    frontier.close()


@pytest.mark.parametrize("arguments", [("pause",), ("delete", "--yes"), ("requeue", "https://a.kr/1")])
def test_what_a_jobdir_cannot_do_is_one_line(job, capsys, arguments):
    assert run_command(Command(), *arguments, "--jobdir", job) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_folder_without_a_frontier_is_one_line(tmp_path, capsys):
    assert run_command(Command(), "status", "--jobdir", tmp_path) == 2
    assert "no frontier.sqlite3" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
