"""The walk in docs/seeds.md, from a directory to a finished crawl of served pages, command by command."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_of_test import ROOT

COMMANDS = re.findall(r"^```sh\n(.*?)\n```$", (ROOT / "docs" / "seeds.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the walk needs, where it may write."""
    for name in ("seeds", "demo"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    """Run a line of the docs in a shell, with this Python's scrapy."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "crawler_project.settings"}
    line = re.sub(r"(^|\| )scrapy ", rf"\1{sys.executable} -m scrapy ", command)
    return subprocess.Popen(
        ["/bin/sh", "-c", f"exec {line}" if "|" not in line else line], cwd=folder, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def run(command: str, folder: Path) -> str:
    process = start(command, folder)
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0, printed
    return printed


@pytest.fixture
def served(folder: Path) -> Iterator[str]:
    """Serve as the docs say, on a free port; gives ``127.0.0.1:PORT``."""
    command = next(command for command in COMMANDS if command.startswith("scrapy serve"))
    server = start(command.replace("--port 8000", "--port 0"), folder)
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"VIRTUAL_WEB=(127\.0\.0\.1:\d+)", line):
            break
    else:
        raise AssertionError("the server did not start")
    yield found[1]
    server.terminate()
    server.communicate()


def test_the_walk_of_the_docs_ends_with_a_crawl_and_its_report(folder: Path, served: str) -> None:
    make, _, crawl, report = (command for command in COMMANDS if "|" not in command)
    assert "2,099 addresses read" in run(make, folder)
    with (folder / "my-seeds" / "ko.csv").open(encoding="utf-8", newline="") as file:
        seeds = list(csv.DictReader(file))
    assert len(seeds) == 10
    assert {row["language"] for row in seeds} == {"ko"}
    run(crawl.replace("127.0.0.1:8000", served).replace("FRONTIER_DELAY=0.05", "FRONTIER_DELAY=0"), folder)
    with (folder / "my-crawl" / "crawled-ko.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) >= 80
    run(report, folder)
    assert (folder / "my-crawl" / "report.html").exists()


def test_the_pipe_of_the_docs_gives_five_seeds(folder: Path) -> None:
    run(next(command for command in COMMANDS if "|" in command), folder)
    assert (folder / "five.csv").read_text("utf-8").count("\n") == 6


def test_a_crawl_starts_from_a_directory_itself(folder: Path, served: str) -> None:
    crawl = next(command for command in COMMANDS if command.startswith("scrapy crawl"))
    crawl = crawl.replace("my-seeds/ko.csv", "seeds/example.rdf.gz").replace("pages=100", "pages=20")
    assert "from 2,099 seeds" in run(crawl.replace("127.0.0.1:8000", served), folder)
