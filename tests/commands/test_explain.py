import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from in_process import run_command

sys.path.append(str(Path(__file__).resolve().parents[1] / "reports"))
from crawl_writer import page, write_crawl

from crawler_project.commands import simulate
from crawler_project.commands.explain import Command
from crawler_project.crawling.crawl_plan import FRONTIER_FILE
from crawler_project.frontier.embedded_frontier import EmbeddedFrontier
from crawler_project.simulator.golden import read_golden

EXAMPLE = Path(__file__).resolve().parent.parent / "data" / "strategies-example.json"
Scrapy = Callable[..., subprocess.CompletedProcess[str]]


def run(*arguments: str) -> int:
    return run_command(Command(), *arguments)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    rows = [
        page("http://seed.kr/"),
        page(
            "http://b.com/old",
            "en",
            final_url="http://b.com/",
            referrer="http://seed.kr/",
            why="anchor ko 0.98",
            anchor_text="한국어",
            title="title \x1b[31m red",
        ),
    ]
    return write_crawl(tmp_path / "crawl", rows)


def test_explain_prints_the_chain_without_what_steers_terminals(scrapy: Scrapy, crawl: Path) -> None:
    done = scrapy("explain", "http://b.com/", "--crawl", str(crawl))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "http://b.com/",
        "  page 2 of the crawl, 1 link from the first hop below",
        "  seed",
        "    http://seed.kr/",
        "      ko 0.98, on target · page 1",
        "  ↓ anchor ko 0.98  “한국어”",
        "    http://b.com/",
        "      redirected from http://b.com/old",
        "      en 0.98, off target · page 2 · title ·[31m red",
        "",
    ]


def test_explain_says_when_an_address_was_not_crawled(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("http://b.com/new", "http://seed.kr/", "-d", str(crawl)) == 1
    printed = capsys.readouterr().out
    assert "  was not crawled: " in printed
    assert "--jobdir DIR" in printed
    assert "    http://b.com/\n" in printed
    assert "page 1 of the crawl" in printed


def test_explain_says_where_a_chain_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = write_crawl(tmp_path / "crawl", [page("http://a.kr/", referrer="http://lost.kr/", why="tld kr")])
    assert run("a.kr", "-d", str(crawl)) == 0
    assert "  … the page that linked here is not among the crawl's rows" in capsys.readouterr().out


def test_explain_refuses_the_jobdir_of_another_crawl(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would say that addresses were fetched, or never seen, which wait in this one."""
    other, job = tmp_path / "other", tmp_path / "job"
    other.mkdir()
    job.mkdir()
    EmbeddedFrontier(job / FRONTIER_FILE, identity={"output": str(other)}).close()
    assert run("http://b.com/new", "-d", str(crawl), "--jobdir", str(job)) == 2
    assert f"{job} is the JOBDIR of the crawl in {other}" in capsys.readouterr().err
    other.rmdir()  # whoever moves a crawl takes both along
    assert run("http://b.com/new", "-d", str(crawl), "--jobdir", str(job)) == 1


def test_explain_answers_in_json_lines(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("b.com", "http://no.example/", "-d", str(crawl), "--json") == 1
    found, missed = map(json.loads, capsys.readouterr().out.splitlines())
    assert (found["url"], found["crawled"], found["complete"]) == ("b.com", True, True)
    assert [(hop["final_url"], hop["why"]) for hop in found["chain"]] == [
        ("http://seed.kr/", "seed"),
        ("http://b.com/", "anchor ko 0.98"),
    ]
    assert missed == {
        "url": "http://no.example/",
        "crawled": False,
        "complete": False,
        "note": "",
        "chain": [],
        "nearest": [],
        "left": None,
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name at least one address; usage: scrapy explain URL"),
        (["http://a.kr/"], "name the crawl's output directory (--crawl DIR)"),
        (["http://a.kr/", "-d", "nowhere"], "nowhere does not exist; expected the output directory"),
        (["http://a.kr/", "-d", "nowhere", "--bogus"], "unknown option --bogus"),
        (["http://a.kr/", "-d", "crawl", "--jobdir", "."], "there is no frontier.sqlite3 in ."),
    ],
)
def test_explain_says_in_one_line_what_to_change(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    write_crawl(tmp_path / "crawl", [page("http://seed.kr/")])
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"scrapy explain: {said}")
    assert (printed.err.count("\n"), printed.out) == (1, "")


def test_explain_shows_a_simulation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.npz"
    assert run_command(simulate.Command(), EXAMPLE, "-a", "strategy=adaptive", "--limit", "4", "--state", state) == 0
    web = read_golden(EXAMPLE)[0]
    capsys.readouterr()
    assert run(*map(web.url, range(web.n_pages)), "--simulation", str(state), "--web", str(EXAMPLE), "--json") == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(answer["crawled"] for answer in told) == 4
    left = next(answer for answer in told if not answer["crawled"] and answer["left"]["state"] == "queued")
    assert left["left"]["weighing"]["parts"]
    assert run(left["url"], "--simulation", str(state), "--web", str(EXAMPLE)) == 1
    printed = capsys.readouterr().out
    assert "was not downloaded: it waits in the queue, at priority" in printed
    assert "as of the end of the crawl: on target with a chance of" in printed
    assert run("http://a/", "--simulation", str(state)) == 2
    assert "--web WEB" in capsys.readouterr().err
