"""``scrapy sites``: what is wrong is said in one line, before anybody is asked."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from crawler_project import settings as project_settings
from crawler_project.commands.sites import Command, read_keywords

OURS = {
    **{name: value for name, value in vars(project_settings).items() if name.isupper()},
    "METASEARCH_PROVIDERS": ["searxng=http://127.0.0.1:9"],
    "METASEARCH_DELAY": 0,
    "METASEARCH_TIMEOUT": 1,
}


def run(*arguments: str, **settings: Any) -> int:
    command = Command()
    command.settings = Settings({**OURS, **settings})
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return command.exitcode


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BRAVE_SEARCH_API_KEY", raising=False)
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    (tmp_path / "binary.txt").write_bytes(b"a\0b\n")
    (tmp_path / "cut.txt.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (tmp_path / "silent.toml").write_text("[[rule]]\nname = 'a'\nweight = 1\nholds = 'a'\n")
    (tmp_path / "negative.toml").write_text("[[rule]]\nname = 'price'\nweight = -1\nholds = 'a'\n")
    (tmp_path / "open.toml").write_text("[[rule]]\nname = 'price'\nweight = 1\nholds = '(a'\n")
    (tmp_path / "none.toml").write_text("name = 'none'\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing was asked for; usage: scrapy sites find"),
        (["search"], "'search' is none"),
        (["find", "more"], "'find more' is none"),
        (["measure"], "name one folder"),
        (["measure", "none"], "'none/found.csv' cannot be read (No such file or directory)"),
        (["find", "--bogus"], "unknown option --bogus"),
        (["find"], "no rules; name one of bookshop-en"),
        (["find", "-a", "rules=bookshop-xx"], "rules='bookshop-xx' cannot be read"),
        (["find", "-a", "rules=negative.toml"], "negative.toml: rule 'price': weight = -1 must be a number, 0 or more"),
        (["find", "-a", "rules=open.toml"], "open.toml: rule 'price': regular expression '(a' is refused: missing )"),
        (["find", "-a", "rules=none.toml"], "none.toml: no rules; write at least one [[rule]]"),
        (["find", "-a", "rules=silent.toml"], "the rule file has no keywords; give keyword sets"),
        (["find", "-a", "rules"], "-a 'rules' must be NAME=VALUE"),
        (
            ["find", "-a", "rules=bookshop-ko", "-a", "page_threshold=7"],
            "page_threshold=7.0 must be a number from 0 to 1",
        ),
        (["find", "-a", "rules=bookshop-ko", "-a", "threshold=7"], "there is no argument 'threshold'"),
        (["find", "-a", "rules=bookshop-ko", "--provider", "altavista"], "provider 'altavista' is unknown"),
        (["find", "-a", "rules=bookshop-ko", "--provider", "brave"], "set BRAVE_SEARCH_API_KEY in the environment"),
        (["find", "-a", "rules=bookshop-ko", "--provider", "file=missing"], "provider file='missing': no such file"),
        (["find", "-a", "rules=bookshop-ko", "--keywords", "missing.txt"], "'missing.txt' cannot be read"),
        (["find", "-a", "rules=bookshop-ko", "--keywords", "empty.txt"], "keywords='empty.txt' has no keyword sets"),
        (["find", "-a", "rules=bookshop-ko", "--keywords", "binary.txt"], "keywords='binary.txt' has no keyword sets"),
        (["find", "-a", "rules=bookshop-ko", "--keywords", "cut.txt.gz"], "keywords=cut.txt.gz: the file is cut off"),
        (["find", "-a", "rules=bookshop-ko", "--out", "empty.txt"], "out='empty.txt' cannot be written: File exists"),
        (["find", "-a", "rules=bookshop-ko", "--pages", "0"], "--pages 0 does not fit"),
        (["find", "-a", "rules=bookshop-ko", "--most", "all"], "--most all does not fit"),
    ],
)
def test_sites_says_in_one_line_what_is_wrong(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    before = sorted(folder.iterdir())
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("scrapy sites: ")
    assert said in printed.err
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"METASEARCH_TIMEOUT": 0}, "METASEARCH_TIMEOUT=0 must be a number of seconds"),
        ({"METASEARCH_DELAY": "soon"}, "METASEARCH_DELAY='soon' must be a number of seconds"),
        ({"METASEARCH_PROVIDERS": []}, "no provider; name one"),
        ({"FRONTIER_DELAY": "soon"}, "FRONTIER_DELAY='soon' must be a number of seconds"),
        ({"VIRTUAL_WEB": "8.8.8.8:80"}, "VIRTUAL_WEB='8.8.8.8:80' must be a loopback address"),
    ],
)
def test_sites_says_which_setting_is_wrong(
    settings: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("find", "-a", "rules=bookshop-ko", **settings) == 2
    assert said in capsys.readouterr().err


def test_provider_that_nobody_serves_is_a_line_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert run("find", "-a", "rules=bookshop-ko", "--out", "found") == 1
    errors = capsys.readouterr().err.splitlines()
    assert errors[0].startswith("scrapy sites: searxng http://127.0.0.1:9: no connection: ")
    assert errors[1:] == ["scrapy sites: no provider has found a site"]
    assert not (folder / "found").exists()


def test_keyword_sets_are_one_a_line_each_once(folder: Path) -> None:
    (folder / "words.txt").write_text(
        "\ufeff인터넷  서점 # general\r\n\n책 정가\n인터넷 서점\nC# 책\n", encoding="utf-8"
    )
    assert read_keywords("words.txt") == ["인터넷 서점", "책 정가", "C# 책"]


def test_measure_gives_precision_where_somebody_has_looked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "found"
    out.mkdir()
    rows = [f"{site}.test,http://{site}.test/,one,q,1,,\n" for site in "abc"]
    (out / "found.csv").write_text("site,url,provider,query,rank,engines,title\n" + "".join(rows))
    pages = [{"url": "x", "score": 1.0}] * 4
    verdicts = [{"site": f"{site}.test", "verdict": site != "c", "pages": pages} for site in "abc"]
    (out / "evidence.jsonl").write_text("".join(json.dumps(one) + "\n" for one in verdicts))
    (folder / "labels.csv").write_text("\ufeffsite,relevant\nwww.a.test,true\nhttps://b.test/x,No\nc.test,\n")
    assert run("measure", str(out), "--labels", "labels.csv") == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["*", "*", "3", "3", "2", "66.7%", "4.0", "50.0%"]
    with (out / "measures.csv").open(newline="") as file:
        total = list(csv.DictReader(file))[-1]
    assert (total["labelled"], total["right"], total["precision"]) == ("2", "1", "0.5000")
    assert run("measure", str(out)) == 0
    assert "precision" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("site,relevant\na.test,perhaps\n", "line 2: 'perhaps' must be true or false, or empty"),
        ("host,relevant\na.test,true\n", "needs the columns site and relevant"),
        ("site,relevant\n", "needs the columns site and relevant"),
        ("site,relevant\n\udcff,true\n", "cannot be read"),
    ],
)
def test_labels_that_are_wrong_are_said(folder: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "found.csv").write_text("site,url,provider,query,rank,engines,title\n")
    (folder / "labels.csv").write_text(text, errors="surrogateescape")
    assert run("measure", ".", "--labels", "labels.csv") == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.count("\n") == 1
