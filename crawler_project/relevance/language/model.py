"""The fastText model: the shipped one, pinned by its hash, or the user's own."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.core.values import UNKNOWN
from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.compact_detector import compact_languages

SHIPPED_MODEL: Final = Path(__file__).parent / "data" / "lid.176.ftz"
SHIPPED_SHA256: Final = "8f3472cfe8738a7b6099e8e999c3cbfae0dcd15696aac7d7738a8039db603e83"


class LanguageModel:
    """A loaded fastText model (Joulin et al. 2016, *FastText.zip*) that answers with codes of users."""

    def __init__(self, path: Path) -> None:
        import fasttext  # 70 ms, and only pages need it

        self.path = path
        self._model: Any = fasttext.load_model(str(path))
        self._codes: dict[str, str] = {label: language_code(label) for label in self._model.get_labels()}

    @property
    def languages(self) -> frozenset[str]:
        """Codes that the model can answer with."""
        return frozenset(self._codes.values())

    def predict(self, text: str) -> tuple[str, float]:
        """Give the language of one line of text and its probability; ``und``, 0 when there is none.

        ``text`` holds no line feed and no lone surrogate.
        """
        labels, probabilities = self._model.predict(text)
        if not labels:
            return UNKNOWN, 0.0
        return self._codes[labels[0]], min(1.0, float(probabilities[0]))


@lru_cache(maxsize=4)
def load_model(path: str | None = None) -> LanguageModel:
    """Load the model at ``path``, or the shipped one (11 ms); the same object every time.

    Raises:
        StateError: the shipped file is missing or not the one that was published.
        ConfigurationError: ``path`` is not a readable fastText classifier.
    """
    if not path:
        _check_shipped()
        return LanguageModel(SHIPPED_MODEL)
    if not Path(path).is_file():
        raise ConfigurationError(
            f"LANGUAGE_MODEL={path!r} is no file; give the path of a fastText model, or leave it empty"
        )
    try:
        return LanguageModel(Path(path))
    except (ValueError, RuntimeError, MemoryError) as error:
        raise ConfigurationError(
            f"LANGUAGE_MODEL={path!r} cannot be used: {error}; give a fastText classifier (.bin or .ftz)"
        ) from error


def _check_shipped() -> None:
    advice = "restore it from the repository (git checkout) or install the project again"
    if not SHIPPED_MODEL.is_file():
        raise StateError(f"the language model {SHIPPED_MODEL} is missing; {advice}")
    found = hashlib.sha256(SHIPPED_MODEL.read_bytes()).hexdigest()
    if found != SHIPPED_SHA256:
        raise StateError(
            f"the language model {SHIPPED_MODEL} is damaged (SHA-256 {found[:16]}…, not {SHIPPED_SHA256[:16]}…); {advice}"
        )


@lru_cache(maxsize=4)
def known_languages(path: str | None = None) -> frozenset[str]:
    """Codes that pages can be identified as: those of the fastText model and of CLD2."""
    return (load_model(path).languages | compact_languages()) - {UNKNOWN}
