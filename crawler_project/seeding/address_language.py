"""The language of a page by its address alone: weak evidence, and the only one before anything is fetched."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler_project.core.seams import AnchorJudge
from crawler_project.core.target import TLDS_BY_LANGUAGE
from crawler_project.core.urls import top_level_domain
from crawler_project.core.values import UNKNOWN, Relevance

_PATH_WORDS: Final = {
    "korean": "ko", "kor": "ko", "japanese": "ja", "jpn": "ja", "chinese": "zh", "thai": "th", "german": "de", "deutsch": "de",
    "french": "fr", "francais": "fr", "spanish": "es", "espanol": "es", "italian": "it", "italiano": "it", "russian": "ru",
    "portuguese": "pt", "polish": "pl", "turkish": "tr", "vietnamese": "vi", "indonesian": "id", "arabic": "ar",
    "hindi": "hi", "ukrainian": "uk", "english": "en", "eng": "en", "kr": "ko", "jp": "ja", "cn": "zh", "tw": "zh", "hk": "zh",
    "vn": "vi", "ua": "uk", "br": "pt", "mx": "es", "chs": "zh", "cht": "zh", "zhs": "zh", "zht": "zh",
}  # fmt: skip
_WORDS: Final = frozenset(
    {"am", "an", "as", "be", "he", "hi", "id", "in", "is", "it", "la", "my", "no", "or", "so", "to"}
)
"""Codes that are English words or common abbreviations; they count with a region (``it-it``) only."""
_CODE: Final = re.compile(r"([a-z]{2,3})(?:[-_](?:[a-z]{2}|hans|hant)){0,2}")
_END_CODE: Final = re.compile(r"[._-]((?:[a-z]{2})(?:[-_](?:[a-z]{2}))?)(?:\.x?html?|\.php|\.md|\.pdf)?$")
_PARAMETERS: Final = re.compile(r"(?:^|&)(?:hl|lang|language|locale|lng|l)=([a-zA-Z_-]{2,7})(?:&|$)")
_LANGUAGES: Final = frozenset(TLDS_BY_LANGUAGE) | {"en"}
_SOLD: Final = frozenset({"ai", "am", "bz", "cc", "co", "fm", "gg", "in", "io", "la", "li", "ly", "md", "me", "ms", "ni", "sh", "sr", "st", "tv", "vc", "ws"})  # fmt: skip
"""Country domains that are bought for how they sound; the language of the country is a guess there."""

HOST_CODE, PATH_CODE, LETTERS, COUNTRY, SHARED_COUNTRY, SOLD_COUNTRY = 0.95, 0.9, 0.9, 0.85, 0.6, 0.3
"""Confidences; docs/seeds.md has how often each kind named the branch of a web directory that the address is under."""
_UNSAID: Final = Relevance(False, 0.0, UNKNOWN, "nothing in the address")


def identify_address(url: str, anchors: AnchorJudge) -> Relevance:
    """Give the language that an address speaks for, its confidence and the part that says so; ``und`` without any.

    In this order: a code in the host (``ko.example.org``), in the path or the query (``/zh-tw/``, ``?hl=ja``), letters of a
    script in host or path (``/문서``; judged by ``anchors``), the country's domain. Pure; never raises.
    """
    try:
        parts = urlsplit(url)
        host, path, query = parts.hostname or "", unquote(parts.path), parts.query.lower()
    except ValueError:
        return _UNSAID
    tld = top_level_domain(host)
    return (
        _by_host(host)
        or _by_path(path.lower(), query)
        or _by_letters(host, path, tld, anchors)
        or _by_country(tld)
        or _UNSAID
    )


def _by_host(host: str) -> Relevance | None:
    label = host.partition(".")[0]
    code = "" if host.count(".") < 2 else _language_of(label)
    return Relevance(False, HOST_CODE, code, f"host {label}") if code else None


def _by_path(path: str, query: str) -> Relevance | None:
    if found := _PARAMETERS.search(query):
        code = _language_of(found[1].lower(), strict=False)
        if code:
            return Relevance(False, PATH_CODE, code, f"query {found[0].strip('&')}")
    segments = [segment for segment in path.split("/") if segment]
    for segment in segments:
        code = _language_of(segment)
        if code:
            return Relevance(False, PATH_CODE, code, f"path {segment}")
    if segments and (found := _END_CODE.search(segments[-1])) and (code := _language_of(found[1])):
        return Relevance(False, PATH_CODE, code, f"path {found[0]}")
    return None


def _by_letters(host: str, path: str, tld: str, anchors: AnchorJudge) -> Relevance | None:
    name = _unicode_host(host) if "xn--" in host else ""
    text = f"{name} {path}".replace("-", " ").replace("_", " ").replace("/", " ")
    if text.isascii():
        return None
    found = anchors.judge_anchor(text, "", tld)
    if found.label == UNKNOWN or not found.evidence.startswith(("script", "Han")):
        return None
    return Relevance(False, min(LETTERS, found.score), found.label, f"letters: {found.evidence}")


def _by_country(tld: str) -> Relevance | None:
    languages = _languages_by_tld().get(tld, ())
    if not languages:
        return None
    score = SOLD_COUNTRY if tld in _SOLD else COUNTRY if len(languages) == 1 else SHARED_COUNTRY
    return Relevance(False, score, languages[0], f"tld {tld}")


@lru_cache(maxsize=1)
def _languages_by_tld() -> dict[str, tuple[str, ...]]:
    """Languages of a country's domain, the one that has it first in its row before the others."""
    places: dict[str, list[tuple[int, str]]] = {}
    for language, tlds in TLDS_BY_LANGUAGE.items():
        for place, tld in enumerate(tlds):
            places.setdefault(tld, []).append((place, language))
    return {tld: tuple(language for _, language in sorted(found)) for tld, found in places.items()}


def _language_of(text: str, strict: bool = True) -> str:
    if text in _PATH_WORDS:
        return _PATH_WORDS[text]
    found = _CODE.fullmatch(text)
    code = found[1] if found else ""
    if code not in _LANGUAGES or (strict and code in _WORDS and text == code):
        return ""
    return code


def _unicode_host(host: str) -> str:
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return ""
