"""The language of a page's text: scripts first, then fastText and CLD2 together."""

from __future__ import annotations

import re
from typing import Final

from crawler_project.core.values import UNKNOWN, Relevance
from crawler_project.relevance.language.compact_detector import detect_compact, without_trouble
from crawler_project.relevance.language.han import han_language
from crawler_project.relevance.language.malay import malay_or_indonesian
from crawler_project.relevance.language.model import LanguageModel, load_model
from crawler_project.relevance.language.names import without_language_names
from crawler_project.relevance.language.scripts import HAN, HANGUL, KANA, LATIN, SCRIPTS, TROUBLE, count_scripts

MAX_CHARACTERS: Final = 10_000
"""Characters of a text whose scripts are counted; more change nothing."""
_MODEL_CHARACTERS: Final = 4_000
"""Characters that the models read: 0.1 ms instead of 0.2, and 0.01 points of agreement less."""
_SHORT: Final = 400
"""Letters below which the text may be a language switch and little else."""
_MANY_SCRIPTS: Final = 3
"""Scripts other than Latin from which on a text is taken to name languages."""
_MIN_SHARE: Final = 0.14
"""Of all letters that the script of one language needs to decide. Korean, Japanese, Chinese and Thai
pages are full of English terms, names and code, while English pages hardly ever quote these languages
at length: of 4,100 pages 0.1 % of theirs had less, 1 % of untranslated pages under their roofs more."""
_MIN_SHARE_OF_ALPHABETS: Final = 0.3
"""The same for alphabets of several languages: their words are as long as Latin ones."""
_KANA_SHARE: Final = 0.1
"""Of Kana and Han together; Japanese pages had 40 % or more, Chinese ones less than 1."""
_FEW_HAN: Final = 40
"""Han characters below which Japanese without a kana is still possible, if hardly so: hence the prior."""
_CHINESE_TEXT: Final = 4.0
_SURE: Final = 0.9
_LIKELY: Final = 0.5
_GUESS: Final = 0.2
_ADDRESSES: Final = re.compile(r"(?:https?|ftp)://[!-~]+")
_ALONE: Final = 0.5
"""What CLD2's confidence is worth where fastText is unsure and of another opinion: right in two of five."""
_ASCII_LETTERS: Final = re.compile("[A-Za-z]+")
_NOT_LATIN: Final = re.compile("[^\x00-\u02af\u0300-\u036f\u1e00-\u1eff\u2000-\u206f]+")
_CJK: Final = (HAN, KANA, HANGUL)
_OF_ONE_LANGUAGE: Final = tuple(index for index, script in enumerate(SCRIPTS) if script.language and index not in _CJK)
_ALPHABETS: Final = tuple(i for i, script in enumerate(SCRIPTS) if i > LATIN and not script.language and i != HAN)


class LanguageIdentifier:
    """Identify languages of page texts. Pure after construction; safe to share between threads.

    The rules, in order:

    1. A script that one language has decides where it is 15 % of the letters (Hangul: ``ko``, Kana:
       ``ja``, Thai: ``th`` …); Han characters without Kana are ``zh``.
    2. Other letters than Latin with 30 % are judged apart from the Latin words between them, else left out.
    3. fastText decides when it is sure; otherwise CLD2 is asked too: agreement wins, then fastText with
       half of the probability or more, then CLD2. The declared language decides between two unsure answers.
    4. Between Malay and Indonesian everyday words decide.
    """

    def __init__(self, model: LanguageModel | None = None) -> None:
        self._model = model or load_model()

    def identify(self, text: str, *, declared: str = "", tld: str = "") -> Relevance:
        """Give language, confidence and evidence of ``text``; ``is_relevant`` is always False here.

        ``declared`` (a code) and ``tld`` are priors. ``und`` means that there is too little to say.
        Never raises.
        """
        text, counts = _usable(text[:MAX_CHARACTERS])
        letters = sum(counts[LATIN:])
        if not letters:
            return Relevance(False, 0.0, UNKNOWN, "no letters")
        return _by_script(text, counts, letters, declared, tld) or self._by_models(
            _letters_to_judge(text, counts, letters), declared
        )

    def _by_models(self, text: str, declared: str) -> Relevance:
        text = " ".join(text[:_MODEL_CHARACTERS].split())
        code, score = self._model.predict(text)
        evidence = f"fasttext {code} {score:.2f}"
        if score < _SURE:
            second, second_score = detect_compact(text)
            evidence += f", cld2 {second} {second_score:.2f}"
            code, score = _combine((code, score), (second, second_score), declared)
        if code in ("id", "ms") and (told := malay_or_indonesian(text, code)) != code:
            code, evidence = told, f"{evidence}, words {told}"
        return Relevance(False, score, code, evidence)


def _usable(text: str) -> tuple[str, list[int]]:
    """Blank what detectors choke on, addresses, and names of languages where a switch may prevail."""
    if "://" in text:
        text = _ADDRESSES.sub(" ", text)
    counts = count_scripts(text)
    if counts[TROUBLE]:
        text = without_trouble(text)
        counts = count_scripts(text)
    if 0 < sum(counts[LATIN:]) < _SHORT or sum(map(bool, counts[HAN:])) >= _MANY_SCRIPTS:
        rest = without_language_names(text)
        if len(rest) != len(text):
            remaining = count_scripts(rest)
            if sum(remaining[LATIN:]):
                return rest, remaining
    return text, counts


def _by_script(text: str, counts: list[int], letters: int, declared: str, tld: str) -> Relevance | None:
    cjk = counts[HAN] + counts[KANA] + counts[HANGUL]
    other = max(_OF_ONE_LANGUAGE, key=counts.__getitem__)
    found = max(cjk, counts[other])
    if found < _MIN_SHARE * letters or found < max(counts[script] for script in _ALPHABETS):
        return None
    share = found / letters
    score = min(1.0, 0.5 + share)
    if counts[other] > cjk:
        return Relevance(False, score, SCRIPTS[other].language, f"script {SCRIPTS[other].name} {share:.0%}")
    if counts[HANGUL] >= counts[KANA] and 2 * counts[HANGUL] >= counts[HAN]:
        return Relevance(False, score, "ko", f"script Hangul {share:.0%}")
    if counts[KANA] >= _KANA_SHARE * cjk:
        return Relevance(False, score, "ja", f"script Kana {share:.0%}")
    if cjk < _FEW_HAN:
        language, confidence, evidence = han_language(text, declared, tld, _CHINESE_TEXT)
        return Relevance(False, min(score, confidence), language, evidence)
    return Relevance(False, score, "zh", f"script Han {share:.0%}")


def _letters_to_judge(text: str, counts: list[int], letters: int) -> str:
    """Leave the words of one alphabet: Latin, or what is not Latin."""
    if counts[LATIN] == letters:
        return text
    if sum(counts[script] for script in _ALPHABETS) >= _MIN_SHARE_OF_ALPHABETS * letters:
        return _ASCII_LETTERS.sub(" ", text)
    return _NOT_LATIN.sub(" ", text) if counts[LATIN] else text


def _combine(first: tuple[str, float], second: tuple[str, float], declared: str) -> tuple[str, float]:
    if first[0] == second[0]:
        return first[0], max(first[1], second[1])
    if first[1] >= _LIKELY:
        return first
    if declared in (first[0], second[0]):
        return (first if declared == first[0] else second)[0], _LIKELY
    if second[0] != UNKNOWN:
        return second[0], second[1] * _ALONE
    return first if first[1] >= _GUESS else (UNKNOWN, first[1])
