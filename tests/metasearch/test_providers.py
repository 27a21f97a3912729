"""Each provider's documented answers, and the nonsense that comes in their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.metasearch.brave import Brave
from crawler_project.metasearch.common_crawl import CommonCrawl, pattern_of
from crawler_project.metasearch.directory_file import DirectoryFile
from crawler_project.metasearch.make_provider import make_provider
from crawler_project.metasearch.provider import Answer, Hit, Provider, ProviderError, Reply, SearchRequest
from crawler_project.metasearch.searxng import Searxng

SEARXNG = {
    "query": "인터넷 서점",
    "number_of_results": 0,
    "results": [
        {"url": "http://a.shop.test/", "title": "가", "engine": "one", "engines": ["one", "two"], "positions": [1, 2]},
        {"url": "http://b.shop.test/p?id=1", "title": "나", "engine": "two", "engines": ["two"], "score": 0.5},
    ],
    "answers": [],
    "corrections": [],
    "infoboxes": [],
    "suggestions": ["서점"],
    "unresponsive_engines": [["three", "timeout"], ["four", "Suspended: too many requests"]],
}
BRAVE = {
    "type": "search",
    "query": {"original": "bookshop", "more_results_available": True},
    "web": {
        "type": "search",
        "results": [{"title": "A", "url": "https://a.shop.test/", "description": "<strong>books</strong>"}],
    },
}


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {"content-type": "application/json", **headers}, data)


def values(request: SearchRequest | Answer) -> dict[str, list[str]]:
    assert isinstance(request, SearchRequest)
    return parse_qs(urlsplit(request.url).query)


def test_searxng_is_asked_for_json_in_the_language_page_by_page() -> None:
    request = Searxng("http://127.0.0.1:8080/", "ko").ask("인터넷 서점", 2)
    assert request.url.startswith("http://127.0.0.1:8080/search?")
    assert values(request) == {
        "q": ["인터넷 서점"],
        "format": ["json"],
        "pageno": ["3"],
        "language": ["ko"],
        "categories": ["general"],
    }


def test_searxng_answer_names_the_engines_and_those_that_were_silent() -> None:
    answer = Searxng("http://127.0.0.1").read(reply(SEARXNG))
    assert answer.hits[0] == Hit("http://a.shop.test/", "가", ("one", "two"))
    assert (len(answer.hits), answer.has_more) == (2, True)
    assert answer.notes == ("three: timeout", "four: Suspended: too many requests")
    assert not Searxng("http://127.0.0.1").read(reply({"results": []})).has_more


def test_searxng_without_json_says_what_to_change() -> None:
    with pytest.raises(ProviderError, match=r"settings\.yml must list json") as error:
        Searxng("http://127.0.0.1").read(reply(b"<html>Forbidden", 403))
    assert error.value.is_final


def test_brave_is_asked_with_the_key_in_a_header_only() -> None:
    request = Brave("secret", "ja").ask(" ".join(["word"] * 60), 1)
    assert isinstance(request, SearchRequest)
    assert request.url.startswith("https://api.search.brave.com/res/v1/web/search?")
    assert "secret" not in request.url
    assert request.headers["X-Subscription-Token"] == "secret"
    asked = values(request)
    assert (asked["offset"], asked["count"], asked["search_lang"], asked["country"]) == (["1"], ["20"], ["jp"], ["JP"])
    assert len(asked["q"][0].split()) == 50
    assert Brave("secret").ask("books", 10) == Answer(())


def test_brave_answer_gives_its_web_results() -> None:
    answer = Brave("secret").read(reply(BRAVE))
    assert answer == Answer([Hit("https://a.shop.test/", "A")], has_more=True)
    assert Brave("secret").read(reply({"type": "search", "query": {"more_results_available": False}})) == Answer([])


@pytest.mark.parametrize("status", [401, 403, 422])
def test_brave_key_that_is_refused_is_named_by_its_variable(status: int) -> None:
    body = {"type": "ErrorResponse", "error": {"status": status, "code": "SUBSCRIPTION_TOKEN_INVALID"}}
    with pytest.raises(ProviderError, match="BRAVE_SEARCH_API_KEY is refused") as error:
        Brave("secret").read(reply(body, status))
    assert (error.value.kind, error.value.is_final, "secret" in str(error.value)) == ("key", True, False)


def test_brave_that_wants_patience_says_how_much() -> None:
    headers = {"x-ratelimit-remaining": "0, 1000", "x-ratelimit-reset": "1, 1419704"}
    with pytest.raises(ProviderError) as error:
        Brave("secret").read(reply({}, 429, **headers))
    assert (error.value.kind, error.value.wait, error.value.is_final) == ("rate limit", 1.0, False)
    with pytest.raises(ProviderError, match="ask again in 1,419,704 s") as error:
        Brave("secret").read(reply({}, 429, **{**headers, "x-ratelimit-remaining": "1, 0"}))
    assert error.value.is_final


def test_common_crawl_is_asked_for_addresses_with_one_of_the_words() -> None:
    request = CommonCrawl("https://index.test/CC-MAIN-2026-43-index?url=*.kr").ask("책 ISBN", 1)
    asked = values(request)
    assert asked["url"] == ["*.kr"]
    assert (asked["output"], asked["fl"], asked["page"]) == (["json"], ["url"], ["1"])
    assert asked["filter"] == ["=status:200", f"~url:{pattern_of('책 ISBN')}"]
    assert pattern_of("책 a.b") == r"(?i).*(책|%EC%B1%85|a\.b)"


def test_common_crawl_answer_is_a_line_an_address() -> None:
    index = CommonCrawl("https://index.test/x-index?url=*.kr")
    answer = index.read(reply(b'{"url": "http://a.kr/1"}\n{"url": "ftp://b.kr/"}\n{"url": "http://a.kr/2"}\n'))
    assert [hit.url for hit in answer.hits] == ["http://a.kr/1", "http://a.kr/2"]
    assert answer.notes[0].startswith("1 lines: no line of a CDX")
    assert index.read(reply({"message": "No Captures found for: *.kr"}, 404)) == Answer(())
    assert index.read(reply({"message": "Page 9 invalid"}, 400)) == Answer(())


ONLINE: list[Provider] = [Searxng("http://127.0.0.1"), Brave("key"), CommonCrawl("https://index.test/x?url=*.kr")]


@pytest.mark.parametrize("provider", ONLINE, ids=lambda provider: provider.name)
@pytest.mark.parametrize(
    ("status", "headers", "kind", "is_final"),
    [
        (429, {"retry-after": "3"}, "rate limit", False),
        (429, {"retry-after": "86400"}, "rate limit", True),
        (429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "rate limit", False),
        (503, {"retry-after": "3"}, "rate limit", False),
        (503, {}, "server error", False),
        (502, {}, "server error", False),
        (302, {"location": "http://10.0.0.1/"}, "refused", True),
        (410, {}, "refused", True),
    ],
)
def test_status_says_whether_to_ask_again(
    provider: Provider, status: int, headers: dict[str, str], kind: str, is_final: bool
) -> None:
    with pytest.raises(ProviderError) as error:
        provider.read(reply(b"<html>no", status, **headers))
    assert (error.value.kind, error.value.is_final) == (kind, is_final)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("provider", ONLINE[:2], ids=lambda provider: provider.name)
@pytest.mark.parametrize(
    "body", [b"", b"<html>Are you a robot?", b"\xff\x00", b"[1, 2]", b"null", b"{}", b'{"results": 3}', b"[" * 100_000]
)
def test_nonsense_is_an_error_and_no_exception_of_another_kind(provider: Provider, body: bytes) -> None:
    with pytest.raises(ProviderError) as error:
        provider.read(reply(body))
    assert error.value.kind == "nonsense"


@pytest.mark.parametrize("provider", ONLINE, ids=lambda provider: provider.name)
@pytest.mark.parametrize(
    "item", [None, 3, "http://a.test/", {}, {"url": 3}, {"url": None, "title": [], "engines": "x"}]
)
def test_odd_results_among_others_are_no_failure(provider: Provider, item: Any) -> None:
    good = {"url": "http://a.shop.test/", "title": "A", "engines": [None, "one"]}
    body = {"type": "search", "results": [item, good], "web": {"results": [item, good]}, "unresponsive_engines": [item]}
    lines = "\n".join(json.dumps(one) for one in (item, good)).encode()
    answer = provider.read(reply(lines if provider.name == "commoncrawl" else body))
    assert [hit.url for hit in answer.hits if hit.url] == ["http://a.shop.test/"]


def test_directory_finds_entries_with_all_words_and_lists_are_taken_whole(tmp_path: Path) -> None:
    table = tmp_path / "directory.csv"
    table.write_text(
        "url,title,description\nhttp://a.test/,한빛 인터넷 서점,책\nhttp://a.test/2,인터넷 서점 둘,\n"
        "http://b.test/,ＩＮＴＥＲＮＥＴ ＢＯＯＫＳＨＯＰ,all\nhttp://c.test/,뉴스,인터넷\n",
        encoding="utf-8",
    )
    provider = DirectoryFile(str(table), ["인터넷 서점", "bookshop internet"])
    assert provider.queries_of(["q"]) == ["q", "*"]
    assert provider.ask("인터넷 서점", 0).hits == [Hit("http://a.test/", "한빛 인터넷 서점")]
    assert [hit.url for hit in provider.ask("bookshop internet", 0).hits] == ["http://b.test/"]
    assert provider.ask("*", 0).hits == []
    addresses = tmp_path / "list.txt"
    addresses.write_text("http://a.test/\nhttp://www.a.test/2\nhttp://b.test/\n")
    provider = DirectoryFile(str(addresses), ["책"])
    assert provider.ask("책", 0).hits == []
    assert [hit.url for hit in provider.ask("*", 0).hits] == ["http://a.test/", "http://b.test/"]


def test_directory_that_is_none_is_said_once(tmp_path: Path) -> None:
    page = tmp_path / "directory.rdf"
    page.write_text("<!DOCTYPE html><title>404</title>")
    with pytest.raises(ProviderError, match="is an HTML page"):
        DirectoryFile(str(page), ["책"]).ask("책", 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("google", "provider 'google' is unknown; name one of searxng="),
        ("searxng", "needs a place; write it like searxng=http://127.0.0.1:8080"),
        ("searxng=localhost:8080", "needs an http or https address"),
        ("brave", "set BRAVE_SEARCH_API_KEY in the environment"),
        ("commoncrawl=https://index.commoncrawl.org/", "has no pattern of addresses"),
        ("commoncrawl=missing.cdxj", "no such file"),
        ("file=missing.rdf", "no such file"),
        ("page=missing.html", "no such file"),
    ],
)
def test_wrong_provider_is_a_configuration_error(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        make_provider(text, ["q"], "ko", {"BRAVE_SEARCH_API_KEY": "bad\nkey"})
    assert said in str(error.value)


def test_providers_are_made_by_name(tmp_path: Path) -> None:
    saved = tmp_path / "saved=1.html"
    saved.write_text("<a href='http://a.test/'>a</a>")
    keys = {"BRAVE_SEARCH_API_KEY": "key"}
    texts = ["searxng=https://s.test", "brave", "brave=http://proxy.test/web", f"page={saved}", f"file={saved}"]
    made = [make_provider(text, ["q"], "ko", keys) for text in texts]
    assert [(one.name, one.is_named) for one in made] == [
        ("searxng", True), ("brave", False), ("brave", True), ("page", True), ("file", True),
    ]  # fmt: skip
