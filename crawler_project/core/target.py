"""What a crawl is after: languages, and the top-level domains where they are at home."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from crawler_project.core.errors import ConfigurationError

TLDS_BY_LANGUAGE: Mapping[str, tuple[str, ...]] = {
    "ar": ("sa", "ae", "eg", "ma", "dz", "tn", "iq", "jo", "kw", "lb", "ly", "om", "qa", "sd", "sy", "ye", "bh", "ps",
           "السعودية", "امارات", "مصر", "المغرب", "الجزائر", "تونس", "عراق", "الاردن", "عمان", "قطر", "سودان", "سورية", "اليمن", "فلسطين"),
    "az": ("az",), "be": ("by", "бел"), "bg": ("bg", "бг"), "bn": ("bd", "বাংলা"), "bs": ("ba",), "ca": ("cat", "ad"), "cs": ("cz",), "cy": ("cymru", "wales"), "da": ("dk",),
    "de": ("de", "at", "ch", "li"), "el": ("gr", "cy", "ελ"), "es": ("es", "mx", "ar", "cl", "co", "pe", "ve", "ec", "gt", "cu", "bo", "do", "hn", "py", "sv", "ni", "cr", "pa", "uy"),
    "et": ("ee",), "eu": ("eus",), "fa": ("ir", "af", "ایران"), "fi": ("fi",), "fr": ("fr", "be", "ch", "lu", "mc", "ci", "sn"), "ga": ("ie",), "gl": ("gal",), "he": ("il", "ישראל"),
    "hi": ("in", "भारत"), "hr": ("hr",), "hu": ("hu",), "hy": ("am", "հայ"), "id": ("id",), "is": ("is",), "it": ("it", "sm", "va"), "ja": ("jp",), "ka": ("ge", "გე"),
    "kk": ("kz", "қаз"), "km": ("kh",), "ko": ("kr", "한국"), "ky": ("kg",), "lo": ("la", "ລາວ"), "lt": ("lt",), "lv": ("lv",), "mk": ("mk", "мкд"), "mn": ("mn", "мон"),
    "ms": ("my", "bn"), "mt": ("mt",), "my": ("mm",), "ne": ("np",), "nl": ("nl", "be", "sr"), "no": ("no",), "pl": ("pl",), "pt": ("pt", "br", "ao", "mz"), "ro": ("ro", "md"),
    "ru": ("ru", "su", "рф"), "si": ("lk", "ලංකා"), "sk": ("sk",), "sl": ("si",), "sq": ("al",), "sr": ("rs", "срб"), "sv": ("se",), "ta": ("lk", "இலங்கை"), "tg": ("tj",), "th": ("th", "ไทย"),
    "tk": ("tm",), "tr": ("tr",), "uk": ("ua", "укр"), "ur": ("pk", "پاکستان"), "uz": ("uz",), "vi": ("vn",), "zh": ("cn", "tw", "hk", "mo", "sg", "中国", "中國", "台湾", "台灣", "香港", "澳門", "新加坡"),
}  # fmt: skip
"""Country-code domains (IANA root zone) by the language that most of their pages are written in.
A language without an entry has none: only anchor texts then speak for a link."""

_MEANT = {
    "kr": "ko", "jp": "ja", "cn": "zh", "tw": "zh", "hk": "zh", "vn": "vi", "ua": "uk", "cz": "cs", "dk": "da", "gr": "el", "se": "sv", "ee": "et", "il": "he", "ir": "fa", "my": "ms",
    "korean": "ko", "japanese": "ja", "chinese": "zh", "mandarin": "zh", "thai": "th", "vietnamese": "vi", "english": "en", "german": "de", "french": "fr", "spanish": "es",
    "russian": "ru", "portuguese": "pt", "italian": "it", "indonesian": "id", "malay": "ms", "turkish": "tr", "arabic": "ar", "hebrew": "he", "hindi": "hi", "polish": "pl",
    "ukrainian": "uk", "greek": "el", "czech": "cs", "danish": "da", "swedish": "sv", "norwegian": "no", "finnish": "fi", "dutch": "nl", "hungarian": "hu", "romanian": "ro",
    "persian": "fa", "farsi": "fa", "khmer": "km", "lao": "lo", "burmese": "my", "mongolian": "mn", "nb": "no", "nn": "no", "iw": "he", "in": "id", "cmn": "zh", "jpn": "ja", "kor": "ko",
    "tha": "th", "zho": "zh", "chi": "zh", "zh-cn": "zh", "zh-tw": "zh", "zh-hans": "zh", "zh-hant": "zh", "한국어": "ko", "日本語": "ja", "中文": "zh", "ไทย": "th", "tl": "fil",
}  # fmt: skip
_COUNTRIES = {tld for tlds in TLDS_BY_LANGUAGE.values() for tld in tlds}


@dataclass(frozen=True, slots=True)
class Target:
    """The languages that a crawl collects and the TLDs that speak for them."""

    languages: frozenset[str]
    tlds: frozenset[str]

    @classmethod
    def parse(
        cls,
        value: str,
        known: Collection[str],
        tlds_by_language: Mapping[str, Iterable[str]] = TLDS_BY_LANGUAGE,
    ) -> Target:
        """Read ``ko`` or ``ko,ja``; ``known`` are the codes that the identifier can tell.

        Raises:
            ConfigurationError: an empty value or an unknown code; names the code that was
                probably meant (``kr`` → ``ko``).
        """
        codes = [code.strip() for code in value.split(",") if code.strip()]
        if not codes:
            raise ConfigurationError("target is empty; name a language, for example target=ko or target=ko,ja")
        for code in codes:
            check_language(code, known, "target")
        tlds = frozenset(tld.lower().lstrip(".") for code in codes for tld in tlds_by_language.get(code, ()))
        return cls(frozenset(codes), tlds)

    def __str__(self) -> str:
        return ",".join(sorted(self.languages))


def check_language(code: str, known: Collection[str], called: str = "language") -> None:
    """Refuse a code that is not ``known``; ``called`` is the user's name for the value.

    Raises:
        ConfigurationError: an unknown code; names the one that was probably meant.
    """
    if code not in known:
        raise ConfigurationError(f"{called}={code!r} is {_unknown_language(code, known)}")


def _unknown_language(code: str, known: Collection[str]) -> str:
    lower = code.lower()
    kind = (
        "a country code, not a language"
        if lower in _COUNTRIES and lower not in known
        else "not a language code that is known here"
    )
    meant = lower if lower in known else _MEANT.get(lower)
    if meant is None:
        close = difflib.get_close_matches(lower, sorted(_MEANT), n=1, cutoff=0.8)
        meant = _MEANT[close[0]] if close else None
    if meant in known:
        return f"{kind}; did you mean {meant!r}?"
    return f"{kind}; use ISO 639 codes such as ko, ja, zh, th (known: {len(known)} languages)"
