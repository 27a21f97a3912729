"""Output that steers no terminal, and output that nobody reads to its end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

LINES = "from crawler_project.reports.printable import print_lines; print_lines(str(n) for n in range(1_000_000)); print('end')"


def test_lines_end_without_a_word_when_their_reader_goes_away() -> None:
    process = subprocess.Popen([sys.executable, "-c", LINES], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "0\n"
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(60) == 0
    process.stderr.close()


STEERING = "a\x1b]0;title\x07\u202e\n\x9b31m"


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", STEERING),
        ("explain", "http://a.kr/", "--crawl", STEERING),
        ("model", "show", STEERING),
        ("web", "record", STEERING, "--target", "ko", "--out", "web"),
        ("simulate", STEERING, "-a", "strategy=control"),
        ("frontier", "status", STEERING),
        ("serve", STEERING),
    ],
)
def test_message_that_quotes_something_steers_no_terminal(
    scrapy: Callable[..., subprocess.CompletedProcess[str]], arguments: tuple[str, ...]
) -> None:
    done = scrapy(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("scrapy ")
    assert done.stderr.endswith("\n")
    assert done.stderr[:-1].isprintable(), repr(done.stderr)
