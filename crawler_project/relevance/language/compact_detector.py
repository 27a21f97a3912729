"""CLD2, the Compact Language Detector: the second opinion on pages, the first on Latin anchors."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import pycld2

from crawler_project.core.values import UNKNOWN
from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.scripts import SCRIPTS, TROUBLE

_NO_LANGUAGES: Final = frozenset({"tlh", "zzb", "zze", "zzh", "zzp"})
"""Klingon and the joke dialects (Bork, Elmer Fudd, Hacker, Pig Latin)."""
_SPACES: Final = {
    code_point: " " for first, last in SCRIPTS[TROUBLE].ranges for code_point in range(first, last + 1)
} | {plane * 0x10000 + low: " " for plane in range(0x11) for low in (0xFFFE, 0xFFFF)}
_HINTS: Final = {"zh": "zh-tw,zh", "he": "iw", "jv": "jw", "fil": "tl"}
"""CLD2's own names; with plain ``zh`` it sends Traditional Chinese to Japanese."""


def without_trouble(text: str) -> str:
    """Blank what detectors raise on: control characters, noncharacters and lone surrogates."""
    return text.translate(_SPACES)


def detect_compact(text: str, language_hint: str = "", tld_hint: str = "") -> tuple[str, float]:
    """Give CLD2's best language of ``text`` and a confidence; ``und``, 0 when it has none.

    ``language_hint`` is a code or several with commas between. Hints are priors: they lift a language that the text may be in, and mislead where they are wrong.
    Never raises.
    """
    hints: dict[str, str] = {}
    if language_hint:
        hints["hintLanguageHTTPHeaders"] = ",".join(_HINTS.get(code, code) for code in language_hint.split(","))
    if tld_hint and tld_hint.isascii():
        hints["hintTopLevelDomain"] = tld_hint
    try:
        reliable, _, details = pycld2.detect(text, isPlainText=True, bestEffort=True, **hints)
    except (pycld2.error, UnicodeError, ValueError):
        cleaned = without_trouble(text)
        return detect_compact(cleaned, language_hint, tld_hint) if cleaned != text else (UNKNOWN, 0.0)
    _, label, percent, _ = details[0]
    code = compact_code(label)
    if code == UNKNOWN:
        return UNKNOWN, 0.0
    return code, percent / 100 if reliable else percent / 200


@lru_cache(maxsize=512)
def compact_code(label: str) -> str:
    """Give the code of CLD2's label; scripts without a language and jokes are ``und``."""
    return UNKNOWN if label.startswith("xx") or label in _NO_LANGUAGES else language_code(label)


@lru_cache(maxsize=1)
def compact_languages() -> frozenset[str]:
    """Codes that CLD2 can answer with."""
    detected = set(pycld2.DETECTED_LANGUAGES)
    return frozenset(compact_code(label) for name, label in pycld2.LANGUAGES if name in detected) - {UNKNOWN}
