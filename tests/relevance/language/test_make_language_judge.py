"""Judges by name and by import path, and the judge of anchors."""

from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target
from crawler_project.core.values import Page, Relevance
from crawler_project.relevance.language.judges import CombinedJudge, make_anchor_judge, make_language_judge

KO = Target(frozenset({"ko"}), frozenset({"kr"}))
VI = Target(frozenset({"vi"}), frozenset({"vn"}))


class SomebodysJudge:
    """A judge that is not of this project."""

    def __init__(self, target: Target) -> None:
        self.target = target

    def judge(self, page: Page) -> Relevance:
        return Relevance("ko" in self.target.languages, 1.0, "ko", "says so")


NO_CLASS = 1


class NoJudge:
    """A class without ``judge``."""


def test_judge_by_name() -> None:
    assert isinstance(make_language_judge("combined", KO), CombinedJudge)


def test_unknown_name_lists_the_names() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"judge='combind' is unknown; choose one of combined, fasttext, cld2, ngram, charset_ngram",
    ):
        make_language_judge("combind", KO)


def test_judge_by_import_path() -> None:
    judge = make_language_judge(f"{__name__}.SomebodysJudge", KO)
    assert judge.judge(Page("http://example.org/")).is_relevant


@pytest.mark.parametrize("name", ["no.such.Judge", f"{__name__}.Missing"])
def test_import_path_that_leads_nowhere_is_an_error(name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be imported"):
        make_language_judge(name, KO)


@pytest.mark.parametrize("name", ["NO_CLASS", "NoJudge"])
def test_import_path_to_something_else_is_an_error(name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"is no judge: it must be a class with a method judge\(page\)"):
        make_language_judge(f"{__name__}.{name}", KO)


@pytest.mark.parametrize("name", ["ngram", "charset_ngram"])
def test_target_without_a_profile_is_an_error(name: str) -> None:
    with pytest.raises(ConfigurationError, match="has no profile of eo; it knows ar bg"):
        make_language_judge(name, Target(frozenset({"eo"}), frozenset()))


@pytest.mark.parametrize("name", ["combined", "fasttext"])
def test_unusable_model_is_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="LANGUAGE_MODEL="):
        make_language_judge(name, KO, str(tmp_path / "no.bin"))


def test_anchor_judge_marks_the_target() -> None:
    judge = make_anchor_judge(KO)
    assert judge.judge_anchor("공지사항", "en", "com").is_relevant
    assert not judge.judge_anchor("お知らせ", "ko", "kr").is_relevant


def test_anchor_judge_leaves_ascii_alone_when_no_target_is_in_latin_letters() -> None:
    found = make_anchor_judge(KO).judge_anchor("Download", "ko", "kr")
    assert (found.label, found.evidence) == ("und", "Latin letters only")


def test_anchor_judge_looks_into_ascii_for_a_target_in_latin_letters() -> None:
    assert make_anchor_judge(VI).judge_anchor("Trang sau", "vi", "vn").is_relevant


def test_anchor_judge_knows_names_in_ascii() -> None:
    assert make_anchor_judge(KO).judge_anchor("KOR", "en", "").is_relevant
