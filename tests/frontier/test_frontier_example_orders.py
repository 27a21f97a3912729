"""The worked example of the crawl semantics, driven through a frontier: exact orders (R1 to R17)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from crawler_project.core.urls import directory_of
from crawler_project.core.values import NO_COUNTS, Counts, Entry, Outcome, Visit
from crawler_project.strategies import make_strategy
from crawler_project.strategies.base import Strategy, distance_of_links

EXAMPLE = json.loads((Path(__file__).parent.parent / "data" / "strategies-example.json").read_text())
ORDERS = {run["name"]: run["order"] for run in EXAMPLE["expected"]}
PAGES: list[dict[str, Any]] = EXAMPLE["pages"]
ID_OF = {page["url"]: page["page_id"] for page in PAGES}
RUNS = [
    ("chan_control", "control", {}),
    ("chan_experimental", "experimental", {}),
    ("soft", "soft_focused", {}),
    ("hard_noinherit", "hard_focused", {"inherit": "false"}),
    ("lswc_S1_T1", "lswc", {"S": "1", "T": "1"}),
    ("lswc_S2_T2", "lswc", {"S": "2", "T": "2"}),
    ("lswc_S3_T5", "lswc", {"S": "3", "T": "5"}),
    ("lswc_S3_T5_noinherit", "lswc", {"S": "3", "T": "5", "inherit": "false"}),
    ("server_conservative", "server_filter", {"new": "conservative", "m": "2", "theta": "0.5"}),
    ("directory_conservative", "directory_filter", {"new": "conservative", "m": "2", "theta": "0.5"}),
]


class ExampleLink(NamedTuple):
    url: str
    host: str
    same_host: bool
    tld_is_target: bool
    anchor_is_target: bool
    counts: Counts
    tld_evidence: str = ""
    anchor_evidence: str = ""


def is_target(page: dict[str, Any]) -> bool:
    return bool(page["lang"] == "th")


def visit_of(entry: Entry, page: dict[str, Any], strategy: Strategy) -> Visit:
    own = effective = page["lang"].replace("unknown", "und")
    if own == "und" and strategy.inherit:
        effective = entry.parent_language or "th"
    seed = entry.depth == 0
    return Visit(
        page["url"], page["host"], own, effective, own == "th", effective == "th", distance=entry.distance, is_seed=seed
    )


def links_of(frontier: Any, page: dict[str, Any], strategy: Strategy) -> list[ExampleLink]:
    def unit(url: str, host: str) -> str:
        return directory_of(url, host) if strategy.unit == "directory" else host

    def counts(link: dict[str, Any]) -> Counts:
        key = unit(link["url"], link["host"])
        pages, targets = frontier.counts([key])[0] if strategy.unit else NO_COUNTS
        if key != unit(page["url"], page["host"]):
            return Counts(pages, targets)
        return Counts(pages + 1, targets + is_target(page))

    links = [(PAGES[link["dst"]], link["anchor_lang"]) for link in EXAMPLE["links"] if link["src"] == page["page_id"]]
    return [
        ExampleLink(
            to["url"], to["host"], to["host"] == page["host"], to["tld"] == "th", anchor == "th", counts(to)
        )
        for to, anchor in links
    ]  # fmt: skip


def outcome_of(frontier: Any, entry: Entry, strategy: Strategy) -> Outcome:
    page = PAGES[ID_OF[entry.url]]
    visit, links = visit_of(entry, page, strategy), links_of(frontier, page, strategy)
    context = (distance_of_links(visit), entry.depth + 1, visit.effective_language, entry.url)
    entries = [
        Entry(link.url, link.host, priority, *context)
        for link, priority in zip(links, strategy.score_links(visit, links), strict=True)
        if priority is not None
    ]
    pages, targets = frontier.counts([page["host"]])[0]
    verdict = strategy.judge_host(Counts(pages + 1, targets + is_target(page)))
    directory = directory_of(page["url"], page["host"])
    return Outcome("page", True, is_target(page), directory, entries, {page["host"]: verdict})


@pytest.mark.parametrize(("name", "strategy", "parameters"), RUNS)
def test_frontier_has_the_exact_order_of_the_worked_example(new_frontier, name, strategy, parameters):
    strategy = make_strategy(strategy, **parameters)
    frontier = new_frontier(compare_distance=strategy.tracks_distance)
    frontier.add([Entry(url, PAGES[ID_OF[url]]["host"]) for url in EXAMPLE["seeds"]])
    order = []
    while leases := frontier.lease(1, now=len(order)):
        (lease,) = leases
        order.append(ID_OF[lease.entry.url])
        frontier.commit(lease, outcome_of(frontier, lease.entry, strategy), now=len(order))
    assert order == ORDERS[name]
    assert frontier.is_finished()
