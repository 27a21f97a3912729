from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from in_process import run_command

from crawler_project.commands.rules import Command


def run(*arguments: object) -> int:
    return run_command(Command(), *arguments)


def test_rules_list_names_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()][:2] == ["bookshop-en", "bookshop-ja"]
    assert run("list", "bookshop-zh") == 0
    assert "  0.263  price\n" in capsys.readouterr().out


def test_rules_new_writes_a_file_that_is_right_and_overwrites_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "watch-shop-en.toml"
    assert run("new", path) == 0
    assert run("check", path, "bookshop-ko") == 0
    assert "3 rules, 3 queries; right" in capsys.readouterr().out
    assert run("test", path, "A watch with a strap: $30, add to cart") == 0
    assert "F = 1.000" in capsys.readouterr().out
    assert run("new", path) == 2
    assert "File exists" in capsys.readouterr().err


def test_rules_check_goes_on_after_a_wrong_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[[rule]]\nname = 'price'\nweight = -1\nholds = '('\n")
    assert run("check", wrong, "bookshop-ko") == 2
    printed = capsys.readouterr()
    assert printed.err == "scrapy rules: wrong.toml: rule 'price': weight = -1 must be a number, 0 or more\n"
    assert "bookshop-ko: 8 rules" in printed.out


def test_rules_check_says_what_is_wrong_with_each_file_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "negative": "[[rule]]\nname = 'price'\nweight = -1\nholds = 'a'\n",
        "open": "[[rule]]\nname = 'price'\nweight = 1\nholds = '(a'\n",
        "none": "name = 'none'\n",
        "language": "language = 'jp'\n[[rule]]\nname = 'price'\nweight = 1\nholds = 'a'\n",
        "operator": "[[rule]]\nname = 'price'\nweight = 1\nholds = { xor = ['a', 'b'] }\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text)
    assert run("check", *(tmp_path / f"{name}.toml" for name in texts), "bookshop-zh") == 2
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        "scrapy rules: negative.toml: rule 'price': weight = -1 must be a number, 0 or more",
        "scrapy rules: open.toml: rule 'price': regular expression '(a' is refused: missing ): (a",
        "scrapy rules: none.toml: no rules; write at least one [[rule]] with a name, a weight and holds",
        "scrapy rules: language.toml: language='jp' is a country code, not a language; did you mean 'ja'?",
        "scrapy rules: operator.toml: rule 'price': holds: unknown operator 'xor'; known: and, or, not",
    ]
    assert printed.out == "bookshop-zh: 8 rules, 8 queries; right\n"


def test_rules_test_shows_what_speaks_for_each_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><title>책</title><p>정가 <b>15,000</b>원<script>ISBN</script><p>장바구니", encoding="euc-kr")
    assert run("test", "bookshop-ko", page, "ISBN 9788968481475") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("F = 0.300")
    assert [line.split() for line in lines[1:3]] == [
        ["+", "0.200", "price", "정가", "15,000"],
        ["+", "0.100", "buying", "online", "장바구니"],
    ]
    assert any(line.split()[:3] == ["-", "0.200", "isbn"] for line in lines[1:9])
    assert lines[9].startswith("ISBN 9788968481475  F = 0.2")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(page.read_bytes())))
    assert run("test", "bookshop-ko", "-") == 0
    assert capsys.readouterr().out.splitlines()[0] == "-  F = 0.300"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing was asked for; usage: scrapy rules list"),
        (["lists"], "'lists' is none of them"),
        (["check"], "name a rule file"),
        (["test", "bookshop-ko"], "name the rules and a page"),
        (["test", "bookshop-xx", "text"], "rules='bookshop-xx' cannot be read"),
        (["test", "bookshop-ko", "missing.html"], "'missing.html': no such file"),
        (["new"], "name one file"),
        (["--bogus"], "unknown option --bogus"),
    ],
)
def test_rules_says_in_one_line_what_is_wrong(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"scrapy rules: {said}")
    assert (printed.err.count("\n"), printed.out) == (1, "")


@pytest.mark.parametrize("name", ["folder/", "folder/.", ".", "..", ".toml", ""])
def test_rules_new_wants_the_name_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run("new", name) == 2
    assert capsys.readouterr().err == f"scrapy rules: {name!r} names no file; name one, as watch-shop-en.toml\n"
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_rules_test_takes_no_folder_for_a_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("test", "bookshop-ko", tmp_path) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"scrapy rules: {str(tmp_path)!r} is a folder; name the pages in it\n")


def test_rules_test_takes_a_text_that_is_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("test", "bookshop-ko", "정가 15,000원 장바구니 " * 100, "") == 0
    assert "F = 0.300" in capsys.readouterr().out
