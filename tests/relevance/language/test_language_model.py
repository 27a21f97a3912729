"""The fastText model and the languages that are known."""

import shutil
from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.target import TLDS_BY_LANGUAGE
from crawler_project.relevance.language import model
from crawler_project.relevance.language.model import SHIPPED_MODEL, known_languages, load_model


def test_shipped_model_is_loaded_once() -> None:
    assert load_model() is load_model()


def test_model_predicts_a_code_and_a_probability() -> None:
    code, probability = load_model().predict("Dies ist ein deutscher Satz über das Wetter.")
    assert code == "de"
    assert 0.9 < probability <= 1.0


def test_known_languages_are_written_as_users_write_them() -> None:
    known = known_languages()
    assert {"ko", "ja", "zh", "th", "vi", "he", "no", "fil", "id", "ms", "ha", "mi"} <= known
    assert not {"zh-Hant", "yue", "iw", "nb", "nn", "tl", "und", "tlh", "kr", "jp"} & known


def test_every_language_of_the_tld_table_is_known() -> None:
    assert set(TLDS_BY_LANGUAGE) <= known_languages()


def test_damaged_model_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "lid.176.ftz"
    body = SHIPPED_MODEL.read_bytes()
    damaged.write_bytes(body[:1000] + bytes([body[1000] ^ 1]) + body[1001:])
    monkeypatch.setattr(model, "SHIPPED_MODEL", damaged)
    with pytest.raises(StateError, match=r"damaged.*restore it from the repository"):
        load_model.__wrapped__()


def test_missing_model_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "SHIPPED_MODEL", tmp_path / "no.ftz")
    with pytest.raises(StateError, match="missing; restore it"):
        load_model.__wrapped__()


def test_own_model_is_loaded_by_path(tmp_path: Path) -> None:
    own = tmp_path / "own.ftz"
    shutil.copyfile(SHIPPED_MODEL, own)
    assert load_model(str(own)).predict("Это русский текст о погоде.")[0] == "ru"


def test_own_model_that_is_no_file_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no file; give the path of a fastText model"):
        load_model(str(tmp_path / "no.bin"))


def test_own_model_of_another_format_is_a_configuration_error(tmp_path: Path) -> None:
    (tmp_path / "text.bin").write_text("hello " * 100)
    with pytest.raises(ConfigurationError, match=r"cannot be used.*give a fastText classifier"):
        load_model(str(tmp_path / "text.bin"))
