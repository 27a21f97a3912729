"""Thai pages, and those of other targets, by declared charset and n-grams (Somboonviwat et al.)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from crawler_project.core.values import UNKNOWN

_CHARSETS: Final = {
    "th": "windows-874 tis-620 tis620 iso-8859-11 cp874 x-windows-874 dos-874 ibm874",
    "ja": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j cp932 euc-jp x-euc-jp iso-2022-jp csiso2022jp",
    "ko": "euc-kr ks_c_5601-1987 ks_c_5601 ksc5601 ksc_5601 windows-949 cp949 uhc iso-2022-kr johab korean",
    "zh": "gb2312 gb_2312-80 gbk x-gbk cp936 windows-936 gb18030 hz-gb-2312 hz iso-2022-cn "
    "big5 big-5 x-x-big5 cn-big5 cp950 big5-hkscs euc-tw x-euc-tw",
    "vi": "windows-1258 viscii tcvn tcvn-5712",
    "he": "iso-8859-8 iso-8859-8-i windows-1255 hebrew visual logical",
    "el": "iso-8859-7 windows-1253 greek",
    "tr": "iso-8859-9 windows-1254 latin5",
    "uk": "koi8-u",
    "ru": "koi8-r koi8 cp866 ibm866",
}
LANGUAGE_OF_CHARSET: Final = {charset: language for language, names in _CHARSETS.items() for charset in names.split()}
"""Language by charset, for charsets that one language uses; windows-1251, UTF-8 and others say nothing."""


def charset_language(charset: str) -> str:
    """Infer the language from a declared charset (*metacs_lang*, Section 3.2); ``und`` when it says none."""
    return LANGUAGE_OF_CHARSET.get(charset.strip().lower(), UNKNOWN)


def textcat_language(candidates: Collection[str], targets: Collection[str]) -> str:
    """Choose from TextCat's candidates (*textcat_lang*, Section 3.2, step 2).

    A target among them wins, then English, then the first; none is ``und``.
    """
    for wanted in (*sorted(targets), "en"):
        if wanted in candidates:
            return wanted
    return next(iter(candidates), UNKNOWN)


def combine_charset_and_textcat(metacs: str, textcat: str, targets: Collection[str]) -> tuple[str, int]:
    """Determine the language of a page, and the row of Table 1 (Somboonviwat et al., Section 3.2) that did.

    ====  ===========  ============  ========
    row   metacs_lang  textcat_lang  language
    ====  ===========  ============  ========
    1     target       X             target
    2     X            target        target
    3     Y            unknown       Y
    4     unknown      Z             Z
    5     unknown      unknown       unknown
    6     Y            Z             Y
    ====  ===========  ============  ========

    The paper's target is Thai; any set of languages stands for it here. Pages of unknown language
    inherit their parent's (Section 4.1), which is the strategy's business, so they stay ``und``.
    """
    if metacs in targets:
        return metacs, 1
    if textcat in targets:
        return textcat, 2
    if metacs != UNKNOWN:
        return metacs, 3 if textcat == UNKNOWN else 6
    return textcat, 4 if textcat != UNKNOWN else 5
