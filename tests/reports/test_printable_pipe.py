"""Output that nobody reads to its end."""

from __future__ import annotations

import subprocess
import sys

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
