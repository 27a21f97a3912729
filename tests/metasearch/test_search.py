"""All keyword sets to all providers: pauses, patience, and one that fails beside others that go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from crawler_project.metasearch.found_sites import Finding, findings_of, merged_sites
from crawler_project.metasearch.provider import Answer, Hit, ProviderError, Reply, SearchRequest
from crawler_project.metasearch.search import ProviderReport, run_search
from crawler_project.metasearch.search_measures import Decision, measures_of
from crawler_project.verification.site import site_of

Behaviour = Callable[[str, int], Answer]


class Scripted:
    """A provider whose answers a test writes; the request is the query and the page."""

    place = ""
    is_named = False
    is_ranked = True

    def __init__(self, name: str, behaviour: Behaviour) -> None:
        self.name = name
        self._behaviour = behaviour
        self.asked: list[tuple[str, int]] = []

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return queries

    def ask(self, query: str, page: int) -> SearchRequest:
        return SearchRequest(f"{query}|{page}")

    def read(self, reply: Reply) -> Answer:
        query, _, page = reply.body.decode().partition("|")
        self.asked.append((query, int(page)))
        return self._behaviour(query, int(page))


def run(
    providers: Sequence[Scripted], queries: Sequence[str], pages: int = 3
) -> tuple[list[ProviderReport], list[float]]:
    slept: list[float] = []

    async def fetch(request: SearchRequest, is_named: bool) -> Reply:
        return Reply(200, {}, request.url.encode())

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    return asyncio.run(run_search(providers, queries, fetch, pages=pages, delay=1.5, sleep=sleep)), slept


def always(*urls: str, has_more: bool = False) -> Behaviour:
    return lambda query, page: Answer([Hit(url) for url in urls], has_more)


def failing(error: ProviderError) -> Behaviour:
    def fail(query: str, page: int) -> Answer:
        raise error

    return fail


def test_pages_of_results_are_asked_for_until_there_is_nothing_new() -> None:
    paged = Scripted("paged", lambda query, page: Answer([Hit(f"http://{page}.test/")], has_more=page < 1))
    same = Scripted("same", always("http://a.test/", has_more=True))
    endless = Scripted("endless", lambda query, page: Answer([Hit(f"http://{page}.test/")], has_more=True))
    run([paged, same, endless], ["q"])
    assert [len(one.asked) for one in (paged, same, endless)] == [2, 2, 3]


def test_provider_is_left_alone_for_a_while_between_questions() -> None:
    _, slept = run([Scripted("one", always("http://a.test/"))], ["a", "b", "c"])
    assert slept == [1.5, 1.5]


def test_one_that_fails_does_not_stop_the_others() -> None:
    good = Scripted("good", always("http://a.test/"))
    key = Scripted("key", failing(ProviderError("key", "the key is refused", is_final=True)))
    slow = Scripted("slow", failing(ProviderError("time-out", "no answer within 20 s")))
    reports, _ = run([key, good, slow], ["a", "b", "c"])
    assert [report.complaint for report in reports] == [
        "key: the key is refused; 0 of 3 keyword sets answered",
        "",
        "time-out: no answer within 20 s; 0 of 3 keyword sets answered",
    ]
    assert [one.outcome for one in reports[0].results] == ["key", "not asked", "not asked"]
    assert [one.outcome for one in reports[2].results] == ["time-out", "time-out", "not asked"]
    assert (len(key.asked), len(good.asked), len(slow.asked)) == (1, 3, 4)


def test_provider_that_asks_for_patience_is_asked_again_after_it() -> None:
    script = iter([ProviderError("rate limit", "wait", wait=7), ProviderError("rate limit", "wait"), None])

    def behave(query: str, page: int) -> Answer:
        error = next(script)
        if error:
            raise error
        return Answer([Hit("http://a.test/")])

    reports, slept = run([Scripted("busy", behave)], ["a"])
    assert (reports[0].complaint, reports[0].results[0].outcome) == ("", "ok")
    assert slept == [7, 6]


def test_hits_before_a_failure_are_kept() -> None:
    def behave(query: str, page: int) -> Answer:
        if query == "b" or page == 1:
            raise ProviderError("nonsense", "no JSON")
        return Answer([Hit(f"http://{query}.test/")], has_more=True, notes=("engine: timeout",))

    reports, _ = run([Scripted("odd", behave)], ["a", "b", "c"])
    assert [len(one.hits) for one in reports[0].results] == [1, 0, 0]
    assert reports[0].notes == {"engine: timeout": 1}


def report_of(provider: Scripted, hits: dict[str, list[str]]) -> ProviderReport:
    scripted = Scripted(provider.name, lambda query, page: Answer([Hit(url) for url in hits[query]]))
    return run([scripted], list(hits))[0][0]


def test_sites_are_merged_with_who_found_them_and_ranked_together() -> None:
    first = report_of(
        Scripted("one", always()), {"q": ["http://www.a.test/x", "http://b.test/", "no address", "http://a.test/y"]}
    )
    second = report_of(
        Scripted("two", always()), {"q": ["http://b.test/2", "http://c.test/"], "r": ["http://b.test/3"]}
    )
    findings, bad = findings_of([first, second])
    assert bad == 1
    assert [(one.site, one.provider, one.query, one.rank) for one in findings] == [
        ("a.test", "one", "q", 1), ("b.test", "one", "q", 2), ("b.test", "two", "q", 1), ("c.test", "two", "q", 2), ("b.test", "two", "r", 1),
    ]  # fmt: skip
    sites = merged_sites(findings)
    assert [(one.site, one.found_by) for one in sites] == [
        ("b.test", "one 2, two 1"),
        ("a.test", "one 1"),
        ("c.test", "two 2"),
    ]
    assert [one.url for one in sites] == ["http://b.test/2", "http://www.a.test/x", "http://c.test/"]


@given(
    st.lists(
        st.lists(st.sampled_from([f"http://{host}.test/{path}" for host in "abc" for path in "xy"]), max_size=6),
        max_size=4,
    )
)
def test_merging_neither_loses_nor_doubles_a_site(answers: list[list[str]]) -> None:
    reports = [report_of(Scripted(f"p{number}", always()), {"q": urls}) for number, urls in enumerate(answers)]
    merged = merged_sites(findings_of(reports)[0])
    assert sorted(one.site for one in merged) == sorted({site_of(url) for urls in answers for url in urls})
    assert all(
        len(one.findings) == sum(one.site in {site_of(url) for url in urls} for urls in answers) for one in merged
    )


def test_measures_are_those_of_the_papers_tables() -> None:
    def found(site: str, provider: str, query: str) -> Finding:
        return Finding(site, f"http://{site}/", provider, query, 1, "", "")

    findings = [found("a", "one", "q"), found("b", "one", "q"), found("a", "two", "r"), found("c", "two", "q")]
    rows = {
        (one.provider, one.query): one
        for one in measures_of(findings, {"a": Decision(True, 8), "b": Decision(False, 28)})
    }
    assert (rows["one", "q"].sites, rows["one", "q"].relevance_rate, rows["one", "q"].mean_pages) == (2, 0.5, 18.0)
    assert (rows["*", "q"].sites, rows["*", "q"].verified) == (3, 2)
    assert (rows["*", "*"].sites, rows["*", "*"].relevant) == (3, 1)
    assert rows["two", "q"].relevance_rate is None
    assert list(rows)[-1] == ("*", "*")
