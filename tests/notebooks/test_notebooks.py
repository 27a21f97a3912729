"""The notebooks run, on small input, and what is committed is clean."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NAMES = (
    "01-chan-control-and-experimental.ipynb",
    "02-somboonviwat-lswc.ipynb",
    "03-li-site-verification.ipynb",
    "04-cbp-slc.ipynb",
    "05-seeds.ipynb",
    "06-adaptive.ipynb",
)
SMALL = {"04-cbp-slc.ipynb": "topics: 1 at most"}
"""What a notebook says first about its small input, where that is not generated pages."""
LARGEST = 1_000_000
MACHINE_PATHS = re.compile(r"/(?:home|root|tmp|work|mnt|opt|Users|var|usr)/|[A-Z]:\\\\Users")


def read(name: str) -> NotebookNode:
    return nbformat.read(FOLDER / name, as_version=4)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def is_picture(output: NotebookNode) -> bool:
    return "image/png" in output.get("data", {})


def text_of(output: NotebookNode) -> str:
    """All that can be read in an output, pictures left out."""
    parts = [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return "".join([*parts, output.get("text", ""), *output.get("traceback", [])])


@pytest.mark.filterwarnings("default")  # what the client and its event loop warn of is not ours
@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_on_small_input(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEBOOK_PAGES", "3000")
    monkeypatch.setenv("NOTEBOOK_CRAWL_PAGES", "20")
    monkeypatch.setenv("NOTEBOOK_TOPICS", "1")
    monkeypatch.delenv("CRAWLER_DATA", raising=False)
    notebook = read(name)
    committed = sum(map(is_picture, outputs(notebook)))
    for cell in code_cells(notebook):
        cell.outputs = []
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}})

    client.execute()  # raises when a cell does

    assert SMALL.get(name, "3,000 pages") in text_of(outputs(notebook)[0])
    assert sum(map(is_picture, outputs(notebook))) == committed > 0


@pytest.mark.parametrize("name", NAMES)
def test_committed_notebook_has_the_outputs_of_one_whole_run(name: str) -> None:
    notebook = read(name)

    assert [cell.execution_count for cell in code_cells(notebook)] == list(range(1, len(code_cells(notebook)) + 1))
    assert [
        output for output in outputs(notebook) if output.output_type == "error" or output.get("name") == "stderr"
    ] == []
    # Tables and pictures come from the cells; only definitions have no output.
    assert sum(bool(cell.outputs) for cell in code_cells(notebook)) > len(code_cells(notebook)) / 2
    assert (FOLDER / name).stat().st_size < LARGEST


@pytest.mark.parametrize("name", NAMES)
def test_committed_notebook_names_no_path_of_a_machine(name: str) -> None:
    notebook = read(name)

    texts = [*(cell.source for cell in notebook.cells), *map(text_of, outputs(notebook))]

    assert [match.group() for text in texts if (match := MACHINE_PATHS.search(text))] == []


def test_folder_has_no_other_notebook() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.ipynb")) == sorted(NAMES)
