"""A wrong argument costs one line and an exit code, and no fetch."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-a", "target=kr"], "did you mean 'ko'"),
        (["-a", "target=korean"], "did you mean 'ko'"),
        (["-a", "target=qq"], "ISO 639"),
        ([], "-a target=ko"),
        (["-a", "target=ko", "-a", "strategy=bfss"], "experimental"),
        (["-a", "target=ko", "-a", "strategy=no.such.Class"], "cannot be imported"),
        (["-a", "target=ko", "-a", "strategy=perfect"], "simulate"),
        (["-a", "target=ko", "-a", "strategy=control", "-a", "theta=1"], "theta"),
        (["-a", "target=ko", "-a", "strategy=lswc", "-a", "S=x"], "S="),
        (["-a", "target=ko", "-a", "seeds=missing.txt"], "missing.txt"),
        (["-a", "target=ko", "-a", "seeds=empty.txt"], "empty.txt"),
        (["-a", "target=ko", "-a", "pages=-1"], "pages="),
        (["-a", "target=ko", "-a", "pages=many"], "pages="),
        (["-a", "target=ko", "-a", "judge=oracle"], "combined"),
        (["-a", "target=ko", "-a", "output=/proc/none"], "output="),
        (["-a", "target=ko", "-s", "FRONTIER_DELAY=soon"], "FRONTIER_DELAY"),
        (["-a", "target=ko", "-s", "VIRTUAL_WEB=8.8.8.8:80"], "VIRTUAL_WEB"),
    ],
)
def test_wrong_argument_is_answered_with_what_to_change(
    scrapy: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    done = scrapy("crawl", "lang_focused", *arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not list(tmp_path.rglob("*.csv"))


@pytest.mark.parametrize("more", [[], ["-s", "JOBDIR=new-job"]])
def test_output_of_another_crawl_is_not_overwritten(scrapy: Run, tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "crawled-ko.csv").write_text("url\n")
    done = scrapy("crawl", "lang_focused", "-a", "target=ko", "-a", "output=out", *more, cwd=tmp_path)
    assert done.returncode == 2
    assert "holds a crawl already" in done.stderr
    assert (tmp_path / "out" / "crawled-ko.csv").read_text() == "url\n"


def test_unknown_spider_is_answered_with_those_that_there_are(scrapy: Run) -> None:
    done = scrapy("crawl", "lang_focussed")
    assert done.returncode == 2
    assert (
        done.stderr.strip()
        == "scrapy crawl: there is no spider 'lang_focussed'; choose one of lang_focused, site_verifier, topic_focused"
    )
