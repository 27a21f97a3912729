"""Broken pages: a small part of what ``benchmarks/page_mutations.py`` does at length."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from crawler_project.core.urls import canonical_url

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "page_mutations.py"


def load_mutations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("page_mutations", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_broken_pages_give_pages_in_less_than_a_second(within: Callable[..., Any]) -> None:
    for broken in load_mutations().broken_pages(500, seed=20):
        page = within(1, broken.parse)
        assert len(page.text) <= 10_000
        page.text.encode()
        assert page.size == len(broken.body)
        assert all(canonical_url(link.url) == (link.url, link.url.split("/", 3)[2]) for link in page.links), (
            broken.history
        )


def test_broken_pages_are_the_same_for_the_same_seed() -> None:
    mutations = load_mutations()
    assert list(mutations.broken_pages(5, seed=1)) == list(mutations.broken_pages(5, seed=1))
