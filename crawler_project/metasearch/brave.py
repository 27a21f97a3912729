"""Brave Search: an index of its own behind a documented API (api-dashboard.search.brave.com, Web search)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from crawler_project.metasearch.provider import Answer, Hit, ProviderError, Reply, SearchRequest
from crawler_project.metasearch.reply_errors import (
    check_status,
    dicts_of,
    error_code,
    rate_limit,
    read_json,
    seconds_of,
    text_of,
)

ENDPOINT: Final = "https://api.search.brave.com/res/v1/web/search"
KEY_VARIABLE: Final = "BRAVE_SEARCH_API_KEY"
MOST_PAGES: Final = 10
"""``offset`` is at most 9."""
PER_PAGE: Final = 20
MOST_LETTERS, MOST_WORDS = 400, 50
"""Of a query."""
_LANGUAGES: Final[Mapping[str, tuple[str, str]]] = {
    "ko": ("ko", "KR"),
    "ja": ("jp", "JP"),
    "zh": ("zh-hans", "CN"),
    "en": ("en", "US"),
}
"""``search_lang`` and ``country``; other languages are asked for without."""


class Brave:
    """Ask Brave Search.

    Args:
        key: the subscription token.
        address: another endpoint with the same answers; empty: Brave's.
    """

    name = "brave"
    is_ranked = True

    def __init__(self, key: str, language: str = "", address: str = "") -> None:
        self.place = address
        self.is_named = bool(address)
        self._key = key
        self._language = language

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return queries

    def ask(self, query: str, page: int) -> SearchRequest | Answer:
        if page >= MOST_PAGES:
            return Answer(())
        words = " ".join(query.split()[:MOST_WORDS])[:MOST_LETTERS]
        values: dict[str, object] = {"q": words, "count": PER_PAGE, "offset": page, "result_filter": "web"}
        if self._language in _LANGUAGES:
            values["search_lang"], values["country"] = _LANGUAGES[self._language]
        headers = {"Accept": "application/json", "Cache-Control": "no-cache", "X-Subscription-Token": self._key}
        return SearchRequest(f"{self.place or ENDPOINT}?{urlencode(values)}", headers)

    def read(self, reply: Reply) -> Answer:
        code = error_code(reply)
        if reply.status in (401, 403) or (reply.status == 422 and "TOKEN" in code):
            said = f", {code}" if code else ""
            raise ProviderError(
                "key", f"the key in {KEY_VARIABLE} is refused (status {reply.status}{said})", is_final=True
            )
        if reply.status == 429:
            raise rate_limit("too many requests (status 429)", _reset(reply.headers))
        check_status(reply)
        answer = read_json(reply)
        web, query = answer.get("web"), answer.get("query")
        if "web" not in answer and answer.get("type") != "search":
            raise ProviderError("nonsense", "the JSON answer is none of a search")
        results = dicts_of(web.get("results")) if isinstance(web, dict) else []
        hits = [Hit(text_of(one.get("url")), text_of(one.get("title"))) for one in results]
        return Answer(hits, has_more=isinstance(query, dict) and query.get("more_results_available") is True)


def _reset(headers: Mapping[str, str]) -> float:
    """Seconds until the quota that is used up comes back: ``X-RateLimit-Remaining: 0, 1000``, ``-Reset: 1, 1419704``."""
    left = [seconds_of(part) for part in headers.get("x-ratelimit-remaining", "").split(",")]
    back = [seconds_of(part) for part in headers.get("x-ratelimit-reset", "").split(",")]
    waits = [seconds for remaining, seconds in zip(left, back, strict=False) if remaining == 0]
    return max([*waits, seconds_of(headers.get("retry-after", ""))])
