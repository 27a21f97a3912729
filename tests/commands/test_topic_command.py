"""``scrapy topic``: train, test, explain, compare, and what is refused."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import run_command

from crawler_project.commands.topic import Command
from crawler_project.relevance.topic import TopicModel
from crawler_project.serving.thread import serve_in_thread

ROOT = Path(__file__).resolve().parents[2]
FOOD = [
    "pan",
    "oven",
    "butter",
    "onion",
    "garlic",
    "simmer",
    "boil",
    "recipe",
    "flour",
    "sugar",
    "pepper",
    "dough",
    "bake",
    "roast",
    "stew",
    "soup",
]
OTHER = [
    "knight",
    "bishop",
    "rook",
    "pawn",
    "queen",
    "castle",
    "boat",
    "sail",
    "mast",
    "harbour",
    "anchor",
    "keel",
    "guitar",
    "melody",
    "chord",
    "drum",
]


def made(words: list[str], number: int, seed: int = 0) -> list[str]:
    source = random.Random(f"{words[0]} {seed}")
    return [" ".join(source.choice(words) for _ in range(30)) for _ in range(number)]


def lines(path: Path, texts: list[str], relevant: bool | None = None) -> Path:
    label = {} if relevant is None else {"relevant": relevant}
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text, **label}) + "\n" for text in texts)
    return path


@pytest.fixture
def model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    positive = lines(tmp_path / "p.jsonl", made(FOOD, 10))
    unlabelled = lines(tmp_path / "u.jsonl", made(OTHER, 60) + made(FOOD, 6, seed=1))
    out = tmp_path / "food.json"
    arguments = ("--positive", positive, "--unlabelled", unlabelled, "--out", out)
    assert run_command(Command(), "train", *arguments) == 0
    return out


def test_train_says_what_it_found_and_expects(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = capsys.readouterr().out
    for part in (
        "positive texts      10",
        "unlabelled texts    66",
        "reliable negatives",
        "ERR about",
        "rounds",
        "precision",
    ):
        assert part in said
    loaded = TopicModel.load(model)
    assert loaded.name == "food"
    assert loaded.score_text("boil the onion soup") > 0 > loaded.score_text("the knight takes the rook")


def test_train_reads_folders_of_pages_and_goes_on_after_bad_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    for number, text in enumerate(made(FOOD, 8)):
        (pages / "deep" / f"{number}.html").write_text(f"<html><title>t</title><p>{text}</p>", encoding="utf-8")
    (pages / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (pages / "one.txt").write_text("soup", encoding="utf-8")
    (pages / "bad.jsonl").write_text('{"text": 1}\n[\n{"text": "' + made(FOOD, 1, 3)[0] + '"}\n', encoding="utf-8")
    arguments = ("train", "--positive", pages, "--out", tmp_path / "m", "--json")
    assert run_command(Command(), *arguments) == 0
    captured = capsys.readouterr()
    values = json.loads(captured.out)
    assert (values["positive"], values["left_out_short"]) == (9, 1)
    assert "shipped texts in en" in values["background"]
    assert "picture.png: binary" in captured.err
    assert "bad.jsonl:1: has none of text" in captured.err
    assert "bad.jsonl:2: " in captured.err


def test_test_measures_a_model(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled = lines(lines(tmp_path / "t.jsonl", made(FOOD, 20, 5), True), made(OTHER, 40, 5), False)
    capsys.readouterr()
    assert run_command(Command(), "test", model, "--jsonl", labelled, "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["texts"], values["relevant"]) == (60, 20)
    assert values["f1"] > 0.9
    assert values["average_precision"] > 0.95
    assert sum(part["texts"] for part in values["calibration"]) == 60
    lines(labelled, [made(OTHER, 1, 6)[0]], True)
    assert run_command(Command(), "test", model, "--jsonl", labelled) == 0
    said = capsys.readouterr().out
    assert "missed" in said
    assert "t.jsonl:61: " in said


def test_explain_goes_block_by_block(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<body><table><tr><td><a href=/a>onion soup</a> boil garlic</td></tr></table>"
        "<table><tr><td><a href=/b>knight</a> rook pawn</td></tr></table></body>",
        encoding="utf-8",
    )
    capsys.readouterr()
    assert run_command(Command(), "explain", model, page, "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert [block["relevant"] for block in values["blocks"]] == [True, False]
    assert {word["term"] for word in values["blocks"][0]["for"]} >= {"onion", "soup"}
    assert "rook" in {word["term"] for word in values["blocks"][1]["against"]}
    assert run_command(Command(), "explain", model, page) == 0
    assert "block 2" in capsys.readouterr().out


def test_compare_runs_all_methods_on_one_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled = lines(lines(tmp_path / "t.jsonl", made(FOOD, 40), True), made(OTHER, 80), False)
    assert run_command(Command(), "compare", "--jsonl", labelled, "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["labelled"], values["unlabelled"], values["test"]) == (12, 60, 48)
    found = {row["method"]: row["f1"] for row in values["methods"]}
    assert {"prior_svm", "wvc_tfipndf tfc", "wvc_tfipndf both", "wvc_tfidf", "pebl", "one_class", "biased_svm"} <= set(
        found
    )
    assert found["prior_svm"] > 0.9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "say which of train, test, explain, compare"),
        (("train",), "usage: scrapy topic train"),
        (("train", "--positive", "missing", "--out", "m"), "'missing' is no file, folder or address"),
        (("train", "--positive", "{p}", "--out", "no/such/m"), "does not exist"),
        (("train", "--positive", "{p}", "--out", "m", "--method", "svm"), "choose one of prior_svm"),
        (("train", "--positive", "{p}", "--out", "m", "--language", "korean!"), "did you mean 'ko'"),
        (("train", "--positive", "{p}", "--out", "m", "--language", "xx"), "language='xx' is not a language code"),
        (("train", "--positive", "{p}", "--out", "m", "--language", "kr"), "did you mean 'ko'"),
        (("compare", "--jsonl", "{p}", "--language", "xx"), "language='xx' is not a language code"),
        (("train", "--positive", "{empty}", "--out", "m"), "0 usable positive texts, 5 are needed: 5 missing"),
        (
            ("train", "--positive", "{p}", "--unlabelled", "{p}", "--out", "m"),
            "unlabelled texts that are positive ones",
        ),
        (("test", "missing", "--jsonl", "{p}"), "cannot read the model"),
        (("test", "{empty}", "--jsonl", "{p}"), "is empty"),
        (("test", "{p}", "--jsonl", "{p}"), "no topic model"),
        (("explain", "m"), "usage: scrapy topic explain"),
        (("compare", "--jsonl", "{p}"), "both kinds are needed"),
        (("train", "--bogus"), "unknown option --bogus"),
    ],
)
def test_wrong_argument_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "p.jsonl", made(FOOD, 10))
    (tmp_path / "empty").write_bytes(b"")
    filled = [argument.format(p="p.jsonl", empty="empty") for argument in arguments]
    assert run_command(Command(), *filled) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_language_without_stemmer_or_segmenter_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    khmer = [f"ម្ហូបខ្មែរឆ្ងាញ់ណាស់ {i}a រូបមន្តធ្វើម្ហូប" for i in range(6)]
    others = [f"ទូកក្តោងនៅក្នុងសមុទ្រ {i}b ខ្យល់បក់ខ្លាំង" for i in range(25)]
    p, u = lines(tmp_path / "p.jsonl", khmer), lines(tmp_path / "u.jsonl", others)
    arguments = ("train", "--positive", p, "--unlabelled", u, "--out", tmp_path / "m", "--language", "km")
    assert run_command(Command(), *arguments) == 0
    assert "character n-grams" in capsys.readouterr().out


@pytest.mark.parametrize(("code", "how"), [("vi", "words as they are, no stemmer"), ("lo", "character n-grams"), ("pt-BR", "portuguese stemmer"), ("yue", "character n-grams")])  # fmt: skip
def test_language_says_how_its_texts_are_cut(
    code: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    p, u = lines(tmp_path / "p.jsonl", made(FOOD, 10)), lines(tmp_path / "u.jsonl", made(OTHER, 60))
    arguments = ("train", "--positive", p, "--unlabelled", u, "--out", tmp_path / "m", "--language", code)
    assert run_command(Command(), *arguments) == 0
    assert how in capsys.readouterr().out


def test_folder_of_one_word_pages_and_pictures_is_too_little_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(6):
        (pages / f"{number}.html").write_text(f"<html><body><p>soup{number}</p></body></html>", encoding="utf-8")
    (pages / "scan.pdf").write_bytes(b"%PDF-1.4\n\x00")
    assert run_command(Command(), "train", "--positive", pages, "--out", tmp_path / "m") == 2
    captured = capsys.readouterr()
    assert (
        "0 usable positive texts, 5 are needed: 5 missing (left out: 6 of fewer than 3 different words" in captured.err
    )
    assert "scan.pdf: binary" in captured.err
    assert not (tmp_path / "m").exists()


def test_train_fetches_a_list_of_addresses_and_skips_what_is_gone(tmp_path: Path) -> None:
    records = [
        {"url": f"http://food.example/{number}", "html": f"<title>t</title><p>{text}</p>", "charset": "utf-8"}
        for number, text in enumerate(made(FOOD, 6))
    ]
    table = tmp_path / "urls.csv"
    table.write_text(
        "title,url\n" + "".join(f"t,{row['url']}\n" for row in records) + "t,http://food.example/gone\n", "utf-8"
    )
    with serve_in_thread(records) as server:
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "topic", "train", "--positive", str(table), "--out", str(tmp_path / "m"),
             "-s", f"VIRTUAL_WEB={server.virtual_web}", "-s", "FRONTIER_DELAY=0", "--json"],
            capture_output=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout.splitlines()[-1])["positive"] == 6
    assert "http://food.example/gone: no page" in done.stderr.decode()
