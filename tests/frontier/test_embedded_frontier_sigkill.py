"""SIGKILL at random moments: what was checkpointed is there, and every page is crawled exactly once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from crash_worker import HOSTS, PAGES, open_frontier

KILLS = int(os.environ.get("FRONTIER_KILLS", "10"))
ROOT = Path(__file__).resolve().parents[2]


def start(path: Path, output: Path, seed: int) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("crash_worker.py")
    command = [sys.executable, str(script), str(path), str(output), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})


def steps_of_whole_crawl(tmp_path: Path) -> int:
    process = start(tmp_path / "whole.sqlite3", tmp_path / "whole.txt", 0)
    return len(process.communicate()[0])


def check_against_checkpoint(path: Path, output: Path) -> None:
    """The rows that the checkpoint knows of are the pages that the frontier has counted."""
    frontier = open_frontier(path)
    size = frontier.outputs().get("rows", 0)
    data = output.read_bytes()[:size] if output.exists() else b""
    assert len(data) == size
    rows = data.split()
    status = frontier.status(0.0)
    pages = sum(counts.pages for counts in frontier.counts([f"h{number}.kr" for number in range(HOSTS)]))
    assert len(rows) == len(set(rows)) == pages
    assert status.queued + pages == status.seen
    assert (status.leased, status.dead) == (0, 0)
    frontier.close()


def test_killed_crawl_loses_nothing_and_does_nothing_twice(tmp_path):
    draw = random.Random(KILLS)
    path, output = tmp_path / "frontier.sqlite3", tmp_path / "rows.txt"
    steps = steps_of_whole_crawl(tmp_path)
    for kill in range(KILLS):
        process = start(path, output, kill)
        assert process.stdout
        wanted = draw.randrange(1, steps // KILLS)
        assert len(process.stdout.read(wanted)) == wanted  # it was still at work
        process.kill()
        process.communicate()
        check_against_checkpoint(path, output)
    process = start(path, output, KILLS)
    process.communicate()
    assert process.returncode == 0
    assert sorted(map(int, output.read_bytes().split())) == list(range(PAGES))
    check_against_checkpoint(path, output)
