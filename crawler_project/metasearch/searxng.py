"""SearXNG: a metasearch engine that the user runs or may use; its JSON answers (docs.searxng.org, Search API)."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from crawler_project.metasearch.provider import Answer, Hit, ProviderError, Reply, SearchRequest
from crawler_project.metasearch.reply_errors import check_status, dicts_of, read_json, text_of


class Searxng:
    """Ask one instance.

    Args:
        address: of the instance: ``http://127.0.0.1:8080``.
        language: of the results, as ``ko``; empty: any.
    """

    name = "searxng"
    is_named = True
    is_ranked = True

    def __init__(self, address: str, language: str = "") -> None:
        self.place = address.rstrip("/").removesuffix("/search")
        self._language = language

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        return queries

    def ask(self, query: str, page: int) -> SearchRequest:
        values = {"q": query, "format": "json", "pageno": page + 1, "categories": "general"}
        if self._language:
            values["language"] = self._language
        return SearchRequest(f"{self.place}/search?{urlencode(values)}", {"Accept": "application/json"})

    def read(self, reply: Reply) -> Answer:
        if reply.status == 403:
            raise ProviderError(
                "refused",
                "status 403; its settings.yml must list json (search: formats: [html, json])",
                is_final=True,
            )
        check_status(reply)
        answer = read_json(reply)
        if not isinstance(answer.get("results"), list):
            raise ProviderError("nonsense", "the JSON answer has no list of results")
        hits = [
            Hit(text_of(result.get("url")), text_of(result.get("title")), _engines(result.get("engines")))
            for result in dicts_of(answer["results"])
        ]
        return Answer(hits, has_more=bool(hits), notes=tuple(_silent(answer.get("unresponsive_engines"))))


def _engines(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()


def _silent(value: object) -> list[str]:
    """Read ``[["google", "timeout"], …]``: engines behind the instance that gave no answer."""
    pairs = value if isinstance(value, list) else []
    return [": ".join(str(part) for part in pair[:2]) for pair in pairs if isinstance(pair, list) and pair]
