"""What a report says in words: the gain of the focus, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crawler_project.core.metrics import harvest_rate
from crawler_project.reports.aim import Aim
from crawler_project.reports.comparison import Comparand, Comparison, Gain
from crawler_project.reports.formats import count, percent, signed

_FEW_PAGES = 100
_APART_NOTE = (
    "Crawls by topic and crawls by language are not compared with each other: their target pages are not the same, "
    "and so neither are their harvest rates."
)


def summary_sentences(comparison: Comparison) -> list[str]:
    """Say what the crawls of one target came to: the gain over the control crawl, or plain results without one."""
    gains = comparison.gains()
    if gains:
        return [sentence for gain in gains for sentence in _gain_sentences(gain, comparison.aim)]
    return [_result_sentence(member, comparison.aim) for member in comparison.members]


def apart_sentences(comparisons: Sequence[Comparison]) -> list[str]:
    """Say why crawls stand in parts of their own though they may be of one language; empty where they all are of a kind."""
    return [_APART_NOTE] if len({bool(comparison.aim.topic) for comparison in comparisons}) > 1 else []


def _gain_sentences(gain: Gain, aim: Aim) -> Iterator[str]:
    focus_rate = percent(harvest_rate(gain.focus_targets, gain.pages))
    control_rate = percent(harvest_rate(gain.control_targets, gain.pages))
    yield (
        f"Of the first {count(gain.pages)} pages of each crawl, {count(gain.focus_targets)} of “{gain.focus.label}” "
        f"and {count(gain.control_targets)} of “{gain.control.label}” are {aim.said_of_pages}: {_verdict(gain)} "
        f"({focus_rate} against {control_rate})."
    )
    if gain.pages_to_match is not None and gain.extra_targets > 0:
        saved = percent(1 - gain.pages_to_match / gain.pages)
        yield (
            f"For the {count(gain.control_targets)} {aim.pages} that took the control crawl "
            f"{count(gain.pages)} downloads, it needed {count(gain.pages_to_match)} ({saved} fewer)."
        )
    if gain.focus.page_count != gain.control.page_count:
        ends = (
            f"{count(member.crawl.target_count)} in {count(member.page_count)} downloads for “{member.label}”"
            for member in (gain.focus, gain.control)
        )
        yield f"At their ends, the crawls had found {aim.pages} as follows: {', '.join(ends)}."


def _verdict(gain: Gain) -> str:
    if gain.extra_targets == 0:
        return "the focus made no difference"
    word = "gained" if gain.extra_targets > 0 else "lost"
    pages = abs(gain.extra_targets)
    return (
        f"the focus {word} {count(pages)} page{'s' * (pages != 1)}, {signed(gain.points, 1)} percentage points of "
        "harvest rate"
    )


def _result_sentence(member: Comparand, aim: Aim) -> str:
    targets, pages = member.targets_at(member.page_count), member.page_count
    return (
        f"“{member.label}”: {count(targets)} of {count(pages)} pages downloaded are {aim.said_of_pages}, "
        f"a harvest rate of {percent(harvest_rate(targets, pages))}."
    )


def reckoning_notes(comparison: Comparison) -> list[str]:
    """Say how the numbers were reckoned and what they cannot show, one sentence or two each."""
    notes = [_harvest_note(comparison.aim)]
    if len(comparison.members) > 1:
        notes.append(
            f"The crawls are compared after the same number of pages, {count(comparison.common_pages)}: the length of "
            "the shortest. What a longer crawl did afterwards shows only in the figures “at the end”. "
            "Crawls of the open web differ from run to run: one run of each does not rule out chance."
        )
    return [*notes, _coverage_note(comparison), *_caveats(comparison)]


def _harvest_note(aim: Aim) -> str:
    language = "its own language is a target" if aim.languages or not aim.topic else ""
    topic = f"it is on topic {aim.topic}" if aim.topic else ""
    return (
        "Harvest rate: target pages among the pages downloaded. A page is a target page when the crawl's own judge "
        f"says that {' and '.join(filter(None, [language, topic]))}; nobody checked the pages by hand."
    )


def _coverage_note(comparison: Comparison) -> str:
    known = count(comparison.target_pages_known)
    if comparison.labels is not None:
        return (
            f"Coverage: pages found, of the {known} pages that the collection “{comparison.labels.path.name}” labels "
            "with a target language, whether the seeds lead there or not."
        )
    if comparison.has_coverage:
        return (
            f"Relative coverage: distinct target pages found, of the {known} that the compared crawls found together. "
            "What none of them found is not known, so the true coverage is lower."
        )
    labelled = (
        "; the labels of a collection say nothing of a topic."
        if comparison.aim.topic
        else ", or name a labelled collection."
    )
    return f"Coverage is not shown: what a single crawl did not find is not known. Compare two crawls{labelled}"


def _caveats(comparison: Comparison) -> Iterator[str]:
    members = comparison.members
    for name in ("judge", "seeds"):
        values = {getattr(member.crawl.info, name) for member in members if member.crawl.info.is_recorded}
        if len(values) > 1:
            listed = ", ".join(f"{member.label}: {getattr(member.crawl.info, name)}" for member in members)
            yield f"The crawls differ in more than the strategy: {name} ({listed})."
    if len(members) > 1 and not comparison.gains():
        yield "There is not exactly one control crawl of this target, so no gain is reckoned."
    if comparison.common_pages < _FEW_PAGES:
        yield f"{count(comparison.common_pages)} pages are few: single pages move the harvest rate visibly."
    for member in members:
        yield from _member_caveats(comparison, member)


def _member_caveats(comparison: Comparison, member: Comparand) -> Iterator[str]:
    crawl = member.crawl
    if not crawl.info.is_recorded:
        yield f"“{member.label}” has no crawl.json: its strategy, settings and refusals are not known."
    elif not crawl.info.finished_at:
        yield f"“{member.label}” was still running, or was cut off, when this was written."
    if crawl.damaged_rows:
        rows = "row" if crawl.damaged_rows == 1 else "rows"
        yield f"“{member.label}”: {count(crawl.damaged_rows)} damaged {rows} of its CSV files left out."
    yield from (f"“{member.label}”: {remark}" for remark in crawl.remarks)
    agreed, labelled = comparison.judge_agreement(member)
    if labelled:
        yield (
            f"“{member.label}”: its judge and the collection's labels agree on target or not for "
            f"{percent(agreed / labelled)} of {count(labelled)} labelled pages."
        )
