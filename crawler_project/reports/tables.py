"""The tables of a report as data frames: numbers only, in the columns that the CSV files have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from crawler_project.reports.chan_yamana_2010 import LANGUAGES, paper_target_share
from crawler_project.reports.comparison import Comparand, Comparison
from crawler_project.reports.language_names import language_name

CURVE_POINTS = 400
"""Moments of a curve: more than the pixels of a plot on a telephone."""

_WASTE_STATS = {
    "refused": "fetch/refused_count",
    "gone": "fetch/gone_count",
    "failed": "fetch/failed_count",
    "trap": "focus/trap_count",
}


def members_of(comparisons: Sequence[Comparison]) -> Iterator[tuple[Comparison, Comparand]]:
    """Go through all crawls of all comparisons."""
    for comparison in comparisons:
        for member in comparison.members:
            yield comparison, member


def _concat(frames: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    filled = [frame for frame in frames if len(frame)]
    return pd.concat(filled, ignore_index=True)[list(columns)] if filled else pd.DataFrame(columns=list(columns))


def table_4(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Count pages by language as Table 4 of Chan & Yamana does, one row for each crawl.

    Columns: ``crawl, target, strategy, Chinese, Japanese, Korean``, one more for each other target
    language, ``Other, Total, target_share`` (0 to 1) and ``paper_target_share``: that of the paper's
    crawl of the same target and strategy, missing when there is none. Crawls by topic alone have no row.
    """
    comparisons = [comparison for comparison in comparisons if not comparison.aim.is_topic_alone]
    extra = sorted({code for comparison in comparisons for code in comparison.target} - set(LANGUAGES))
    codes = [*LANGUAGES, *extra]
    rows = []
    for comparison, member in members_of(comparisons):
        counts = _language_counts(member)
        named = {language_name(code): int(counts.get(code, 0)) for code in codes}
        total = member.page_count
        rows.append(
            {"crawl": member.label, "target": ",".join(comparison.target), "strategy": member.strategy}
            | named
            | {
                "Other": total - sum(named.values()),
                "Total": total,
                "target_share": member.harvest_at(total),
                "paper_target_share": paper_target_share(comparison.aim.languages_alone, member.strategy),
            }
        )
    return pd.DataFrame(rows)


def _language_counts(member: Comparand) -> pd.Series[int]:
    """Pages by language, variants (``zh-hant``) with their language."""
    counts = member.crawl.pages["language"].value_counts()
    return counts.groupby([str(code).partition("-")[0] for code in counts.index]).sum()


def languages(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """List every language of every crawl: ``crawl, language, name, pages, share, is_target``, largest first."""
    frames = []
    for comparison, member in members_of(comparisons):
        pages = _language_counts(member).sort_values(ascending=False, kind="stable")
        pages = pages[pages > 0]
        frames.append(
            pd.DataFrame(
                {
                    "crawl": member.label,
                    "language": list(pages.index),
                    "name": [language_name(code) for code in pages.index],
                    "pages": pages.to_numpy(),
                    "share": pages.to_numpy() / member.page_count,
                    "is_target": [code in comparison.target for code in pages.index],
                }
            )
        )
    return _concat(frames, ["crawl", "language", "name", "pages", "share", "is_target"])


def harvest(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Trace harvest rate and coverage along every crawl.

    Columns: ``crawl, pages, target_pages, harvest_rate, found, coverage``: ``found`` counts distinct
    pages of what there was to find, ``coverage`` is their share (see :class:`Comparison`; missing
    when it would say nothing). About :data:`CURVE_POINTS` rows a crawl.
    """
    frames = []
    for comparison, member in members_of(comparisons):
        every = max(1, math.ceil(member.page_count / CURVE_POINTS))
        rates, finds = member.harvest_curve(every), comparison.found_curve(member, every)
        shares = finds.coverages(comparison.target_pages_known) if comparison.has_coverage else math.nan
        columns = [rates.pages, rates.relevant, rates.harvest_rates(), finds.relevant, shares]
        names = ["pages", "target_pages", "harvest_rate", "found", "coverage"]
        frames.append(pd.DataFrame({"crawl": member.label} | dict(zip(names, columns, strict=True))))
    return _concat(frames, ["crawl", "pages", "target_pages", "harvest_rate", "found", "coverage"])


def standings(comparison: Comparison) -> pd.DataFrame:
    """Put the crawls of one target side by side at the same number of pages and at the end.

    One row for each crawl and moment: ``crawl, moment`` (``same`` or ``end``), ``pages, target_pages,
    harvest_rate, coverage``.
    """
    rows = []
    for member in comparison.members:
        for moment, pages in (("same", comparison.common_pages), ("end", member.page_count)):
            share = comparison.coverage_at(member, pages) if comparison.has_coverage else math.nan
            rows.append(
                (member.label, moment, pages, member.targets_at(pages), member.harvest_at(pages), share),
            )
    return pd.DataFrame(rows, columns=["crawl", "moment", "pages", "target_pages", "harvest_rate", "coverage"])


def hosts(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Count by host, best yield first.

    Columns: ``crawl, host, pages, target_pages, target_share, wasted_pages, bytes, wasted_bytes``;
    wasted is what was downloaded off target.
    """
    names = ["crawl", "host", "pages", "target_pages", "target_share", "wasted_pages", "bytes", "wasted_bytes"]
    frames = []
    for _, member in members_of(comparisons):
        counts = _count_by(member, "host")
        counts = counts.sort_values(["target_pages", "wasted_pages", "host"], ascending=[False, True, True])
        frames.append(counts.assign(crawl=member.label))
    return _concat(frames, names)


def why(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Count by the rule that kept the link to a page, most pages first.

    Columns: ``crawl, rule, pages, target_pages, target_share, links_kept``; the last is the number of
    links that the rule put into the queue, whether they were downloaded or not, missing when unknown.
    """
    names = ["crawl", "rule", "pages", "target_pages", "target_share", "links_kept"]
    frames = []
    for _, member in members_of(comparisons):
        kept = member.crawl.info.stats_under("focus/kept_count")
        counts = _count_by(member, "rule").sort_values(["pages", "rule"], ascending=[False, True])
        counts["links_kept"] = pd.array([kept.get(str(rule)) for rule in counts["rule"]], dtype="Int64")
        frames.append(counts.assign(crawl=member.label))
    return _concat(frames, names)


def _count_by(member: Comparand, column: str) -> pd.DataFrame:
    frame = member.crawl.pages[[column, "bytes", "is_target"]]
    frame = frame.assign(target_bytes=frame["bytes"].where(frame["is_target"], 0))
    grouped = frame.groupby(column, observed=True).agg(
        pages=("bytes", "size"),
        target_pages=("is_target", "sum"),
        bytes=("bytes", "sum"),
        target_bytes=("target_bytes", "sum"),
    )
    grouped["target_share"] = grouped["target_pages"] / grouped["pages"]
    grouped["wasted_pages"] = grouped["pages"] - grouped["target_pages"]
    grouped["wasted_bytes"] = grouped["bytes"] - grouped["target_bytes"]
    return grouped.reset_index().astype({column: object})


def waste(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """List what was spent on other things than target pages.

    Columns: ``crawl, kind, reason, count, share, bytes``. Kinds: ``off target`` (downloaded pages, by
    language), ``gone``, ``failed``, ``refused`` and ``trap`` (addresses, by reason; the last two cost no
    download) and ``discarded`` links. ``share`` is of the pages downloaded, for ``off target`` only;
    ``bytes`` is missing where it is not known.
    """
    frames = [
        pd.concat([_off_target(member), _from_stats(member)]).assign(crawl=member.label)
        for _, member in members_of(comparisons)
    ]
    return _concat(frames, ["crawl", "kind", "reason", "count", "share", "bytes"])


def _off_target(member: Comparand) -> pd.DataFrame:
    pages = member.crawl.pages
    missed = pages[~pages["is_target"]].groupby("language", observed=True)["bytes"].agg(["size", "sum"])
    missed = missed.sort_values("size", ascending=False, kind="stable")
    return pd.DataFrame(
        {
            "kind": "off target",
            "reason": list(missed.index),
            "count": missed["size"].to_numpy(),
            "share": missed["size"].to_numpy() / member.page_count,
            "bytes": pd.array(missed["sum"].to_numpy(), dtype="Int64"),
        }
    )


def _from_stats(member: Comparand) -> pd.DataFrame:
    info = member.crawl.info
    rows = [
        (kind, reason, int(count), math.nan)
        for kind, prefix in _WASTE_STATS.items()
        for reason, count in info.stats_under(prefix).items()
    ]
    if "focus/discarded_count" in info.stats:
        rows.append(("discarded", "link", int(info.stat("focus/discarded_count")), math.nan))
    frame = pd.DataFrame(rows, columns=["kind", "reason", "count", "share"])
    return frame.assign(bytes=pd.array([None] * len(frame), dtype="Int64"))
