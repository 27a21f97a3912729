"""``scrapy blocks``: the JSON of a page's blocks."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from in_process import run_command

from crawler_project.commands.blocks import Command

PAGE = "<h1>뉴스</h1><ul><li><a href='/a'>Alpha</a> one</li></ul><ul><li><a href=b#c>Beta</a></li></ul>"
ANSWER = {
    "root_height": 1,
    "s": 0.5,
    "blocks": [
        {"text": "뉴스", "links": []},
        {"text": "Alpha one", "links": [{"href": "/a", "anchor": "Alpha", "context": "Alpha one"}]},
        {"text": "Beta", "links": [{"href": "b#c", "anchor": "Beta", "context": "Beta"}]},
    ],
}


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(b'<meta charset="euc-kr">' + PAGE.encode("euc-kr"))
    return path


def test_blocks_of_a_file_are_one_object(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), page) == 0
    assert json.loads(capsys.readouterr().out) == ANSWER


class OnePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=euc-kr")
        self.end_headers()
        self.wfile.write(PAGE.encode("euc-kr"))

    def log_message(self, *arguments: object) -> None:
        """Keep quiet."""


def test_blocks_of_an_address_are_those_of_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    with HTTPServer(("127.0.0.1", 0), OnePage) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        assert run_command(Command(), f"http://127.0.0.1:{server.server_port}/p") == 0
        thread.join()
    assert json.loads(capsys.readouterr().out) == ANSWER


def test_blocks_takes_the_parameters_of_the_partition(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), page, "-a", "alpha=1", "-a", "k=2", "-a", "tags=html5") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["root_height"], answer["s"], len(answer["blocks"])) == (2, 2.0, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name one page, not 0"),
        (("a", "b"), "name one page, not 2"),
        (("nowhere.html",), "nowhere.html is no file"),
        (("http://127.0.0.1:9/",), "cannot be fetched"),
        (("PAGE", "-a", "alpha=0"), "alpha=0.0 does not fit"),
        (("PAGE", "-a", "alpha=x"), "alpha=x does not fit"),
        (("PAGE", "-a", "k=0"), "k=0 does not fit"),
        (("PAGE", "-a", "tags=div"), "allowed: paper, html5"),
        (("PAGE", "-a", "beta=1"), "'beta=1' is no parameter"),
        (("PAGE", "--beta"), "unknown option --beta"),
    ],
)
def test_blocks_says_in_one_line_what_is_wrong(
    page: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run_command(Command(), *(page if argument == "PAGE" else argument for argument in arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1
