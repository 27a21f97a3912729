"""The plots of a report with all that belongs to them: title, words for those who do not see them, numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from crawler_project.reports.chan_yamana_2010 import paper_crawl, paper_target_share
from crawler_project.reports.comparison import Comparand, Comparison
from crawler_project.reports.figures import Bar, Line, draw_curves, draw_distribution, line_styles
from crawler_project.reports.formats import count, percent
from crawler_project.reports.html_table import Column, HtmlTable, to_table
from crawler_project.reports.language_names import language_list, language_name
from crawler_project.reports.report_tables import coverage_name

_TOP_LANGUAGES = 8
_TABLE_MOMENTS = 10
START_PAGES = 1000
LEARNING = ("adaptive", "topic_learned")
_LONGEST_LABEL = 16
"""Characters beside the bars."""


class Figure(NamedTuple):
    """A plot, what it shows in words, and its numbers as a table."""

    title: str
    svg: Markup
    description: str
    numbers: HtmlTable
    note: str = ""


def distribution_figures(number: int, comparison: Comparison, languages: pd.DataFrame) -> Iterator[Figure]:
    """Draw the languages of each crawl (Figures 4 to 9 of Chan & Yamana 2010); ``number`` tells comparisons apart."""
    for index, member in enumerate(comparison.members, 1):
        frame = languages[languages["crawl"] == member.label]
        bars = _bars(frame)
        shares = "; ".join(f"{bar.label} {percent(bar.share, 2)}" for bar in bars)
        columns = {
            "name": Column(_verdicts(comparison).capitalize()),
            "language": Column("Code"),
            "pages": Column("Pages", "count"),
            "share": Column("Share", "percent2"),
        }
        yield Figure(
            title=_distribution_title(comparison, member),
            svg=Markup(draw_distribution(bars, member.strategy, f"s{number}d{index}")),  # noqa: S704 (matplotlib escapes)
            description=f"Bar chart of the {count(member.page_count)} pages of {member.label}. {shares}.",
            numbers=to_table(frame, f"All {_verdicts(comparison)}s of {member.label}", columns),
            note=_paper_note(comparison, member),
        )


def _bars(frame: pd.DataFrame) -> list[Bar]:
    """Take the most frequent languages, every target among them, and one bar for the rest."""
    chosen = frame["is_target"] | (frame.index < frame.index[0] + _TOP_LANGUAGES)
    top, rest = frame[chosen], frame[~chosen]
    bars = [
        Bar(str(row.name)[:_LONGEST_LABEL], int(row.pages), float(row.share), bool(row.is_target))
        for row in top[["name", "pages", "share", "is_target"]].itertuples(index=False, name="Row")
    ]
    if len(rest):
        bars.append(Bar(f"{len(rest)} more", int(rest["pages"].sum()), float(rest["share"].sum()), is_target=False))
    return bars


def _distribution_title(comparison: Comparison, member: Comparand) -> str:
    """Title a plot as the paper's Figures 4 to 9 are, with their numbers where the crawl is one of theirs."""
    words = {"control": "baseline results (control group)", "experimental": "experimental results"}
    paper = paper_crawl(comparison.aim.languages_alone, member.strategy)
    what = words.get(member.strategy, f"{member.strategy or 'crawl'} results")
    prefix = f"Figure {paper.figure}. " if paper else ""
    suffix = f" · {member.label}" if "(" in member.label else ""
    if comparison.aim.topic:
        return f"{_verdicts(comparison).capitalize()} distribution of {what}, {comparison.aim.name}{suffix}"
    return f"{prefix}Language distribution of {language_list(comparison.target)} {what}{suffix}"


def _verdicts(comparison: Comparison) -> str:
    """What the column ``language`` of the crawls' files holds."""
    return "topic" if comparison.aim.is_topic_alone else "language"


def _paper_note(comparison: Comparison, member: Comparand) -> str:
    share, paper = (
        paper_target_share(comparison.aim.languages_alone, member.strategy),
        paper_crawl(comparison.aim.languages_alone, member.strategy),
    )
    if share is None or paper is None:
        return ""
    here = percent(member.harvest_at(member.page_count), 2)
    language = language_name(comparison.target[0])
    return f"{language}: {here} here; {percent(share, 2)} of {count(paper.total)} pages in the paper's Figure {paper.figure}."


def curve_figures(number: int, comparison: Comparison, harvest: pd.DataFrame) -> Iterator[Figure]:
    """Draw harvest rate and, where it says something, coverage over the pages downloaded."""
    yield _curve_figure(f"s{number}h", comparison, harvest, "harvest_rate", "harvest rate")
    yield from start_figure(number, comparison)
    if comparison.has_coverage:
        yield _curve_figure(f"s{number}c", comparison, harvest, "coverage", coverage_name(comparison))


def start_figure(number: int, comparison: Comparison) -> Iterator[Figure]:
    """Draw the harvest rate of the first pages, where a crawl that learns goes on for much longer."""
    members = comparison.members
    longest = max(member.page_count for member in members)
    if longest <= 2 * START_PAGES or all(member.strategy not in LEARNING for member in members):
        return
    frames = []
    for member in members:
        start = member.harvest_curve(10)
        is_early = start.pages <= START_PAGES
        rates = start.harvest_rates()[is_early]
        frames.append(pd.DataFrame({"crawl": member.label, "pages": start.pages[is_early], "harvest_rate": rates}))
    figure = _curve_figure(f"s{number}b", comparison, pd.concat(frames), "harvest_rate", "harvest rate", whole=False)
    note = f"The first {count(START_PAGES)} pages, in which a crawl that learns knows least."
    yield figure._replace(title=f"Harvest rate of the first {count(START_PAGES)} pages", note=note)


def _curve_figure(
    name: str, comparison: Comparison, harvest: pd.DataFrame, column: str, words: str, *, whole: bool = True
) -> Figure:
    labels = [member.label for member in comparison.members]
    strategies = [member.strategy for member in comparison.members]
    traces = [harvest[harvest["crawl"] == label] for label in labels]
    lines = [
        Line(label, strategy, style, trace["pages"].to_numpy(), trace[column].to_numpy())
        for label, strategy, style, trace in zip(labels, strategies, line_styles(strategies), traces, strict=True)
    ]
    cut = comparison.common_pages if whole and len(labels) > 1 else None
    ends = "; ".join(f"{line.label} {percent(line.shares[-1])} after {count(line.pages[-1])} pages" for line in lines)
    return Figure(
        title=f"{words.capitalize()} along the crawl",
        svg=Markup(draw_curves(lines, words, name, cut)),  # noqa: S704 (matplotlib escapes)
        description=f"Line chart of the {words} by the number of pages downloaded. {ends}.",
        numbers=_moments_table(lines, words),
        note=f"The vertical line is at {count(cut)} pages, where the shortest crawl ends." if cut else "",
    )


def _moments_table(lines: Sequence[Line], words: str) -> HtmlTable:
    """Thin the curves to about ten moments, for those who cannot see the plot."""
    last = max(int(line.pages[-1]) for line in lines)
    moments = sorted({max(1, round(last * step / _TABLE_MOMENTS)) for step in range(1, _TABLE_MOMENTS + 1)})
    data: dict[str, object] = {"pages": moments}
    for index, line in enumerate(lines):
        data[f"line{index}"] = [_share_at(line, moment) for moment in moments]
    columns = {"pages": Column("Pages", "count")}
    columns |= {f"line{index}": Column(line.label, "percent") for index, line in enumerate(lines)}
    return to_table(pd.DataFrame(data), f"{words.capitalize()} by pages downloaded", columns)


def _share_at(line: Line, pages: int) -> float:
    """Read a curve at the last drawn moment up to ``pages``; not a number beyond its end."""
    if pages > line.pages[-1]:
        return float("nan")
    return float(line.shares[max(int(line.pages.searchsorted(pages, side="right")) - 1, 0)])
