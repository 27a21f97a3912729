"""English names of languages, for tables and titles."""

from __future__ import annotations

from collections.abc import Iterable

from crawler_project.core.values import UNKNOWN

_NAMES = {
    UNKNOWN: "Unknown",
    "af": "Afrikaans", "als": "Alemannic", "am": "Amharic", "an": "Aragonese", "ar": "Arabic", "arz": "Egyptian Arabic", "as": "Assamese", "ast": "Asturian",
    "az": "Azerbaijani", "azb": "South Azerbaijani", "ba": "Bashkir", "bar": "Bavarian", "be": "Belarusian", "bg": "Bulgarian", "bh": "Bihari", "bn": "Bengali",
    "bo": "Tibetan", "bpy": "Bishnupriya", "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "ce": "Chechen", "ceb": "Cebuano", "ckb": "Central Kurdish", "co": "Corsican",
    "cs": "Czech", "cv": "Chuvash", "cy": "Welsh", "da": "Danish", "de": "German", "dv": "Dhivehi", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fil": "Filipino", "fr": "French", "fy": "West Frisian", "ga": "Irish", "gd": "Scottish Gaelic",
    "gl": "Galician", "gn": "Guarani", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hsb": "Upper Sorbian", "ht": "Haitian Creole",
    "hu": "Hungarian", "hy": "Armenian", "ia": "Interlingua", "id": "Indonesian", "ig": "Igbo", "ilo": "Ilocano", "io": "Ido", "is": "Icelandic", "it": "Italian",
    "ja": "Japanese", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mg": "Malagasy", "mi": "Maori", "min": "Minangkabau", "mk": "Macedonian", "ml": "Malayalam",
    "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese", "nds": "Low German", "ne": "Nepali", "new": "Newari", "nl": "Dutch",
    "nn": "Norwegian Nynorsk", "no": "Norwegian", "oc": "Occitan", "or": "Odia", "os": "Ossetian", "pa": "Punjabi", "pl": "Polish", "pnb": "Western Punjabi", "ps": "Pashto",
    "pt": "Portuguese", "qu": "Quechua", "rm": "Romansh", "ro": "Romanian", "ru": "Russian", "sa": "Sanskrit", "sah": "Yakut", "sco": "Scots", "sd": "Sindhi",
    "sh": "Serbo-Croatian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sn": "Shona", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "su": "Sundanese",
    "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "tg": "Tajik", "th": "Thai", "ti": "Tigrinya", "tk": "Turkmen", "tl": "Tagalog", "tr": "Turkish",
    "tt": "Tatar", "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "war": "Waray", "wuu": "Wu Chinese", "xh": "Xhosa", "yi": "Yiddish",
    "yo": "Yoruba", "yue": "Cantonese", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip


def language_name(code: str) -> str:
    """Name a language in English (``ko`` → ``Korean``, ``pt-br`` → ``Portuguese``); the code itself when unknown."""
    return _NAMES.get(code) or _NAMES.get(code.partition("-")[0].lower()) or code


def language_list(codes: Iterable[str]) -> str:
    """Name several languages in one phrase: ``Japanese and Korean``."""
    names = sorted({language_name(code) for code in codes})
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
