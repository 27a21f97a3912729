from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler_project.commands.serve import Command

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    records = [{"url": f"http://{host}/", "html": host} for host in ("a.kr", "b.kr")]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``scrapy serve`` until the block is left; gives the process and the line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "crawler_project.settings"},
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def ask(port: int, host: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().read()
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_answers_until_it_is_stopped(collection: Path, number: signal.Signals) -> None:
    with serving(str(collection), "--port", "0") as (process, line):
        port = int(line.rpartition(":")[2])
        assert line == (
            f"serving 2 pages of 2 hosts on http://127.0.0.1:{port}; crawl it with VIRTUAL_WEB=127.0.0.1:{port}\n"
        )
        assert ask(port, "b.kr") == b"b.kr"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))
        with socket.create_connection(("127.0.0.1", port)):  # one that is still open does not hold it up
            process.send_signal(number)
            assert process.wait(timeout=20) == 0
        assert process.communicate() == ("", "")


def test_serve_names_bad_lines_and_writes_a_log_of_requests(collection: Path, tmp_path: Path) -> None:
    with collection.open("a") as file:
        file.write("{broken\n" + '{"url": "x"}\n' * 12)
    log = tmp_path / "requests.csv"
    with serving(str(collection), "--port", "0", "--request-log", str(log)) as (process, line):
        assert line.startswith("serving 2 pages")
        ask(int(line.rpartition(":")[2]), "a.kr")
        process.terminate()
        said = process.communicate(timeout=20)[1].splitlines()
        assert process.returncode == 0
    assert said[0].startswith("scrapy serve: line 3 is skipped: Expecting property name")
    assert (len(said), said[-1]) == (11, "scrapy serve: 3 more lines are skipped")
    rows = list(csv.reader(log.read_text().splitlines()))
    assert rows[0] == ["host", "path", "start", "end"]
    assert rows[1][:2] == ["a.kr", "/"]
    assert float(rows[1][2]) <= float(rows[1][3])


def test_serve_says_in_one_line_what_is_wrong(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, said in [
            ([], "expected one collection, got nothing"),
            (["absent.zst"], "absent.zst cannot be read (No such file or directory)"),
            ([str(empty)], "has no page (it is empty)"),
            ([str(collection), "--prot", "1"], "expected one collection, got"),
            ([str(collection), "--port", "http"], "--port='http' must be a number"),
            ([str(collection), "--port", "65536"], "--port='65536' must be a number"),
            ([str(collection), "--port", port], "choose another --port"),
            ([str(collection), "--bind", "localhost"], "--bind='localhost' must be an IP address"),
            ([str(collection), "--request-log", str(tmp_path)], "cannot be written: Is a directory"),
        ]:
            assert run(*arguments) == 2
            out, err = capsys.readouterr()
            assert (out, err.count("\n")) == ("", 1)
            assert err.startswith("scrapy serve: ")
            assert said in err


def test_serve_says_that_others_can_read_when_it_listens_beyond_loopback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(tmp_path / "absent"), "--bind", "0.0.0.0") == 2
    assert "0.0.0.0 is no loopback address: others on the network can read the pages" in capsys.readouterr().err


def run(*arguments: str) -> int:
    """Run the command in this process; gives its exit code."""
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return command.exitcode
