"""Names of languages in their own language, as language switches print them."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = {
    "af": "Afrikaans", "am": "አማርኛ", "ar": "العربية|اللغة العربية|عربي|عربى", "az": "Azərbaycan|Azərbaycanca|Azərbaycan dili",
    "be": "Беларуская|Беларуская мова", "bg": "Български|Български език", "bn": "বাংলা", "bo": "བོད་ཡིག", "bs": "Bosanski",
    "ca": "Català", "cs": "Čeština|Česky|Český", "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch",
    "el": "Ελληνικά", "en": "English|In English|English version|English site|ENG|US English|British English",
    "eo": "Esperanto", "es": "Español|Castellano|En español|Español (Latinoamérica)|Español latinoamericano",
    "et": "Eesti|Eesti keel|Eesti keeles", "eu": "Euskara|Euskaraz", "fa": "فارسی|پارسی", "fi": "Suomi|Suomeksi|Suomen kieli",
    "fil": "Filipino|Tagalog|Wikang Filipino", "fr": "Français|En français|Français (Canada)|Français (France)",
    "ga": "Gaeilge|As Gaeilge", "gd": "Gàidhlig", "gl": "Galego|En galego", "gu": "ગુજરાતી", "ha": "Hausa", "he": "עברית",
    "hi": "हिन्दी|हिंदी", "hr": "Hrvatski", "ht": "Kreyòl ayisyen", "hu": "Magyar|Magyarul", "hy": "Հայերեն",
    "id": "Bahasa Indonesia|Indonesia", "ig": "Asụsụ Igbo", "is": "Íslenska", "it": "Italiano|In italiano",
    "ja": "日本語|にほんご|日本語版|日本語サイト|日本語で読む|Nihongo|JPN|日本語 (日本)", "jv": "Basa Jawa", "ka": "ქართული",
    "kk": "Қазақша|Қазақ тілі", "km": "ភាសាខ្មែរ|ខ្មែរ", "kn": "ಕನ್ನಡ",
    "ko": "한국어|한글|조선말|한국어판|한국어 버전|Hangugeo|KOR|한국어 (대한민국)", "ku": "Kurdî", "ckb": "کوردی|کوردیی ناوەندی",
    "ky": "Кыргызча", "la": "Latina", "lb": "Lëtzebuergesch", "lo": "ພາສາລາວ|ລາວ", "lt": "Lietuvių|Lietuviškai|Lietuvių kalba",
    "lv": "Latviešu|Latviski|Latviešu valoda", "mg": "Malagasy", "mi": "Te reo Māori|Māori", "mk": "Македонски|Македонски јазик",
    "ml": "മലയാളം", "mn": "Монгол|Монгол хэл", "mr": "मराठी", "ms": "Bahasa Melayu|Melayu|Bahasa Malaysia", "mt": "Malti",
    "my": "မြန်မာ|မြန်မာဘာသာ|ဗမာစာ", "ne": "नेपाली", "nl": "Nederlands|In het Nederlands|Vlaams",
    "no": "Norsk|Norsk bokmål|Bokmål|Norsk nynorsk|Nynorsk|På norsk", "oc": "Occitan", "or": "ଓଡ଼ିଆ", "pa": "ਪੰਜਾਬੀ",
    "pl": "Polski|Po polsku|Język polski", "ps": "پښتو",
    "pt": "Português|Português do Brasil|Português (Brasil)|Português (Portugal)|Português brasileiro|Português europeu|Em português",
    "qu": "Runasimi", "ro": "Română|Limba română|În română", "ru": "Русский|По-русски|Русский язык|На русском|Русская версия",
    "rw": "Kinyarwanda", "sd": "سنڌي", "si": "සිංහල", "sk": "Slovenčina|Slovensky", "sl": "Slovenščina|Slovensko", "so": "Soomaali|Af Soomaali",
    "sq": "Shqip", "sr": "Српски|Srpski|Српски / srpski", "su": "Basa Sunda", "sv": "Svenska|På svenska",
    "sw": "Kiswahili", "ta": "தமிழ்", "te": "తెలుగు", "tg": "Тоҷикӣ", "th": "ไทย|ภาษาไทย|เวอร์ชันภาษาไทย|ไทย (ประเทศไทย)", "tk": "Türkmençe|Türkmen dili",
    "tr": "Türkçe", "tt": "Татарча", "ug": "ئۇيغۇرچە", "uk": "Українська|Українською|Українська мова|Українська версія",
    "ur": "اردو|اُردُو", "uz": "O‘zbek|Oʻzbekcha|O'zbekcha|Ўзбекча", "vi": "Tiếng Việt|Việt Nam|Bản tiếng Việt|Tiếng Việt (Việt Nam)",
    "xh": "IsiXhosa", "yi": "ייִדיש|יידיש", "yo": "Yorùbá",
    "zh": "中文|简体中文|簡體中文|繁體中文|繁体中文|正體中文|中文(简体)|中文(繁體)|中文（简体）|中文（繁體）|中文(中国)|中文(台灣)|中文（台灣）|中文 (简体)|中文 (繁體)|"
          "汉语|漢語|华语|華語|华文|中文版|中文网|中文網|中文网站|中文網站|简体|繁體|简体字|繁體字|國語|粵語|简|繁|简中|繁中|CHN|"
          "中文(香港)|中文（香港）|中文 (香港)|中文 (台灣)|中文 (中国)|中文(臺灣)|臺灣正體|香港繁體|大陆简体|Zhongwen",
    "zu": "IsiZulu",
}  # fmt: skip

LANGUAGE_NAMES: Final[dict[str, str]] = {
    name.casefold(): code for code, names in _NAMES.items() for name in names.split("|")
}
"""Code by name, both as a switch prints them; the names are case-folded."""

_LONG_NAMES: Final = sorted((name for names in _NAMES.values() for name in names.split("|")), key=len, reverse=True)
_SWITCH: Final = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(n) for n in _LONG_NAMES if len(n) > 1) + r")(?!\w)")
_WORD: Final = re.compile(r"\w+")
_FIRST_WORDS: Final = frozenset(_WORD.findall(name)[0] for name in _LONG_NAMES)


def language_of_name(text: str) -> str:
    """Give the language that ``text`` is the own name of; empty when it is none."""
    return LANGUAGE_NAMES.get(text.casefold(), "")


def without_language_names(text: str) -> str:
    """Blank names of languages: a switch with ten of them says nothing about the page's own."""
    if _FIRST_WORDS.isdisjoint(_WORD.findall(text)):
        return text  # 0.02 ms instead of 0.9
    return _SWITCH.sub(" ", text)
