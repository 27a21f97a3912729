"""Entries as bytes: what is written comes back, in few bytes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import StateError
from crawler_project.core.urls import url_hash
from crawler_project.core.values import Entry
from crawler_project.frontier.redis_entries import EntryWriter, decode_entry, distinct_entries, encode_header, in_chunks
from crawler_project.frontier.redis_entry_text import decode_why, encode_why

WRITER = EntryWriter(-math.inf, compare_distance=False, max_anchor=40)
PAGE = "https://news.kr/politics/2024/index.html?page=2"


def written(entry: Entry) -> bytes:
    """The record of an entry."""
    record = WRITER.arguments({url_hash(entry.url): entry})[-1]
    assert isinstance(record, bytes)
    return record


def read_back(entry: Entry) -> Entry:
    return decode_entry(entry.host, entry.priority, encode_header(entry), written(entry))


@given(
    url=st.text(max_size=60),
    host=st.text(st.characters(codec="ascii"), max_size=20),
    texts=st.lists(st.text(max_size=40), min_size=6, max_size=6),
    numbers=st.lists(st.integers(0, 10**6), min_size=3, max_size=3),
)
@settings(max_examples=300, deadline=None)
def test_any_entry_comes_back_as_it_was(url, host, texts, numbers):
    language, referrer, anchor, why, origin, evidence = texts
    why = why.encode("utf-8", "replace")[:60].decode("utf-8", "ignore")
    distance, depth, redirects = numbers
    entry = Entry(url, host, 0.5, distance, depth, language, referrer, anchor, why, redirects, origin, evidence)
    assert read_back(entry) == entry


@pytest.mark.parametrize(
    "url",
    [
        "https://news.kr/",
        "http://news.kr/a?b=c",
        "https://news.kr/politics/2024/x.html",
        "http://news.kr/politics/2024/",
        "https://news.kr:8080/other-port",
        "https://other.kr/politics/2024/x",
        "https://news.kr?no-path",
        "https://news.kr/\udcff\x00",
    ],
)
def test_url_comes_back_whatever_it_shares_with_its_page(url):
    entry = Entry(url, "news.kr", referrer=PAGE)
    assert read_back(entry) == entry


@pytest.mark.parametrize(
    ("why", "size"),
    [("seed", 1), ("tld kr", 3), ("anchor ko 0.98", 4), ("hreflang ko 1.00", 4), ("link", 1), ("low-parent und", 15)],
)
def test_why_takes_few_bytes(why, size):
    assert decode_why(encode_why(why), 0) == (why, size)


def test_long_reason_is_cut_between_characters():
    assert decode_why(encode_why("이유" * 40), 0) == (("이유" * 40)[:42], 127)


def test_link_in_the_folder_of_its_page_takes_few_bytes():
    entry = Entry("https://news.kr/politics/2024/x.html", "news.kr", referrer=PAGE, anchor_text="정치", why="tld kr")
    assert len(written(entry)) == 1 + 3 + 1 + 4 + len("x.html")


def test_anchor_text_is_cut_at_the_limit():
    entry = Entry("https://news.kr/a", "news.kr", anchor_text="가" * 50)
    assert read_back(entry).anchor_text == "가" * 40


def test_headers_hosts_and_priorities_are_written_once_for_a_page():
    links = [Entry(f"https://news.kr/{number}", "news.kr", 1.0, 2, 3, "ko", PAGE) for number in range(50)]
    arguments = WRITER.arguments(distinct_entries(links, compare_distance=False))
    assert arguments[2:6] == [1, 1, 1, 50]
    assert len(arguments) == 6 + 2 + 3 + 100


def test_of_several_links_to_one_url_the_best_is_taken_in_the_place_of_the_first():
    first, other, better = (
        Entry("https://a.kr/1", "a.kr", 2.0),
        Entry("https://a.kr/2", "a.kr"),
        Entry("https://a.kr/1", "a.kr", 1.0),
    )
    assert list(distinct_entries([first, other, better], compare_distance=False).values()) == [better, other]


def test_many_entries_are_cut_into_chunks_in_order():
    batch = {number: Entry(f"https://a.kr/{number}", "a.kr") for number in range(501)}
    chunks = list(in_chunks(batch))
    assert [len(chunk) for chunk in chunks] == [250, 250, 1]
    assert [key for chunk in chunks for key in chunk] == list(batch)


@given(header=st.binary(max_size=40), record=st.binary(max_size=40))
@settings(max_examples=500, deadline=None)
def test_garbage_is_an_entry_or_a_state_error(header, record):
    try:
        assert isinstance(decode_entry("a.kr", 0.0, header, record), Entry)
    except StateError as error:
        assert "damaged" in str(error)  # noqa: PT017 - no error is fine as well
