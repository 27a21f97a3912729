"""Chinese or Japanese, by Han characters alone: menus are full of words without a kana."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from crawler_project.core.values import UNKNOWN

_TABLE: Final = Path(__file__).parent / "data" / "han_bigrams.txt"
_RUNS: Final = re.compile("[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]+")
_JIS_LEVEL_2: Final = b"\x98\x9f"
"""Where the rarer half of JIS X 0208 begins in Shift_JIS."""
NO_CONTEXT: Final = 2.0
"""Nats for Chinese where nothing is known: Japanese labels mostly have a kana. Words that both languages
write alike (政治, 文化) come out Chinese."""
_PAGE: Final = 7.0
"""Nats that the page's language is worth: labels of one page are rarely in two of these languages, but
a word of the other language that cannot be read otherwise still wins."""
_TLD: Final = 3.0
_TLDS: Final = {"jp": -_TLD} | dict.fromkeys(
    ("cn", "tw", "hk", "mo", "sg", "中国", "中國", "台湾", "台灣", "香港", "澳門", "新加坡"), _TLD
)


@lru_cache(maxsize=1)
def _bigrams() -> dict[str, float]:
    """Log-odds in nats by bigram, positive for Chinese."""
    table: dict[str, float] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        value, _, bigrams = line.partition("\t")
        odds = float(value)
        for at in range(0, len(bigrams), 2):
            table[bigrams[at : at + 2]] = odds
    return table


def _fits(run: str, encoding: str) -> bool:
    try:
        run.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def han_language(
    text: str, page_language: str = "", tld: str = "", no_context: float = NO_CONTEXT
) -> tuple[str, float, str]:
    """Decide between ``zh`` and ``ja`` for the Han characters in ``text``, of which there is one or more.

    First the repertoire: what Windows-31J (JIS X 0208 and a few) cannot write is Chinese, what it can
    write and neither GB 2312 nor Big5 can is Japanese. Then log-odds of bigrams (a naive Bayes classifier over word
    frequencies), with the page's language, else the TLD, else ``no_context`` as prior.

    Returns:
        Code, confidence from 0.5 to 1, and the evidence in a few words.
    """
    runs = _RUNS.findall(text)
    han = "".join(runs)
    if not han:
        return UNKNOWN, 0.0, "no Han character"
    by_repertoire = _by_repertoire(han)
    if by_repertoire:
        return by_repertoire, 0.99, f"Han repertoire {by_repertoire}"
    odds = _prior(page_language, tld, no_context) + sum(map(_odds, runs))
    code = "zh" if odds > 0 else "ja"
    return code, _confidence(abs(odds)), f"Han bigrams {code} {abs(odds):.1f}"


def _by_repertoire(han: str) -> str:
    if not _fits(han, "cp932"):
        return "zh"
    if _fits(han, "gb2312") or _fits(han, "cp950"):
        return ""
    # A rare variant such as 爲 may be missing from Chinese sets too; a common kanji is not rare.
    rare = (c for c in han if not _fits(c, "gb2312") and not _fits(c, "cp950") and c.encode("cp932") >= _JIS_LEVEL_2)
    return "" if any(rare) else "ja"


def _prior(page_language: str, tld: str, no_context: float) -> float:
    if page_language in ("zh", "ja"):
        return _PAGE if page_language == "zh" else -_PAGE
    return _TLDS.get(tld, no_context)


def _odds(run: str) -> float:
    table = _bigrams()
    padded = f"^{run}$"
    return sum([table.get(padded[at : at + 2], 0.0) for at in range(len(padded) - 1)])


def _confidence(nats: float) -> float:
    """0.5 at no evidence, 0.9 at 4 nats, 1 in the limit."""
    return 1.0 - 0.5 / (1.0 + nats)
