"""The language of an anchor text: two words in a menu are all there is to go by."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from crawler_project.core.values import UNKNOWN, Relevance
from crawler_project.relevance.language.compact_detector import detect_compact
from crawler_project.relevance.language.han import han_language
from crawler_project.relevance.language.names import language_of_name
from crawler_project.relevance.language.scripts import HAN, HANGUL, KANA, LATIN, NOTHING, SCRIPT_OF, SCRIPTS, TROUBLE

_CACHE: Final = 16_384
"""Anchors kept; menus repeat on every page of a site."""
_LONGEST: Final = 200
"""Characters looked at; an anchor that is longer tells no more."""
_LEAST_SHARE: Final = 0.05
"""Of an anchor's letters: "Next.js의 App Router" is Korean; names and terms stay in Latin letters."""
_NOTHING_SAID: Final = Relevance(False, 0.0, UNKNOWN, "no letters")


class AnchorIdentifier:
    """Tell languages of anchor texts; pure, and quick for texts seen before.

    In this order: a language's own name (日本語) → a script that one language has (한, あ, ไ) → Han
    characters (:func:`han_language`) → CLD2. The page's language and the TLD are priors between
    languages that the letters allow, never evidence: where nothing else speaks the answer is ``und``.
    """

    def __init__(self, cache_size: int = _CACHE) -> None:
        self._decide = lru_cache(maxsize=cache_size)(identify_anchor)

    def judge_anchor(self, text: str, page_language: str = "", tld: str = "") -> Relevance:
        """Give language, confidence and evidence for ``text``; ``is_relevant`` is always False here."""
        return self._decide(text, page_language, tld)


def identify_anchor(text: str, page_language: str = "", tld: str = "") -> Relevance:
    """Identify without a cache; see :class:`AnchorIdentifier`. Never raises."""
    text = text[:_LONGEST].strip()
    if not text:
        return _NOTHING_SAID
    named = language_of_name(text)
    if named:
        return Relevance(False, 1.0, named, f"name of {named}")
    if text.isascii():
        return _by_compact(text, page_language, tld)
    return _by_script(text, page_language, tld) or _by_compact(text, page_language, tld)


def _by_script(text: str, page_language: str, tld: str) -> Relevance | None:
    scripts = bytes([SCRIPT_OF[ord(character)] for character in text])
    counts = {script: scripts.count(script) for script in set(scripts) - {NOTHING, TROUBLE}}
    letters = sum(counts.values())
    latin = counts.pop(LATIN, 0)
    if not counts or letters - latin < _LEAST_SHARE * letters:
        return None
    if KANA in counts and counts.get(HANGUL, 0) <= counts[KANA]:
        return Relevance(False, 1.0, "ja", "script Kana")
    main = max(counts, key=lambda script: counts[script])
    if main == HAN and counts.get(HANGUL, 0) * 2 < counts[HAN]:
        language, score, evidence = han_language(text, page_language, tld)
        return Relevance(False, score, language, evidence)
    if main == HAN:
        main = HANGUL
    language = SCRIPTS[main].language
    return Relevance(False, 1.0, language, f"script {SCRIPTS[main].name}") if language else None


def _by_compact(text: str, page_language: str, tld: str) -> Relevance:
    """Ask CLD2, with the page's language and English as hints: on nine languages' pages their own words
    are then right in 93 % and English ones in 86 %; with the page's language alone 96 and 64."""
    if sum(map(str.isalpha, text)) < 2:
        return _NOTHING_SAID
    hint = f"{page_language},en" if page_language not in ("", UNKNOWN, "en") else page_language
    language, score = detect_compact(text, hint, "" if hint else tld)
    return Relevance(False, score, language, f"cld2 {language} {score:.2f}")
