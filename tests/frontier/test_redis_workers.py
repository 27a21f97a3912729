"""Several worker processes, killed at random, on a server that is killed as well: no URL is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from redis_fixture import RedisServer, redis_server
from redis_worker import DELAY, HOSTS, PAGES, open_frontier, url_of

__all__ = ["redis_server"]

KILLS = int(os.environ.get("REDIS_TEST_KILLS", "20"))
SERVER_KILLS = int(os.environ.get("REDIS_TEST_SERVER_KILLS", "3"))
ALL = {url_of(number).url for number in range(PAGES)}


class Workers:
    """Processes of redis_worker.py; each new one has a file of its own."""

    def __init__(self, url: str, crawl: str, folder: Path) -> None:
        self.url, self.crawl, self.folder = url, crawl, folder
        self.lease = 0.4
        self.processes: list[subprocess.Popen[bytes]] = []
        self.started = 0

    def start(self, count: int = 1) -> None:
        for _ in range(count):
            self.started += 1
            arguments = [self.url, self.crawl, f"w{self.started}", str(self.folder), str(self.lease)]
            script = str(Path(__file__).with_name("redis_worker.py"))
            self.processes.append(subprocess.Popen([sys.executable, script, *arguments]))

    def finish(self) -> None:
        assert [process.wait(timeout=60) for process in self.processes] == [0] * len(self.processes)

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def lines(self) -> list[list[str]]:
        files = sorted(self.folder.glob("*.rows"))
        return [line.split() for file in files for line in file.read_text().splitlines() if line.count(" ") == 2]


@pytest.fixture
def workers(redis_server, tmp_path, request):
    redis_server.client().flushall()
    open_frontier(redis_server.url, request.node.name, "seeds").add([url_of(0)])
    workers = Workers(redis_server.url, request.node.name, tmp_path)
    yield workers
    workers.stop()


def wait_for_rows(workers: Workers, count: int) -> None:
    """Until there are more rows, or all work is done."""
    while len([line for line in workers.lines() if line[0] == "row"]) < count:
        if all(process.poll() is not None for process in workers.processes):
            return
        for process in workers.processes[:1]:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.01)


def gaps_of_hosts(lines: list[list[str]]) -> list[float]:
    """Seconds from the end of each fetch to the next start on its host."""
    gaps = []
    for host in {line[1].split("/")[2] for line in lines}:
        events = sorted((float(time), kind == "start") for kind, url, time in lines if url.split("/")[2] == host)
        for (before, was_start), (after, is_start) in pairwise(events):
            if is_start and not was_start:
                gaps.append(after - before)
    return gaps


def overlaps(lines: list[list[str]]) -> int:
    """Starts on a host between the start and the end of another fetch that did end."""
    count = 0
    for host in {line[1].split("/")[2] for line in lines}:
        events = sorted((float(time), kind, url) for kind, url, time in lines if url.split("/")[2] == host)
        for (_, kind, url), (_, next_kind, next_url) in pairwise(events):
            ended = kind == "start" and next_kind == "row" and url == next_url
            count += kind == "start" and next_kind == "row" and not ended
    return count


def test_four_workers_share_a_crawl_politely_and_fetch_every_page_once(workers):
    workers.lease = 30.0
    workers.start(4)
    workers.finish()
    rows = Counter(line[1] for line in workers.lines() if line[0] == "row")
    assert rows == dict.fromkeys(ALL, 1)
    gaps = gaps_of_hosts(workers.lines())
    assert len(gaps) == PAGES - HOSTS
    assert min(gaps) >= DELAY
    assert overlaps(workers.lines()) == 0


def test_no_page_is_lost_when_workers_are_killed_at_random(workers):
    rng = random.Random(1)
    workers.start(4)
    for kill in range(KILLS):
        wait_for_rows(workers, (kill + 1) * PAGES // (KILLS + 4))
        victim = workers.processes.pop(rng.randrange(len(workers.processes)))
        victim.kill()
        victim.wait()
        workers.start()
    workers.finish()
    rows = Counter(line[1] for line in workers.lines() if line[0] == "row")
    assert set(rows) == ALL
    assert sum(rows.values()) <= PAGES + 2 * KILLS
    frontier = open_frontier(workers.url, workers.crawl, "last")
    assert frontier.status(0.0)[:3] == (0, PAGES, 0)
    assert sum(counts.pages for counts in frontier.counts([f"h{number}.test" for number in range(HOSTS)])) == PAGES
    frontier.close()


def test_worker_that_stood_still_does_no_harm_when_it_goes_on(workers):
    workers.start(3)
    wait_for_rows(workers, PAGES // 10)
    workers.processes[0].send_signal(signal.SIGSTOP)
    others = workers.processes[1:]
    assert [process.wait(timeout=60) for process in others] == [0, 0]
    workers.processes[0].send_signal(signal.SIGCONT)
    workers.finish()
    rows = Counter(line[1] for line in workers.lines() if line[0] == "row")
    assert set(rows) == ALL
    assert sum(rows.values()) <= PAGES + 2
    frontier = open_frontier(workers.url, workers.crawl, "last")
    assert sum(counts.pages for counts in frontier.counts([f"h{number}.test" for number in range(HOSTS)])) == PAGES
    frontier.close()


def test_no_page_is_lost_when_the_server_is_killed(tmp_path):
    (tmp_path / "redis").mkdir()
    server = RedisServer(tmp_path / "redis", "--appendonly", "yes", "--appendfsync", "everysec")
    workers = Workers(server.url, "killed", tmp_path)
    try:
        open_frontier(server.url, "killed", "seeds").add([url_of(0)])
        workers.start(3)
        for kill in range(SERVER_KILLS):
            wait_for_rows(workers, (kill + 1) * PAGES // (SERVER_KILLS + 1))
            server.kill()
            server.start()
        workers.finish()
        rows = Counter(line[1] for line in workers.lines() if line[0] == "row")
        assert set(rows) == ALL
        assert open_frontier(server.url, "killed", "last").status(0.0)[:3] == (0, PAGES, 0)
    finally:
        workers.stop()
        server.stop()
