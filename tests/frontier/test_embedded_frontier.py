"""What is the embedded frontier's own: its file, its checkpoints, its identity, its errors."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from frontier_steps import drain, entry, fetch, give_verdict, shorts, take

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.values import Counts, FrontierStatus, HostRules, HostVerdict, Outcome
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.frontier.short_url import restore_url, shorten_url

KO = {"layout": "1", "target": "ko", "strategy": "experimental"}


def changes(frontier: EmbeddedFrontier) -> int:
    """Rows written so far."""
    return frontier._connection.total_changes


def test_checkpoint_keeps_everything_over_a_restart(new_durable_frontier):
    frontier = new_durable_frontier(max_attempts=2, retry_delay=0.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("b.kr/1"), entry("c.kr/1", 5.0), entry("d.kr/1", 6.0)])
    fetch(frontier, is_target=True, directory="a.kr/")
    frontier.commit(take(frontier), Outcome("failed", reason="timeout"), 0.0)
    for _ in range(2):
        give_verdict(frontier, "c.kr", HostVerdict(discard=True))
        give_verdict(frontier, "d.kr", HostVerdict(override=-1.0))
    frontier.set_host_rules("a.kr", HostRules("Disallow: /x", 77.0, 3.0))
    before = frontier.status(0.0)
    frontier.checkpoint({"crawled-ko.csv": 123})
    frontier = new_durable_frontier.restart(frontier)
    assert frontier.status(0.0) == before
    assert frontier.outputs() == {"crawled-ko.csv": 123}
    assert frontier.counts(["a.kr", "a.kr/"]) == [Counts(1, 1), Counts(1, 1)]
    assert frontier.host_rules("a.kr") == HostRules("Disallow: /x", 77.0, 3.0)
    assert frontier.add([entry("a.kr/1"), entry("c.kr/1")]).added == 0
    assert shorts([take(frontier)]) == ["d.kr/1"]
    lease = take(frontier)
    assert (shorts([lease]), lease.attempt) == (["a.kr/2"], 2)


def test_what_came_after_the_checkpoint_is_gone_after_a_restart(new_durable_frontier):
    frontier = new_durable_frontier()
    frontier.add([entry("a.kr/1"), entry("a.kr/2")])
    frontier.checkpoint({"crawled-ko.csv": 1})
    fetch(frontier, entry("b.kr/1"))
    frontier = new_durable_frontier.restart(frontier)
    assert frontier.outputs() == {"crawled-ko.csv": 1}
    assert frontier.counts(["a.kr"]) == [Counts(0, 0)]
    assert drain(frontier) == ["a.kr/1", "a.kr/2"]


def test_leased_urls_are_queued_in_their_places_after_a_restart(new_durable_frontier):
    frontier = new_durable_frontier(retry_delay=0.0)
    frontier.add([entry("a.kr/1", 1.0), entry("a.kr/2", 2.0), entry("b.kr/1", 3.0)])
    frontier.commit(take(frontier), Outcome("failed"), 0.0)
    old = frontier.lease(2, 0.0)
    frontier.checkpoint({})
    frontier = new_durable_frontier.restart(frontier)
    assert frontier.status(0.0) == FrontierStatus(3, 3, 0, 2, 0, 0)
    leases = frontier.lease(2, 0.0)
    assert [(lease.entry, lease.attempt) for lease in leases] == [(lease.entry, lease.attempt) for lease in old]
    assert leases[0].attempt == 2
    assert not frontier.commit(old[0], Outcome("page"), 0.0).accepted


def test_leased_url_of_a_discarded_host_is_dropped_by_a_restart(new_durable_frontier):
    frontier = new_durable_frontier()
    frontier.add([entry("a.kr/1"), entry("b.kr/1")])
    frontier.lease(1, 0.0)
    fetch(frontier, verdicts={"a.kr": HostVerdict(discard=True)})
    frontier.checkpoint({})
    frontier = new_durable_frontier.restart(frontier)
    assert frontier.is_finished()
    give_verdict(frontier, "a.kr", HostVerdict())
    assert frontier.add([entry("a.kr/1")]).added == 1


def test_rest_of_a_host_goes_on_over_a_restart(new_durable_frontier):
    frontier = new_durable_frontier(delay=1.0)
    frontier.add([entry("a.kr/1"), entry("a.kr/2"), entry("b.kr/1")])
    fetch(frontier, now=100.0, back_off=50.0)
    frontier.checkpoint({})
    frontier = new_durable_frontier.restart(frontier)
    assert shorts(frontier.lease(9, 100.5)) == ["b.kr/1"]
    assert frontier.lease(9, 149.9) == []
    assert shorts(frontier.lease(9, 150.0)) == ["a.kr/2"]


def test_all_hosts_rest_first_after_a_crash_because_the_last_fetches_left_no_trace(new_durable_frontier):
    frontier = new_durable_frontier(delay=2.0)
    frontier.add([entry("a.kr/1"), entry("b.kr/1"), entry("c.kr/1")])
    frontier.set_host_rules("b.kr", HostRules("", 1e9, delay=7.0))
    frontier.set_host_rules("c.kr", HostRules("", 1e9, delay=0.5))
    frontier.checkpoint({})
    frontier.lease(9, 1000.0)
    frontier = new_durable_frontier.restart(frontier)
    frontier.add([entry("b.kr/2")])
    assert frontier.next_ready(1000.0) == 2.0
    assert frontier.status(1000.0) == FrontierStatus(4, 4, 0, 0, 3, 0)
    assert frontier.lease(9, 1001.9) == []
    frontier.add([entry("b.kr/0", -1.0)])
    assert shorts(frontier.lease(9, 1002.0)) == ["a.kr/1", "c.kr/1"]
    assert frontier.next_ready(1002.0) == 5.0
    assert shorts(frontier.lease(9, 1007.0)) == ["b.kr/0"]


def test_no_host_rests_after_a_proper_end(new_durable_frontier):
    frontier = new_durable_frontier(delay=2.0)
    frontier.add([entry("a.kr/1")])
    frontier.checkpoint({})
    frontier = new_durable_frontier.restart(frontier)
    assert frontier.next_ready(1000.0) == 0.0


def test_discard_writes_a_few_rows_however_long_the_queue_is(new_durable_frontier):
    frontier = new_durable_frontier()
    frontier.add([entry(f"a.kr/{number}") for number in range(20_000)])
    before = changes(frontier)
    give_verdict(frontier, "a.kr", HostVerdict(discard=True))
    assert changes(frontier) - before < 500
    assert frontier.is_finished()


def test_rows_of_a_discarded_host_are_cleared_away_by_later_commits_also_after_a_restart(new_durable_frontier):
    frontier = new_durable_frontier()
    frontier.add([entry(f"a.kr/{number}") for number in range(2000)])
    give_verdict(frontier, "a.kr", HostVerdict(discard=True))
    frontier.checkpoint({})
    frontier = new_durable_frontier.restart(frontier)
    for number in range(20):
        frontier.add([entry(f"b.kr/{number}")])
        fetch(frontier)
    rows = frontier._connection.execute("SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM garbage)")
    assert rows.fetchone() == (0, 0)


def test_override_and_precedence_write_a_few_rows_however_long_the_queue_is(new_durable_frontier):
    frontier = new_durable_frontier()
    frontier.add([entry(f"a.kr/{number}", float(number % 5)) for number in range(20_000)])
    before = changes(frontier)
    give_verdict(frontier, "a.kr", HostVerdict(precedence=1.0, override=0.0))
    assert changes(frontier) - before < 50


def test_other_identity_is_refused_with_what_differs_and_what_to_do(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    EmbeddedFrontier(path, identity=KO).close()
    other = {"layout": "1", "target": "ja", "judge": "cavnar"}
    with pytest.raises(StateError) as error:
        EmbeddedFrontier(path, identity=other)
    message = str(error.value)
    assert "target is 'ko' there and 'ja' here" in message
    assert "judge is 'not set' there and 'cavnar' here" in message
    assert "strategy is 'experimental' there and 'not set' here" in message
    assert "layout is" not in message
    assert "another JOBDIR" in message
    assert str(path) in message
    EmbeddedFrontier(path, identity=dict(reversed(KO.items()))).close()


def test_second_opening_in_the_same_process_is_refused(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    frontier = EmbeddedFrontier(path, identity=KO)
    with pytest.raises(StateError, match="in use by another process"):
        EmbeddedFrontier(path, identity=KO)
    frontier.add([entry("a.kr/1")])
    frontier.close()
    EmbeddedFrontier(path, identity=KO).close()


def test_second_process_is_refused_while_the_first_one_runs(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    frontier = EmbeddedFrontier(path, identity=KO)
    frontier.checkpoint({})
    program = (
        "import sys; from pathlib import Path\n"
        "from crawler_project.frontier.embedded_frontier import EmbeddedFrontier\n"
        f"EmbeddedFrontier(Path(sys.argv[1]), identity={KO!r})"
    )
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False, cwd=root
    )
    assert run.returncode == 1
    assert "StateError" in run.stderr
    assert "in use by another process" in run.stderr
    frontier.close()


def spoiled(path: Path, how: str) -> None:
    frontier = EmbeddedFrontier(path, identity=KO)
    frontier.add([entry(f"a.kr/{number}") for number in range(3000)])
    frontier.checkpoint({})
    frontier.close()
    data = bytearray(path.read_bytes())
    if how == "cut in half":
        del data[len(data) // 2 :]
    elif how == "first page overwritten":
        data[:4096] = b"x" * 4096
    elif how == "middle overwritten":
        data[4096 * 5 : 4096 * 30] = b"\xff" * (4096 * 25)
    elif how == "text":
        data = bytearray(b"https://a.kr/\n" * 999)
    path.write_bytes(data)


@pytest.mark.parametrize("how", ["cut in half", "first page overwritten", "middle overwritten", "text"])
def test_damaged_file_is_refused_with_what_to_do(tmp_path, how):
    path = tmp_path / "frontier.sqlite3"
    spoiled(path, how)
    with pytest.raises(StateError, match=r"frontier\.sqlite3 is damaged .*put back a copy, or delete it"):
        EmbeddedFrontier(path, identity=KO)


def test_database_of_another_program_is_refused(tmp_path):
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE note(text)")
    connection.close()
    with pytest.raises(StateError, match="not a frontier of this project"):
        EmbeddedFrontier(path, identity=KO)


def test_other_layout_is_refused(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    EmbeddedFrontier(path, identity=KO).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StateError, match="layout 99"):
        EmbeddedFrontier(path, identity=KO)


@pytest.mark.parametrize(
    "what", ["DELETE FROM meta WHERE key = 'identity'", "DELETE FROM meta WHERE key = 'tally.queued'"]
)
def test_file_without_its_figures_is_refused(tmp_path, what):
    path = tmp_path / "frontier.sqlite3"
    frontier = EmbeddedFrontier(path, identity=KO)
    frontier.checkpoint({})
    frontier.close()
    with sqlite3.connect(path) as connection:
        connection.execute(what)
    connection.close()
    for _ in range(2):  # refused, and not left locked
        with pytest.raises(StateError, match="damaged"):
            EmbeddedFrontier(path, identity=KO)


def test_folder_that_is_not_there_is_an_error_that_says_so(tmp_path):
    with pytest.raises(StateError, match="folder exists and is writable"):
        EmbeddedFrontier(tmp_path / "missing" / "frontier.sqlite3", identity=KO)


def test_empty_file_is_a_new_frontier(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    path.touch()
    frontier = EmbeddedFrontier(path, identity=KO)
    assert frontier.is_finished()
    frontier.close()


def test_operations_after_close_are_errors_and_a_second_close_is_not(tmp_path):
    frontier = EmbeddedFrontier(tmp_path / "frontier.sqlite3", identity=KO)
    frontier.close()
    frontier.close()
    with pytest.raises(StateError, match="closed"):
        frontier.add([entry("a.kr/1")])


def test_disk_error_shuts_the_frontier_and_the_checkpoint_holds(tmp_path):
    path = tmp_path / "frontier.sqlite3"
    frontier = EmbeddedFrontier(path, identity=KO, delay=0.0)
    frontier.add([entry("a.kr/1")])
    frontier.checkpoint({"x": 1})
    pages = frontier._connection.execute("PRAGMA page_count").fetchone()[0]
    frontier._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StateError, match=r"disk is full.*latest checkpoint"):
        frontier.add([entry(f"b.kr/{number}") for number in range(5000)])
    with pytest.raises(StateError):
        frontier.lease(1, 0.0)
    frontier.close()
    frontier = EmbeddedFrontier(path, identity=KO, delay=0.0)
    assert frontier.status(0.0).seen == 1
    assert drain(frontier) == ["a.kr/1"]
    frontier.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"delay": -1.0},
        {"delay": float("nan")},
        {"max_attempts": 0},
        {"retry_delay": float("inf")},
        {"max_delay": -2.0},
        {"cache_bytes": 0},
    ],
)
def test_number_out_of_range_is_named(wrong):
    (name,) = wrong
    with pytest.raises(ConfigurationError, match=f"^{name}=.* is out of range; use a number of at least"):
        EmbeddedFrontier(None, identity=KO, **wrong)


def test_temporary_frontier_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frontier = EmbeddedFrontier(None, identity=KO)
    frontier.add([entry(f"a.kr/{number}") for number in range(5000)])
    frontier.checkpoint({})
    frontier.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("https://a.kr/", "/"),
        ("http://a.kr/x?y", ":/x?y"),
        ("https://a.kr:81/x", "=https://a.kr:81/x"),
        ("https://b.kr/", "=https://b.kr/"),
        ("https://a.kr.evil.com/", "=https://a.kr.evil.com/"),
    ],
)
def test_short_url_leaves_out_the_host(url, short):
    assert shorten_url(url, "a.kr") == short
    assert restore_url(short, "a.kr") == url


def test_queries_of_the_inner_loop_read_an_index_and_sort_nothing(new_durable_frontier):
    connection = new_durable_frontier()._connection
    plans = {
        "SELECT name FROM host WHERE state = 1 ORDER BY precedence, head_priority, head_seq LIMIT 5": "host_ready",
        "UPDATE host SET state = 1 WHERE state = 2 AND ready_at <= 5.0 RETURNING name": "host_resting",
        "SELECT min(ready_at) FROM host WHERE state = 2": "host_resting",
        "SELECT priority, seq FROM queue WHERE lane = 5 ORDER BY priority, seq LIMIT 1": "lane_head",
    }
    for sql, index in plans.items():
        plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}"))
        assert index in plan
        assert "TEMP B-TREE" not in plan
