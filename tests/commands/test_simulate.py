"""``scrapy simulate`` as a user calls it: arguments in; files, text and exit codes out."""

import csv
import json
import os
import signal
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from in_process import run_command

from crawler_project.commands.simulate import Command
from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.recipe import THAI
from crawler_project.simulator.synth import synthesize
from crawler_project.simulator.web_writer import write_web

EXAMPLE = Path(__file__).parents[1] / "data" / "strategies-example.json"
RUNS = {run.name: run for run in read_golden(EXAMPLE)[1]}


@pytest.fixture
def simulate(capsys, monkeypatch, tmp_path):
    """Run the command in an empty folder; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = run_command(Command(), *arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


@pytest.fixture(scope="module")
def thai_web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thai")
    write_web(synthesize(THAI, 3000, 5), folder)
    return folder


def test_simulate_writes_the_order_one_id_a_line(simulate):
    code, _, _ = simulate(EXAMPLE, "-a", "strategy=lswc", "-a", "S=2", "-a", "T=2", "--order", "order.txt")
    assert code == 0
    assert Path("order.txt").read_text() == "".join(f"{page}\n" for page in RUNS["lswc_S2_T2"].order)


def test_simulate_takes_parameters_as_text(simulate):
    simulate(EXAMPLE, "-a", "strategy=lswc", "-a", "inherit=false", "--order", "order.txt")
    assert list(map(int, Path("order.txt").read_text().split())) == list(RUNS["lswc_S3_T5_noinherit"].order)


def test_simulate_prints_one_json_object(simulate):
    code, out, _ = simulate(EXAMPLE, "-a", "strategy=lswc", "-a", "S=1", "-a", "T=1", "--json")
    record = json.loads(out)
    assert code == 0
    assert set(record) == {
        "strategy", "parameters", "pages", "relevant", "harvest_rate", "coverage", "peak_queue", "seconds", "peak_rss_bytes",
    }  # fmt: skip
    assert record["strategy"] == "lswc"
    assert record["parameters"] == {"S": 1, "T": 1, "inherit": True}
    assert (record["pages"], record["relevant"], record["harvest_rate"], record["coverage"]) == (10, 4, 0.4, 0.4)
    assert record["peak_queue"] == 7


def test_trace_has_a_row_every_so_many_downloads_and_one_for_the_last(simulate):
    simulate(EXAMPLE, "-a", "strategy=control", "--trace", "trace.csv", "--every", "4")
    rows = list(csv.DictReader(Path("trace.csv").read_text().splitlines()))
    assert list(rows[0]) == ["pages", "relevant", "harvest_rate", "coverage", "queued"]
    assert [int(row["pages"]) for row in rows] == [4, 8, 12, 16, 20, 21]
    assert float(rows[-1]["harvest_rate"]) == 10 / 21
    assert float(rows[-1]["coverage"]) == 1.0
    assert rows[-1]["queued"] == "0"


def test_limit_ends_the_crawl_early(simulate):
    _, out, _ = simulate(EXAMPLE, "-a", "strategy=control", "--limit", "5", "--order", "order.txt", "--json")
    assert json.loads(out)["pages"] == 5
    assert list(map(int, Path("order.txt").read_text().split())) == list(RUNS["bfs"].order[:5])


def test_compare_prints_a_table_and_draws_the_curves(simulate):
    code, out, err = simulate(EXAMPLE, "--compare", "control,experimental,lswc:S=1:T=1")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["strategy", "control", "experimental", "lswc:S=1:T=1"]
    assert "47.62%" in out
    assert Path("comparison.png").read_bytes().startswith(b"\x89PNG")
    assert "comparison.png" in err


def test_compare_gives_one_json_object_a_line(simulate):
    _, out, _ = simulate(EXAMPLE, "--compare", "control,lswc:S=1:T=1", "--json", "--plot", "curves.svg")
    assert [json.loads(line)["pages"] for line in out.splitlines()] == [21, 10]
    assert "<svg" in Path("curves.svg").read_text()


def test_gap_changes_the_order_and_not_the_pages(simulate):
    simulate(EXAMPLE, "-a", "strategy=control", "--gap", "3", "--order", "polite.txt")
    polite = list(map(int, Path("polite.txt").read_text().split()))
    assert sorted(polite) == list(range(21))
    assert polite != list(RUNS["bfs"].order)


def test_time_model_says_how_long_the_crawl_takes(simulate):
    arguments = [EXAMPLE, "-a", "strategy=control", "--workers", "2", "--latency", "0.5", "--delay", "0"]
    record = json.loads(simulate(*arguments, "--json")[1])
    assert record["pages"] == 21
    assert 5.0 < record["simulated_seconds"] < 10.5
    assert "s simulated" in simulate(*arguments)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([EXAMPLE], "no strategy"),
        ([EXAMPLE, "-a", "strategy=nutch"], "choose one of control, experimental"),
        ([EXAMPLE, "-a", "strategy=lswc", "-a", "S=x"], "S=x"),
        ([EXAMPLE, "-a", "strategy=server_filter", "-a", "theta=2"], "between 0 and 1"),
        ([EXAMPLE, "-a", "strategy=control", "-a", "S=1"], "allowed: none"),
        ([EXAMPLE, "-a", "strategy"], "NAME=VALUE"),
        ([EXAMPLE, "-a", "strategy=control", "-a", "strategy=lswc"], "--compare"),
        ([EXAMPLE, "-a", "strategy=control", "--compare", "lswc"], "exclude"),
        ([EXAMPLE, "--compare", ""], "empty"),
        ([EXAMPLE, "--compare", "control,lswc:Q=1"], "allowed: S, T, inherit"),
        ([EXAMPLE, "--compare", "control,lswc", "--order", "x"], "for one strategy"),
        ([EXAMPLE, "-a", "strategy=control", "--limit", "none"], "1 or more"),
        ([EXAMPLE, "-a", "strategy=control", "--gap", "-1"], "0 or more"),
        ([EXAMPLE, "-a", "strategy=control", "--delay", "x"], "--delay x"),
        ([EXAMPLE, "-a", "strategy=control", "--workers", "0"], "--workers 0"),
        ([EXAMPLE, "-a", "strategy=control", "--delay", "1", "--gap", "1"], "time model"),
        ([EXAMPLE, "-a", "strategy=control", "--order", "no/such/folder"], "folder that exists"),
        ([EXAMPLE, "-a", "strategy=control", "--plot", "curves.xyz"], "curves.xyz"),
        (["nowhere", "-a", "strategy=control", "--plot", "curves.xyz"], "name a .png, .svg or .pdf file"),
        ([EXAMPLE, "-a", "strategy=control", "--limmit=3"], "--limmit"),
        (["-a", "strategy=control"], "one web"),
        ([EXAMPLE, EXAMPLE, "-a", "strategy=control"], "one web"),
        (["nowhere", "-a", "strategy=control"], "nowhere does not exist"),
    ],
)
def test_wrong_argument_costs_one_line_and_exit_code_2(simulate, arguments, said):
    code, _, err = simulate(*arguments)
    assert code == 2
    assert err.count("\n") == 1
    assert said in err


def test_damaged_web_costs_one_line_and_exit_code_2(simulate, thai_web, tmp_path):
    for name in ("pages.parquet", "seeds.txt", "meta.json"):
        (tmp_path / name).write_bytes((thai_web / name).read_bytes())
    links = (thai_web / "links.parquet").read_bytes()
    (tmp_path / "links.parquet").write_bytes(links[: len(links) // 2])
    code, out, err = simulate(tmp_path, "-a", "strategy=control")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "links.parquet" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["strategy=lswc"],
        ["strategy=lswc", "S=1", "T=2"],
        ["strategy=soft_focused"],
        ["strategy=directory_filter", "recheck=true"],
        ["strategy=perfect"],
    ],
)
@pytest.mark.parametrize("gap", ["0", "2"])
def test_saved_simulation_goes_on_as_if_never_stopped(simulate, thai_web, arguments, gap):
    options = [text for argument in arguments for text in ("-a", argument)] + ["--gap", gap]
    _, whole, _ = simulate(
        thai_web, *options, "--order", "whole.txt", "--trace", "whole.csv", "--every", "50", "--json"
    )
    for limit in ("100", "250", "100000"):
        _, part, _ = simulate(
            thai_web, *options, "--order", "parts.txt", "--trace", "parts.csv", "--every", "50",
            "--state", "saved.npz", "--limit", limit, "--json",
        )  # fmt: skip
    assert Path("parts.txt").read_text() == Path("whole.txt").read_text()
    assert Path("parts.csv").read_text() == Path("whole.csv").read_text()
    for key in ("pages", "relevant", "harvest_rate", "coverage"):
        assert json.loads(part)[key] == json.loads(whole)[key]


def test_saved_simulation_of_something_else_is_refused(simulate, thai_web):
    simulate(thai_web, "-a", "strategy=lswc", "--limit", "5", "--state", "saved.npz")
    for other in ([thai_web, "-a", "strategy=lswc", "-a", "S=1"], [EXAMPLE, "-a", "strategy=lswc"]):
        code, _, err = simulate(*other, "--state", "saved.npz")
        assert code == 2
        assert "another simulation" in err


def test_file_that_is_no_saved_simulation_is_refused_in_own_words(simulate, thai_web):
    np.savez("of_others.npz", numbers=np.arange(3))
    np.savez("of_objects.npz", described=np.array([{}], dtype=object))
    np.savez("of_lists.npz", described=np.array("[1]"))
    np.save("one.npy", np.arange(3))
    Path("binary").write_bytes(bytes(range(256)))
    Path("empty").write_bytes(b"")
    with zipfile.ZipFile("texts.npz", "w") as file:
        file.writestr("described", "{}")
    names = ("of_others.npz", "of_objects.npz", "of_lists.npz", "one.npy", "binary", "empty", "texts.npz")
    for name in names:
        before = Path(name).read_bytes()
        code, _, err = simulate(thai_web, "-a", "strategy=lswc", "--state", name)
        said = f"{name} is no saved simulation, or a damaged one; name a file that --state has written, or a new one"
        assert (code, err) == (2, f"scrapy simulate: {said}\n")
        assert Path(name).read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_interrupt_ends_after_the_current_download_and_writes_what_there_is(simulate, thai_web, monkeypatch):
    from crawler_project.simulator import simulated_crawl
    from crawler_project.simulator.simulator import Simulator

    class Interrupted(Simulator):
        def run(self, limit=None):
            for page in super().run(limit):
                if self.downloads == 40:
                    os.kill(os.getpid(), signal.SIGINT)
                yield page

    monkeypatch.setattr("crawler_project.simulator.simulator.Simulator", Interrupted)
    assert simulated_crawl.Simulator is Simulator
    before = signal.getsignal(signal.SIGINT)
    code, out, err = simulate(
        thai_web, "-a", "strategy=control", "--order", "order.txt", "--trace", "t.csv", "--state", "saved.npz", "--json"
    )
    assert code == 130
    assert json.loads(out)["pages"] == 40
    assert len(Path("order.txt").read_text().splitlines()) == 40
    assert "interrupted after 40" in err
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_simulation_goes_on_right_when_it_ended_before_its_state_was_saved(simulate, thai_web, monkeypatch, end):
    options = [thai_web, "-a", "strategy=adaptive", "--every", "50"]
    simulate(*options, "--limit", "300", "--order", "whole.txt", "--trace", "whole.csv")
    files = ["--order", "parts.txt", "--trace", "parts.csv", "--state", "saved.npz"]
    simulate(*options, *files, "--limit", "100")

    def end_in_the_middle(file, **arrays):
        file.write(b"begun")
        raise end

    with monkeypatch.context() as patch:
        patch.setattr("numpy.savez", end_in_the_middle)
        try:
            code = simulate(*options, *files, "--limit", "225")[0]
        except SystemExit:
            code = 130
    assert code == 130
    assert len(Path("parts.txt").read_text().splitlines()) == 225
    assert not Path("saved.npz.part").exists()
    with Path("parts.txt").open("a") as order, Path("parts.csv").open("a") as trace:  # a write that was cut off
        order.write("17")
        trace.write("250,1")
    simulate(*options, *files, "--limit", "300")
    assert Path("parts.txt").read_text() == Path("whole.txt").read_text()
    assert Path("parts.csv").read_text() == Path("whole.csv").read_text()


def test_trace_that_is_new_has_its_header_when_a_simulation_goes_on(simulate, thai_web):
    options = [thai_web, "-a", "strategy=control", "--every", "50", "--state", "saved.npz"]
    simulate(*options, "--limit", "100")
    simulate(*options, "--limit", "200", "--order", "order.txt", "--trace", "trace.csv")
    rows = list(csv.DictReader(Path("trace.csv").read_text().splitlines()))
    assert [row["pages"] for row in rows] == ["150", "200"]
    assert len(Path("order.txt").read_text().splitlines()) == 100


def test_progress_is_silent_where_nobody_watches(simulate):
    assert simulate(EXAMPLE, "-a", "strategy=control")[2] == ""
