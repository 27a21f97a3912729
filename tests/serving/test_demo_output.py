"""The demos empty the folder they write to: only one of theirs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "demo"


@pytest.fixture(params=["run_demo.py", "run_workers.py"])
def demo(request, tmp_path):
    """Run a demo from another folder; no argument of these tests gets as far as a crawl."""

    def run(*arguments):
        command = [sys.executable, str(DEMO / request.param), *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    return run


def test_demo_leaves_a_folder_alone_that_no_demo_wrote(demo, tmp_path):
    (tmp_path / "mine" / "deep").mkdir(parents=True)
    (tmp_path / "mine" / "deep" / "thesis.txt").write_text("a year of work")
    for output in ("mine", tmp_path / "mine"):
        run = demo("--output", output)
        assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
        assert "holds what no demo wrote; name another folder" in run.stderr
    assert (tmp_path / "mine" / "deep" / "thesis.txt").read_text() == "a year of work"


def test_demo_says_in_one_line_that_a_file_is_no_folder(demo, tmp_path):
    (tmp_path / "file").write_text("mine")
    run = demo("--output", "file")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("arguments", [["--pages", "0"], ["--pages", "-3"], ["--pages", "many"], ["--target", "xx"]])
def test_demo_checks_its_arguments_before_it_touches_a_folder(demo, tmp_path, arguments):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / ".demo").write_text("")
    (tmp_path / "made" / "report.html").write_text("of an earlier demo")
    run = demo("--output", "made", *arguments)
    assert run.returncode == 2
    assert "error: " in run.stderr
    assert "Traceback" not in run.stderr
    assert (tmp_path / "made" / "report.html").exists()


def test_demo_empties_what_a_demo_wrote_its_own_folder_and_none_else(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DEMO))
    from run_demo import empty_folder

    default = tmp_path / "demo-output"
    for name in ("new", "empty", "earlier", "demo-output"):
        folder = tmp_path / name
        if name != "new":
            folder.mkdir()
        if name == "earlier":
            assert empty_folder(folder, default) == ""
        if name in ("earlier", "demo-output"):
            (folder / "control").mkdir()
        assert empty_folder(folder, default) == ""
        assert [path.name for path in folder.iterdir()] == [".demo"]
