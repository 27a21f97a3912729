"""Judges of a page's language, one table from name to class, and the judge of anchors."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar, Final, cast

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import AnchorJudge, RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import top_level_domain
from crawler_project.core.values import UNKNOWN, Page, Relevance
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.charset_ngram import (
    charset_language,
    combine_charset_and_textcat,
    textcat_language,
)
from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.compact_detector import detect_compact, without_trouble
from crawler_project.relevance.language.identify import MAX_CHARACTERS, LanguageIdentifier
from crawler_project.relevance.language.model import load_model
from crawler_project.relevance.language.names import language_of_name
from crawler_project.relevance.language.ngram import NgramIdentifier
from crawler_project.relevance.language.page_text import text_to_judge

_NOT_LATIN: Final = (
    "am ar as ba be bg bho bn bo chr ckb cv dv dz el fa gu he hi hy iu ja ka kk km kn ko ks ky lo mai mk ml mn mr my "
    "ne new or os pa pnb ps ru sa sah sd si syr ta te tg th ti tt tyv ug uk ur xmf yi zh"
)
"""Languages whose anchors are never in ASCII letters alone."""
_FEW_CHARACTERS: Final = 60
"""Below it a page whose language is a guess is of unknown language: a name and "home page" is all there is."""
_OTHER_LETTERS: Final = Relevance(False, 0.0, UNKNOWN, "Latin letters only")


class LanguageJudge:
    """Say whether a page is in a target language. Subclasses identify, this class compares.

    Pure after construction: equal pages, equal answers.
    """

    name: ClassVar[str] = ""

    def __init__(self, target: Target, model_path: str | None = None) -> None:
        self.target = target
        self.model_path = model_path

    def identify(self, page: Page) -> Relevance:
        """Give language, confidence and evidence; ``is_relevant`` is set by :meth:`judge`."""
        raise NotImplementedError

    def judge(self, page: Page) -> Relevance:
        """Answer whether the page's own language is a target; ``und`` never is."""
        found = self.identify(page)
        return Relevance(found.label in self.target.languages, found.score, found.label, found.evidence)


class CombinedJudge(LanguageJudge):
    """Scripts, fastText and CLD2 together (:class:`LanguageIdentifier`): the default."""

    name = "combined"

    def __init__(self, target: Target, model_path: str | None = None) -> None:
        super().__init__(target, model_path)
        self._identifier = LanguageIdentifier(load_model(model_path))

    def identify(self, page: Page) -> Relevance:
        tld = top_level_domain(page.url.partition("://")[2].partition("/")[0])
        declared = language_code(page.declared_language) if page.declared_language else ""
        text = text_to_judge(page)
        found = self._identifier.identify(text, declared=declared, tld=tld)
        if found.score < 0.5 and len(text) < _FEW_CHARACTERS:
            return found._replace(label=UNKNOWN, evidence=f"{found.evidence}: a guess")
        return found


class FastTextJudge(LanguageJudge):
    """The fastText model alone."""

    name = "fasttext"

    def __init__(self, target: Target, model_path: str | None = None) -> None:
        super().__init__(target, model_path)
        self._model = load_model(model_path)

    def identify(self, page: Page) -> Relevance:
        line = " ".join(without_trouble(text_to_judge(page)[:MAX_CHARACTERS]).split())
        if not any(map(str.isalpha, line)):
            return Relevance(False, 0.0, UNKNOWN, "no letters")
        label, score = self._model.predict(line)
        return Relevance(False, score, label, f"fasttext {label} {score:.2f}")


class CompactJudge(LanguageJudge):
    """CLD2 alone, without hints."""

    name = "cld2"

    def identify(self, page: Page) -> Relevance:
        label, score = detect_compact(text_to_judge(page)[:MAX_CHARACTERS])
        return Relevance(False, score, label, f"cld2 {label} {score:.2f}")


class NgramJudge(LanguageJudge):
    """Cavnar and Trenkle's n-gram profiles on all visible text, as Chan and Yamana (Section 3) have it."""

    name = "ngram"

    def __init__(self, target: Target, model_path: str | None = None) -> None:
        super().__init__(target, model_path)
        self._ngrams = _ngrams_for(self.name, target)

    def identify(self, page: Page) -> Relevance:
        return self._ngrams.identify(page.text or page.title)


def _ngrams_for(judge: str, target: Target) -> NgramIdentifier:
    ngrams = NgramIdentifier()
    missing = target.languages - ngrams.languages
    if missing:
        raise ConfigurationError(
            f"judge={judge!r} has no profile of {', '.join(sorted(missing))}; it knows {' '.join(sorted(ngrams.languages))}, "
            f"and judge='combined' many more"
        )
    return ngrams


class CharsetNgramJudge(LanguageJudge):
    """Declared charset and n-grams by Table 1 of Somboonviwat et al. (Section 3.2), for any target.

    Departure: the charset is the one that header or meta tag declare; the paper reads the tag only.
    """

    name = "charset_ngram"

    def __init__(self, target: Target, model_path: str | None = None) -> None:
        super().__init__(target, model_path)
        self._ngrams = _ngrams_for(self.name, target)

    def identify(self, page: Page) -> Relevance:
        answer = self._ngrams.classify(page.text or page.title)
        metacs = charset_language(page.declared_charset)
        textcat = textcat_language(answer.candidates, self.target.languages)
        label, row = combine_charset_and_textcat(metacs, textcat, self.target.languages)
        score = 0.0 if label == UNKNOWN else answer.score if label == textcat else 0.5
        return Relevance(False, score, label, f"charset {metacs}, ngram {answer.verdict}, Table 1 row {row}")


LANGUAGE_JUDGES: Final[Mapping[str, type[LanguageJudge]]] = {
    judge.name: judge for judge in (CombinedJudge, FastTextJudge, CompactJudge, NgramJudge, CharsetNgramJudge)
}


def make_language_judge(name: str, target: Target, model_path: str | None = None) -> RelevanceJudge:
    """Make the judge called ``name``, or the class at an import path (``package.module.Class``).

    A class of somebody else's is called with the target and must have ``judge(page)``.

    Raises:
        ConfigurationError: an unknown name, a class that is no judge, or an unusable ``model_path``.
        StateError: the shipped model is damaged.
    """
    if name in LANGUAGE_JUDGES:
        return LANGUAGE_JUDGES[name](target, model_path)
    module, _, attribute = name.rpartition(".")
    if not module:
        raise ConfigurationError(
            f"judge={name!r} is unknown; choose one of {', '.join(LANGUAGE_JUDGES)}, or give an import path (package.module.Class)"
        )
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(f"judge={name!r} cannot be imported: {error}") from error
    if not (isinstance(cls, type) and callable(getattr(cls, "judge", None))):
        raise ConfigurationError(f"judge={name!r} is no judge: it must be a class with a method judge(page)")
    return cast("RelevanceJudge", cls(target))


class TargetAnchorJudge:
    """Say whether an anchor text is in a target language."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._identifier = AnchorIdentifier()
        self._skips_ascii = target.languages <= frozenset(_NOT_LATIN.split())

    def judge_anchor(self, text: str, page_language: str = "", tld: str = "") -> Relevance:
        """Judge ``text``; where no target is written in Latin letters, ASCII is not looked into."""
        if self._skips_ascii and text.isascii() and not language_of_name(text):
            return _OTHER_LETTERS
        found = self._identifier.judge_anchor(text, page_language, tld)
        if found.label not in self.target.languages:
            return found
        return Relevance(True, found.score, found.label, found.evidence)


def make_anchor_judge(target: Target) -> AnchorJudge:
    """Make the judge of anchor texts for ``target``."""
    return TargetAnchorJudge(target)
