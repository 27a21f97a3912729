"""A logical expression over regular expressions: what a rule asks of a page (V6)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Final

OPERATORS: Final = ("and", "or", "not")


class BadExpressionError(ValueError):
    """A value that is no expression; the message says why."""


@dataclass(frozen=True, slots=True)
class Match:
    """Holds where the regular expression of this number matches."""

    number: int

    def holds(self, found: Container[int]) -> bool:
        return self.number in found

    def witnesses(self) -> Iterator[int]:
        """Give the numbers of the expressions that speak for it, in order."""
        yield self.number


@dataclass(frozen=True, slots=True)
class And:
    """Holds where all its parts do."""

    parts: tuple[Expression, ...]

    def holds(self, found: Container[int]) -> bool:
        return all(part.holds(found) for part in self.parts)

    def witnesses(self) -> Iterator[int]:
        for part in self.parts:
            yield from part.witnesses()


@dataclass(frozen=True, slots=True)
class Or:
    """Holds where one of its parts does."""

    parts: tuple[Expression, ...]

    def holds(self, found: Container[int]) -> bool:
        return any(part.holds(found) for part in self.parts)

    def witnesses(self) -> Iterator[int]:
        for part in self.parts:
            yield from part.witnesses()


@dataclass(frozen=True, slots=True)
class Not:
    """Holds where its part does not."""

    part: Expression

    def holds(self, found: Container[int]) -> bool:
        return not self.part.holds(found)

    def witnesses(self) -> Iterator[int]:
        yield from ()


Expression = Match | And | Or | Not


def read_expression(value: object, number_of: Callable[[str], int]) -> Expression:
    """Read a rule's ``holds``: a regular expression, or ``{and = [...]}``, ``{or = [...]}``, ``{not = ...}``.

    Args:
        value: as TOML gives it.
        number_of: registers a regular expression and gives its number.

    Raises:
        BadExpressionError: another type, an unknown operator, an operator without parts.
    """
    if isinstance(value, str):
        if not value:
            raise BadExpressionError("an empty regular expression")
        return Match(number_of(value))
    if not isinstance(value, dict) or len(value) != 1:
        raise BadExpressionError(
            f"{_shown(value)} is no expression; write a regular expression in quotes, or one of {{and = [...]}}, {{or = [...]}}, {{not = ...}}"
        )
    operator, operand = next(iter(value.items()))
    if operator not in OPERATORS:
        raise BadExpressionError(f"unknown operator {operator!r}; known: {', '.join(OPERATORS)}")
    if operator == "not":
        return Not(read_expression(operand, number_of))
    if not isinstance(operand, list) or not operand:
        raise BadExpressionError(f"{operator!r} needs a list of one or more expressions, not {_shown(operand)}")
    parts = tuple(read_expression(part, number_of) for part in operand)
    return And(parts) if operator == "and" else Or(parts)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
