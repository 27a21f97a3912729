"""``scrapy simulate WEB -a strategy=cbp_slc -a model=MODEL``: a recorded web seen by a topic model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from in_process import run_command

from crawler_project.commands.simulate import Command
from crawler_project.commands.web import Command as WebCommand
from crawler_project.relevance.topic.training import TrainingSettings, train_topic

Simulate = Callable[..., tuple[int, str, str]]
DISHES = ("김치찌개", "된장국", "비빔밥", "잡채", "불고기", "떡볶이", "칼국수", "파전")
SUBJECTS = ("기차 역사", "바둑 규칙", "별자리 관측", "주식 시장")


def recipe(dish: str) -> str:
    return (
        f"{dish} 만드는 법: 냄비에 물을 끓이고 마늘과 간장을 넣어 양념을 만든 뒤 {dish} 재료를 볶아 그릇에 담아 드세요. "
        * 2
    )


def english_recipe(food: str) -> str:
    return (
        f"How to cook {food}: boil water in a pan, add garlic and salt, stir the sauce and serve the {food} hot. " * 3
    )


def article(subject: str, number: int) -> str:
    return f"{subject}에 관한 글 {number}: {subject}는 오랜 세월 동안 많은 사람들이 연구하고 기록해 온 주제이다. " * 2


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cooking, in Korean and in English."""
    positive = [recipe(dish) for dish in DISHES] + [
        english_recipe(food) for food in ("rice", "beans", "beef", "soup", "cake")
    ]
    others = [article(subject, number) for subject in SUBJECTS for number in range(6)]
    others += [
        f"Article {number} about trains, chess, stars and the price of shares over many years." for number in range(6)
    ]
    path = tmp_path_factory.mktemp("model") / "cooking.json"
    train_topic(positive, others, TrainingSettings("cooking", "ko")).save(path)
    return path


def record(folder: Path, *options: str) -> Path:
    """A front page with links to Korean recipes, Korean articles and recipes in English."""

    def line(path: str, body: str, language: str, topic: str) -> str:
        html = f"<!DOCTYPE html><html lang={language}><head><title>t</title></head><body>{body}</body></html>"
        record = {"url": f"http://a.example/{path}", "html": html, "text_lang": language, "charset": "utf-8"}
        return json.dumps({**record, "topic": topic})

    links = "".join(f'<p><a href="/k{n}">{dish} 만드는 법, 양념</a></p>' for n, dish in enumerate(DISHES[:4]))
    links += "".join(f'<p><a href="/a{n}">{subject}에 관한 글</a></p>' for n, subject in enumerate(SUBJECTS))
    links += "".join(f'<p><a href="/e{n}">how to cook {food}</a></p>' for n, food in enumerate(("rice", "beans")))
    lines = [line("", f"<h1>안내</h1><p>여러 글을 모아 둔 곳입니다.</p>{links}", "ko", "index")]
    lines += [line(f"k{n}", f"<p>{recipe(dish)}</p>", "ko", "food") for n, dish in enumerate(DISHES[:4])]
    lines += [line(f"a{n}", f"<p>{article(subject, n)}</p>", "ko", "rest") for n, subject in enumerate(SUBJECTS)]
    lines += [line(f"e{n}", f"<p>{english_recipe(food)}</p>", "en", "food") for n, food in enumerate(("rice", "beans"))]
    pages = folder / "pages.jsonl"
    pages.write_text("\n".join(lines), encoding="utf-8")
    seeds = folder / "seeds.txt"
    seeds.write_text("http://a.example/\n", encoding="utf-8")
    out = folder / "web"
    assert run_command(WebCommand(), "record", pages, "--target", "ko", "--seeds", seeds, "--out", out, *options) == 0
    return out


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("cooking"))


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Simulate:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        code = run_command(Command(), *arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def summary(simulate: Simulate, *arguments: object) -> dict[str, object]:
    code, out, err = simulate(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_simulation_with_a_model_counts_what_the_model_finds_relevant(
    simulate: Simulate, web: Path, model: Path
) -> None:
    found = summary(simulate, web, "-a", "strategy=cbp_slc", "-a", f"model={model}", "--limit", "7")
    assert found["strategy"] == "cbp_slc"
    assert (found["pages"], found["relevant"]) == (7, 6)
    assert (found["target_recall"], found["target_length"], found["mean_target_length"]) == (1.0, 6, 1.0)
    assert found["admitted"] == {"block": 6}


def test_simulation_takes_topic_and_language_together(simulate: Simulate, web: Path, model: Path) -> None:
    arguments = (web, "-a", "strategy=cbp_slc", "-a", f"model={model}", "-a", "target=ko")
    found = summary(simulate, *arguments)
    assert (found["pages"], found["relevant"]) == (11, 4)
    code, _, err = simulate(web, "-a", "strategy=cbp_slc", "-a", f"model={model}", "-a", "target=ja")
    assert (code, err.count("\n")) == (2, 1)
    assert "recorded for ko" in err


def test_simulation_takes_the_labels_of_the_collection(simulate: Simulate, web: Path, model: Path) -> None:
    arguments = ("-a", "strategy=cbp_slc", "-a", f"model={model}")
    assert summary(simulate, web, *arguments, "-a", "topic=rest")["relevant"] == 4
    code, _, err = simulate(web, *arguments, "-a", "topic=nothing")
    assert (code, err.count("\n")) == (2, 1)
    assert "labels: food, index, rest" in err


def test_hard_refusal_ends_when_nothing_is_admitted(simulate: Simulate, web: Path, model: Path) -> None:
    found = summary(simulate, web, "-a", "strategy=cbp_slc", "-a", "refused=hard", "-a", f"model={model}")
    assert found["pages"] == 7


def test_comparison_takes_a_model_and_says_how_links_were_admitted(simulate: Simulate, web: Path, model: Path) -> None:
    code, out, err = simulate(web, "--compare", "cbp_slc,best_first,topic_learned", "-a", f"model={model}")
    assert code == 0, err
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["cbp_slc", "best_first", "topic_learned"]
    assert "target recall 100.00%, length 1.00; admitted by block 6, refused 4" in lines[1]


def test_stopped_topic_simulation_goes_on_as_if_never_stopped(simulate: Simulate, web: Path, model: Path) -> None:
    arguments = (web, "-a", "strategy=topic_learned", "-a", f"model={model}")
    whole = summary(simulate, *arguments, "--order", "whole.txt")
    summary(simulate, *arguments, "--order", "parts.txt", "--state", "s", "--limit", "3")
    rest = summary(simulate, *arguments, "--order", "parts.txt", "--state", "s")
    assert Path("parts.txt").read_text() == Path("whole.txt").read_text()
    assert rest["admitted"] == whole["admitted"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00", "no topic model"),
        (b'{"format": "crawler_project topic model", "version": 99}', "has version 99"),
        (b'{"format": "crawler_project topic model", "version": 1}', "damaged"),
    ],
)
def test_model_that_cannot_be_used_costs_one_line(simulate: Simulate, web: Path, content: bytes, said: str) -> None:
    Path("bad.json").write_bytes(content)
    code, out, err = simulate(web, "-a", "strategy=cbp_slc", "-a", "model=bad.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_web_without_texts_and_topic_without_model_are_refused(simulate: Simulate, model: Path, tmp_path: Path) -> None:
    bare = record(tmp_path, "--no-texts")
    for arguments, said in (
        ((bare, "-a", "strategy=cbp_slc", "-a", f"model={model}"), "record the web again"),
        ((bare, "-a", "strategy=cbp_slc", "-a", "topic=food"), "needs a topic model"),
    ):
        code, _, err = simulate(*arguments)
        assert code == 2
        assert said in err
