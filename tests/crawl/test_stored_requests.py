"""Requests become entries and come back as they were; nothing that is stored names code to run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import JsonRequest, XmlRpcRequest
from scrapy.utils.request import RequestFingerprinter

from crawler_project.core.errors import StateError
from crawler_project.core.values import Entry, Lease
from crawler_project.own_spiders.plain_data import dump_plain
from crawler_project.own_spiders.stored_requests import LEASE_MARK, StoredRequests


class SpiderOfTest(Spider):
    name = "of_test"

    def page(self, response: Any) -> None: ...

    def broken(self, failure: Any) -> None: ...


class ByPath(RequestFingerprinter):
    """A project's own idea of which requests are the same."""

    def fingerprint(self, request: Request) -> bytes:
        return request.url.partition("?")[0].encode()


def stored(**options: Any) -> StoredRequests:
    crawler = Crawler(SpiderOfTest)
    crawler.request_fingerprinter = options.pop("fingerprinter", None) or RequestFingerprinter(crawler)
    spider = SpiderOfTest()
    return StoredRequests(crawler, spider, **options)


STORED = stored()
SPIDER = STORED._spider
URL = "http://a.example.org/x?b=1&a=2"


@pytest.mark.parametrize(
    "request_",
    [
        Request(URL),
        Request(URL, SPIDER.page, errback=SPIDER.broken, meta={"depth": 3, "own": (1, b"\xff")}, cb_kwargs={"k": {1: 2}}),
        Request(URL, method="PUT", body="한국어", encoding="euc-kr", headers={"Referer": "http://b/", "X": ["1", "2"]}),
        Request(URL, cookies=[{"name": "a", "value": "b"}], priority=-7, dont_filter=True, flags=["f"]),
        Request(URL, headers={"Referer": ["http://b/", "http://c/"]}, meta={"depth": "deep"}),
        Request("http://u:p@a.example.org:8080/#!/x"),
        Request("data:,hello"),
        FormRequest(URL, SPIDER.page, formdata={"a": "b"}),
        JsonRequest(URL, data={"a": [1]}),
        XmlRpcRequest(URL, methodname="m", params=(1,)),
    ],
    ids=str,
)  # fmt: skip
def test_request_comes_back_as_it_was(request_: Request) -> None:
    entry = STORED.entry_of(request_)
    back = STORED.request_of(Lease(entry, 1))
    assert type(back) is type(request_)
    assert back.to_dict(spider=SPIDER) == request_.to_dict(spider=SPIDER)


def test_identity_is_method_canonical_url_and_body() -> None:
    same = [Request(URL), Request("http://A.example.org/x?a=2&b=1#part"), Request(URL, priority=5, meta={"a": 1})]
    other = [Request(URL, method="POST"), Request(URL, method="POST", body="a"), Request(URL, body="a")]
    assert len({STORED.entry_of(request).url for request in same}) == 1
    assert len({STORED.entry_of(request).url for request in same + other}) == 4


def test_requests_that_are_not_to_be_filtered_are_never_the_same() -> None:
    assert len({STORED.entry_of(Request(URL, dont_filter=True)).url for _ in range(9)}) == 9
    repeats = stored(repeats=True)
    assert len({repeats.entry_of(Request(URL)).url for _ in range(9)}) == 9


def test_fingerprinter_of_the_project_says_which_requests_are_the_same() -> None:
    crawler = Crawler(SpiderOfTest)
    by_path = stored(fingerprinter=ByPath(crawler))
    entries = [by_path.entry_of(Request(f"http://a.example.org/x?session={n}")) for n in range(3)]
    assert len({entry.url for entry in entries}) == 1
    assert by_path.request_of(Lease(entries[2], 1)).url == "http://a.example.org/x?session=2"


def test_mark_of_a_lease_is_not_stored() -> None:
    entry = STORED.entry_of(Request(URL, meta={LEASE_MARK: 7, "own": 1}))
    assert STORED.request_of(Lease(entry, 1)).meta == {"own": 1}


def test_request_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=r"takes 70,\d+ bytes, and 65,000 is the most"):
        STORED.entry_of(Request(URL, method="POST", body=b"x" * 70_000))


def lease_of(**fields: Any) -> Lease:
    return Lease(Entry(url="http://a.example.org/", host="a.example.org", evidence=dump_plain(fields)), 1)


@pytest.mark.parametrize(
    "fields",
    [
        {"_class": "subprocess.Popen", "args": ["true"]},
        {"_class": "antigravity.Request"},
        {"callback": "__init__"},
        {"callback": "name"},
        {"callback": "renamed_since"},
        {"callback": ["page"]},
        {"url": 5},
        {"meta": 5},
        {"encoding": "no such"},
        {"priority": "high"},
    ],
    ids=str,
)
def test_stored_text_that_is_no_request_of_the_spider_is_a_state_error(fields: dict[str, Any]) -> None:
    with pytest.raises(StateError, match="cannot be read"):
        STORED.request_of(lease_of(**fields))


NAMES = st.sampled_from(
    ["url", "method", "headers", "body", "cookies", "meta", "encoding", "priority", "dont_filter", "flags", "cb_kwargs",
     "callback", "errback", "_class", "formdata", "data", "dumps_kwargs"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary()
    | st.sampled_from(["page", "os.system", "scrapy.http.request.form.FormRequest", "scrapy.http.request.json_request.JsonRequest"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.dictionaries(NAMES, VALUES).map(dump_plain) | st.text(max_size=50))
def test_garbage_is_a_request_or_a_state_error(evidence: str) -> None:
    entry = Entry(url="http://a.example.org/", host="a.example.org", evidence=evidence)
    try:
        request = STORED.request_of(Lease(entry, 1))
    except StateError:
        return
    assert isinstance(request, Request)
