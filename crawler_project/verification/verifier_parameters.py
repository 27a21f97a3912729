"""The parameters of a site verification, checked, with the defaults of either method (V10, V12)."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.verification.abstract_url import CLASSES
from crawler_project.verification.heuristic import NEW_CLASS

ORDERS: Final = ("best", "breadth", "random")
_TRUTHS: Final = frozenset({"early_no", "explore"})
_TRUE: Final = frozenset({"true", "yes", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, slots=True)
class VerifierParameters:
    """How a site is verified. ``classes`` chooses the method and with it the defaults of ``new_class``, ``explore`` and ``early_no``.

    Raises:
        ConfigurationError: a value out of range.
    """

    page_threshold: float = 0.7
    """PageThreshold: F from which a page is good, 0 to 1."""
    num_rel_pages: int = 5
    """NumRelPages: good pages from which a site is one; at least 1."""
    num_exp_pages: int = 50
    """NumExpPages: pages fetched at most; at least 1."""
    classes: str = "generalised"
    """``literal``: the paper's AbstractURL; ``generalised``: numbers and slugs of its path are alike."""
    new_class: str = ""
    """H of a class without expanded pages, by name (:func:`~crawler_project.verification.heuristic.heuristics`). Empty:
    ``zero`` when literal, else ``family``."""
    early_no: bool | None = None
    """Whether a hopeless site is given up before NumExpPages. ``None``: not when literal."""
    explore: bool | None = None
    """Whether pages are drawn while no class promises a good one (:meth:`SiteVerifier.next_page`). ``None``: where
    ``new_class`` is ``family``."""
    order: str = "best"
    """Which page is next: ``best`` (section 3.2.3), ``breadth`` (the oldest) or ``random`` (to compare with)."""

    def __post_init__(self) -> None:
        _check_choice("classes", self.classes, tuple(CLASSES))
        object.__setattr__(self, "new_class", self.new_class or ("zero" if self.classes == "literal" else "family"))
        if self.early_no is None:
            object.__setattr__(self, "early_no", self.classes != "literal")
        if self.explore is None:
            object.__setattr__(self, "explore", self.new_class == "family")
        _check_choice("new_class", self.new_class, NEW_CLASS)
        _check_choice("order", self.order, ORDERS)
        if not 0 <= self.page_threshold <= 1:
            raise ConfigurationError(f"page_threshold={self.page_threshold!r} must be a number from 0 to 1")
        for name in ("num_rel_pages", "num_exp_pages"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name}={getattr(self, name)!r} must be a whole number, 1 or more")

    @classmethod
    def parse(cls, arguments: Mapping[str, str]) -> VerifierParameters:
        """Read ``-a`` arguments; what is not named keeps its default.

        Raises:
            ConfigurationError: an unknown name, or a value of another type or out of range.
        """
        known = {field.name: field.default for field in fields(cls)}
        values: dict[str, object] = {}
        for name, text in arguments.items():
            if name not in known:
                raise ConfigurationError(_unknown(name, list(known)))
            values[name] = _parsed(name, str(text).strip(), known[name])
        return cls(**values)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, object]:
        """Give all values by name, as plain data."""
        return asdict(self)


def _parsed(name: str, text: str, default: object) -> object:
    try:
        if name in _TRUTHS:
            return _truth(text)
        if isinstance(default, float):
            number = float(text)
            if not math.isfinite(number):
                raise ValueError
            return number
        return int(text) if isinstance(default, int) else text
    except ValueError as error:
        kind = "true or false" if name in _TRUTHS else "a number" if isinstance(default, float) else "a whole number"
        raise ConfigurationError(f"{name}={text!r} must be {kind}") from error


def _truth(text: str) -> bool:
    if text.lower() not in _TRUE | _FALSE:
        raise ValueError
    return text.lower() in _TRUE


def _check_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigurationError(f"{name}={value!r} is not known; choose one of {', '.join(known)}")


def _unknown(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    return f"there is no argument {name!r}{meant} (known: {', '.join(known)})"
