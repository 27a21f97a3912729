"""The tables of a report as they are shown: which columns, under which headings, how many rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from crawler_project.reports import tables
from crawler_project.reports.comparison import Comparison
from crawler_project.reports.html_table import Column, HtmlTable, to_table
from crawler_project.reports.language_names import language_name

_TOP_HOSTS = 20
_TOP_LANGUAGES = 6


def coverage_name(comparison: Comparison) -> str:
    """Name what the coverage numbers of a comparison are."""
    return "coverage" if comparison.labels is not None else "relative coverage"


def standings_tables(comparison: Comparison) -> list[HtmlTable]:
    """Put crawls side by side: at the same number of pages, and at the end."""
    frame = tables.standings(comparison)
    columns = {
        "crawl": Column("Crawl", "crawl"),
        "pages": Column("Pages", "count"),
        "target_pages": Column("On target", "count"),
        "harvest_rate": Column("Harvest rate", "bar"),
    }
    if comparison.has_coverage:
        columns["coverage"] = Column(coverage_name(comparison).capitalize(), "percent")
    captions = {"same": "At the same number of pages", "end": "At the end of each crawl"}
    if len(comparison.members) == 1:
        captions = {"end": "The crawl so far" if not comparison.members[0].crawl.info.finished_at else "The crawl"}
    return [to_table(frame[frame["moment"] == moment], caption, columns) for moment, caption in captions.items()]


def language_table(frame: pd.DataFrame) -> HtmlTable:
    """Show Table 4 of Chan & Yamana 2010, the paper's own shares beside it where there are any."""
    counts = [
        name
        for name in frame.columns
        if name not in {"crawl", "target", "strategy", "target_share", "paper_target_share"}
    ]
    columns = {"crawl": Column("Crawl", "crawl")}
    columns |= {name: Column(name, "count") for name in counts}
    columns["target_share"] = Column("On target", "percent2")
    if frame["paper_target_share"].notna().any():
        columns["paper_target_share"] = Column("In the paper", "percent2")
    return to_table(frame, "Table 4. The crawled web pages for each language", columns)


def host_tables(frame: pd.DataFrame, names: Iterable[str]) -> Iterator[tuple[str, HtmlTable, HtmlTable]]:
    """Give each crawl's name, its best hosts and its most wasteful hosts, at most 20 of each."""
    best_columns = {
        "host": Column("Host", "long"),
        "pages": Column("Pages", "count"),
        "target_pages": Column("On target", "count"),
        "target_share": Column("Yield", "bar"),
    }
    waste_columns = {
        "host": Column("Host", "long"),
        "wasted_pages": Column("Wasted pages", "count"),
        "wasted_bytes": Column("Wasted bytes", "size"),
        "target_share": Column("Yield", "bar"),
    }
    for name in names:
        mine = frame[frame["crawl"] == name]
        wasters = mine[mine["wasted_pages"] > 0].sort_values(["wasted_pages", "wasted_bytes"], ascending=False)
        yield (
            name,
            to_table(mine[mine["target_pages"] > 0].head(_TOP_HOSTS), f"Best hosts of {name}", best_columns),
            to_table(wasters.head(_TOP_HOSTS), f"Most wasteful hosts of {name}", waste_columns),
        )


def why_table(frame: pd.DataFrame, name: str) -> HtmlTable:
    """Show which rules the pages of a crawl came by."""
    columns = {
        "rule": Column("Rule", "long"),
        "pages": Column("Pages", "count"),
        "target_pages": Column("On target", "count"),
        "target_share": Column("Target share", "bar"),
        "links_kept": Column("Links kept", "count"),
    }
    mine = frame[frame["crawl"] == name]
    if mine["links_kept"].isna().all():
        del columns["links_kept"]
    return to_table(mine, f"Pages of {name} by the rule that kept the link to them", columns)


def waste_table(frame: pd.DataFrame, name: str) -> HtmlTable:
    """Show what a crawl spent off target: in all, in the most frequent languages, and what gave no page."""
    mine = frame[frame["crawl"] == name]
    off_target, others = mine[mine["kind"] == "off target"], mine[mine["kind"] != "off target"]
    named = [f"off target: {language_name(code)}" for code in off_target["reason"]]
    off_target = off_target.assign(what=named)
    parts = [
        _total(off_target, "off target, all languages"),
        off_target.head(_TOP_LANGUAGES),
        _total(off_target[_TOP_LANGUAGES:], "off target: other languages"),
        others.assign(what=others["kind"] + ": " + others["reason"]),
    ]
    columns = {
        "what": Column("What", "long"),
        "count": Column("Count", "count"),
        "share": Column("Of pages", "percent"),
        "bytes": Column("Bytes", "size"),
    }
    filled = [part[list(columns)].astype(object) for part in parts if len(part)]
    rows = pd.concat(filled) if filled else pd.DataFrame(columns=list(columns))
    return to_table(rows, f"What {name} spent beside its target", columns)


def _total(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """Add up rows to one; no row when there are none."""
    sums = {column: rows[column].sum() for column in ("count", "share", "bytes")}
    return pd.DataFrame([{"what": what, **sums}] if len(rows) else [])
