"""The docs are compared with the code."""

from __future__ import annotations

import re
from pathlib import Path

from scrapy.settings import default_settings

from crawler_project import settings
from crawler_project.items import COLUMNS
from crawler_project.strategies import STRATEGIES

ROOT = Path(__file__).resolve().parent.parent
STAT = re.compile(r'"((?:focus|language|fetch|frontier|robots|seeds)/[a-z_]+_(?:count|bytes)|fetch/bytes)(?=["/])')


def documented(page: str) -> set[str]:
    """What stands in back quotes in the first column of the page's tables."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    cells = [line.split("|")[1] for line in lines if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_settings_page_has_every_setting_of_ours_and_no_other() -> None:
    ours = {name for name in vars(settings) if name.isupper() and not hasattr(default_settings, name)}
    of_scrapy = {name for name in documented("settings.md") if hasattr(default_settings, name)}
    assert documented("settings.md") - of_scrapy == ours


def test_settings_page_has_the_defaults_of_the_code() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").partition("## Of Scrapy")[0]
    for name, default in re.findall(r"^\| `([A-Z_]+)` \| `?([^`|]+?)`? \|", page, re.MULTILINE):
        value = getattr(settings, name)
        assert default == ("empty" if value == "" else str(value)), name


def test_stats_page_has_every_stat_and_no_other() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "crawler_project").rglob("*.py")
        if "reports" not in path.parts
    )
    in_docs = {key.partition("/{")[0] for key in documented("stats.md")}
    by_outcome = {f"fetch/{kind}_count" for kind in ("refused", "gone", "failed")}
    assert in_docs == set(STAT.findall(code)) | by_outcome


def test_output_page_has_every_column() -> None:
    assert set(COLUMNS) <= documented("output.md")


def test_strategies_page_has_every_strategy() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    assert [name for name in STRATEGIES if f"`{name}`" not in page] == []


def test_links_between_the_docs_lead_somewhere() -> None:
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
    ]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
